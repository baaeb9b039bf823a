/**
 * `node tests/continuous_integration.ts` runs the steps of `action.yml` and the examples of docs/ci.md, in a
 * clone and in projects with only an adapter. A right engine must end with 0, a wrong one with 1 and
 * annotations; both must write reports. What others provide (`uses: actions/…`) is checked, not run. Ends
 * with 1 if anything is otherwise.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Pipeline {
  readonly [job: string]: {
    readonly script: readonly string[];
    readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
  };
}

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "adjudge-ci-"));
const clone = join(home, "clone");
const faults: string[] = [];
const asked = "-n 40 --seconds 0 --dtype float64";
const right = `${process.execPath} ${join(root, "conformance/testees/interpreter.ts")}`;
const wrong = `${process.execPath} ${join(root, "cli/process/testee.test.script.ts")} mutant sin_slope_at_result`;

function expected(what: string, isSo: boolean): void {
  if (!isSo) faults.push(what);
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a step of a job. Its `node` is the one that runs this file, as `setup-node` would provide it. */
function bash(script: string, folder: string, environment: Readonly<Record<string, string>>): Ended {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const options = {
    cwd: folder,
    env: { ...process.env, PATH: path, ...environment },
    encoding: "utf8",
  } as const;
  const { status, stdout, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", script], options);
  return { code: status, out: stdout + stderr };
}

/** Returns a folder in which somebody has an adapter. */
function projectWith(name: string, engine: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "my_adapter"), `#!/bin/sh\nexec ${engine}\n`, { mode: 0o755 });
  return folder;
}

/** Returns the steps of the action, as a job with these inputs runs them. */
function runAction(action: Action, folder: string, inputs: Readonly<Record<string, string>>): Ended {
  const given = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.(\w+) \}\}/g,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? "",
    );
  let out = "";
  for (const { run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, given(text)]));
    const ended = bash(run, folder, {
      GITHUB_ACTION_PATH: clone,
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "step-summary"),
      ...own,
    });
    out += ended.out;
    if (ended.code !== 0) return { code: ended.code, out };
  }
  return { code: 0, out };
}

function checkAction(action: Action): void {
  for (const [name, engine, code] of [
    ["right", right, 0],
    ["wrong", wrong, 1],
  ] as const) {
    const folder = projectWith(name, engine);
    const ended = runAction(action, folder, { engine: "./my_adapter", arguments: asked });
    expected(
      `the action ends with ${ended.code} for a ${name} engine:\n${ended.out.slice(-2000)}`,
      ended.code === code,
    );
    const read = (file: string): string =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
    expected(`it hands on the code of a ${name} engine`, read("output").includes(`code=${code}\n`));
    expected(`the page of a ${name} engine's job has a summary`, read("step-summary").includes("| ---"));
    for (const file of ["report.json", "junit.xml", "report.sarif", "summary.md"])
      expected(`${file} of a ${name} engine is there`, read(join("adjudge-report", file)) !== "");
    expected(
      `a ${name} engine is annotated where it is wrong`,
      ended.out.includes("::error") === (code === 1),
    );
  }
}

/** Returns the first block of YAML behind a heading. */
function example(page: string, heading: string): string {
  const [, block = ""] =
    new RegExp(`## ${heading}\\n[\\s\\S]*?\`\`\`yaml\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return block;
}

function checkGitHub(action: Action, workflow: Workflow): void {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const own = steps.filter(({ uses = "" }) => uses.includes("/adjudge@"));
  expected("the example for GitHub uses the action once", own.length === 1);
  for (const { with: given = {} } of own) {
    for (const name of Object.keys(given)) expected(`the action has an input ${name}`, name in action.inputs);
    for (const [name, { required }] of Object.entries(action.inputs))
      expected(`the example gives the input ${name}`, required !== true || name in given);
  }
}

function checkGitLab(pipeline: Pipeline): void {
  const [job] = Object.values(pipeline);
  expected("the example for GitLab has a job", job !== undefined);
  if (job === undefined) return;
  for (const [name, engine, code] of [
    ["right-gitlab", right, 0],
    ["wrong-gitlab", wrong, 1],
  ] as const) {
    const folder = projectWith(name, engine);
    const own = join(home, `${name}-home`);
    mkdirSync(own);
    const script = job.script.join("\n").replace("--seconds 60 -n 2000", asked);
    // The home is another, but npm keeps its cache and its user's settings.
    const configured = (name: string): string =>
      bash(`npm config get ${name} 2>/dev/null`, folder, {}).out.trim();
    const npm = { npm_config_cache: configured("cache"), npm_config_userconfig: configured("userconfig") };
    const ended = bash(script, folder, { HOME: own, ADJUDGE: `file://${clone}`, ...npm });
    expected(
      `the script for GitLab ends with ${ended.code} for ${name}:\n${ended.out.slice(-2000)}`,
      ended.code === code,
    );
    for (const file of [...job.artifacts.paths, job.artifacts.reports.junit])
      expected(`${file} of ${name} is there`, existsSync(join(folder, file)));
  }
}

try {
  const cloned = bash(`git clone --quiet --no-hardlinks "${root}" "${clone}"`, home, {});
  if (cloned.code !== 0) throw new Error(cloned.out);
  const action: Action = parse(readFileSync(join(clone, "action.yml"), "utf8"));
  const page = readFileSync(join(clone, "docs", "ci.md"), "utf8");
  checkAction(action);
  const workflow: Workflow = parse(example(page, "GitHub"));
  const pipeline: Pipeline = parse(example(page, "GitLab"));
  checkGitHub(action, workflow);
  checkGitLab(pipeline);
} finally {
  rmSync(home, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`✗ ${fault}\n`);
process.stdout.write(`CI: the action and two examples were run, ${faults.length} faults\n`);
if (faults.length > 0) process.exitCode = 1;
