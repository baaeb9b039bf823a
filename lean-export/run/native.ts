import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Lean, LeanJob } from "./lean.ts";
import { type Command, runProcess } from "./process.ts";
import { reportRun } from "./report.ts";

/** The version that the library is written for, and its toolchain as elan names it. */
const toolchain = {
  version: "4.28",
  name: "leanprover/lean4:v4.28.0",
};

/** The search for a native Lean found this. */
export type NativeLean =
  | { readonly kind: "found"; readonly lean: Lean }
  | { readonly kind: "unfit"; readonly why: string }
  | { readonly kind: "absent" };

/** `lean --version` may take so long, since elan may first download a toolchain. */
const askingMilliseconds = 300_000;

/**
 * Returns the `lean` on the search path, if it is of version 4.28. Where `lean` is elan's, the toolchain of
 * that version is asked for. Cost: a run of `lean --version`.
 */
export async function findNative(environment: NodeJS.ProcessEnv): Promise<NativeLean> {
  const inherited = inheritedFrom(environment);
  const ask: Command = {
    file: "lean",
    argv: ["--version"],
    folder: tmpdir(),
    environment: inherited,
    limits: { milliseconds: askingMilliseconds, outputBytes: 100_000 },
  };
  const { ending, stdout, stderr } = await runProcess(ask);
  if (ending.kind === "not-started") return { kind: "absent" };
  const version = /Lean \(version (\d+\.\d+)([\w.-]*)/.exec(stdout);
  if (ending.kind !== "exited" || ending.code !== 0 || version === null) {
    return { kind: "unfit", why: `The native lean does not say its version: ${stderr.trim().slice(0, 300)}` };
  }
  const [, number = "", rest = ""] = version;
  if (number !== toolchain.version) {
    const found = `The native Lean is ${number}${rest}; the library is written for ${toolchain.version}`;
    return { kind: "unfit", why: `${found} (elan toolchain install ${toolchain.name}).` };
  }
  return { kind: "found", lean: nativeLean(`${number}${rest}`, inherited) };
}

function nativeLean(version: string, inherited: Readonly<Record<string, string>>): Lean {
  return {
    name: "native",
    version,
    remarks: [],
    run: async (job, conversation) => reportRun(await runProcess(commandOf(job, inherited), conversation)),
  };
}

function commandOf(job: LeanJob, inherited: Readonly<Record<string, string>>): Command {
  const argv = ["-j1", "--json", ...job.options, ...(job.isProgram ? ["--run"] : []), job.file];
  const environment = { ...inherited, LEAN_PATH: job.libraries.join(delimiter) };
  return { file: "lean", argv, folder: job.folder, environment, limits: job.limits };
}

/** Keeps the variables that Lean and elan need. Elan prefers a toolchain from the environment. */
function inheritedFrom(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = ["PATH", "HOME", "ELAN_HOME", "SYSTEMROOT", "USERPROFILE", "TMPDIR"];
  const kept = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const elan = environment.ELAN_HOME ?? join(environment.HOME ?? environment.USERPROFILE ?? "", ".elan");
  const isElan = (environment.PATH ?? "").split(delimiter).includes(join(elan, "bin"));
  return { ...Object.fromEntries(kept), ...(isElan ? { ELAN_TOOLCHAIN: toolchain.name } : {}) };
}
