import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomTrace } from "../../lean-export/campaign/random_traces.ts";
import { namedCaseIn } from "../../lean-export/emit/obstruction.ts";
import { hashesOf, type LeanVerdict } from "../../lean-export/index.ts";
import { verdictByText } from "../../lean-export/verdict_by_text.test.kit.ts";
import type { TraceJson } from "../../spec/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { accepted, lean, saying, square } from "./lean.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-against-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a JSON document to a file of that name and returns its path. */
async function written(name: string, document: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(document));
  return path;
}

/** A Lean that takes every file for what its text shows. */
const reading = saying(({ text }): LeanVerdict => verdictByText(text, () => false));

const check = (...argv: readonly string[]): ReturnType<typeof lean> => lean(reading, "check", ...argv);

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
    const checked = await check(path, "--against", question);
    const exported = await lean(reading, "export", path, "--against", question);
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
    expect(await check(path, "--against", question)).toMatchObject({ code: exitCodes.agrees });
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
    const stale = await check(await written("stale.json", trace));
    expect(stale).toMatchObject({ code: exitCodes.badInput, notes: expect.stringContaining("trace/hash") });
  });

  test("is refused by its hashes where it says another form", async () => {
    const trace: TraceJson = { ...(await traced("rational")), form: "sparse" };
    const stale = await check(await written("stale.json", trace));
    expect(stale.notes).toContain("/hashes/engine");
  });

  /** Exports a trace as somebody does who says nothing of the case. */
  async function exportedFile(trace: TraceJson): Promise<string> {
    const path = join(folder, "exported.lean");
    const { code } = await lean(reading, "export", await written("trace.json", trace), "-o", path);
    expect(code).toBe(exitCodes.agrees);
    return path;
  }

  test.each([
    "rational",
    "float64",
    "float32",
    "modular",
    "posit16(quire)",
  ])("is taken as a Lean file too, over %s, against the case and the trace", async (algebra) => {
    const trace = await traced(algebra);
    const path = await exportedFile(trace);
    const files = [await written("asked.json", asked), await written("asking.json", trace)];
    for (const file of files) {
      const { code, out, notes } = await check(path, "--against", file);
      expect([code, notes]).toEqual([exitCodes.agrees, ""]);
      expect(out).toContain(`it is about what ${file} asks`);
    }
  });

  test.each<[string, (trace: TraceJson) => TraceJson, string]>([
    [
      "another seed",
      (trace) => ({ ...trace, seeds: [{ id: 2, cotangent: { ...one, data: ["2"] } }] }),
      "/run/seed/2",
    ],
    [
      "another point",
      (trace) => ({ ...trace, point: { ...trace.point, inputs: [{ shape: [2], data: ["1/2", "4"] }] } }),
      "/run/inputs",
    ],
    [
      "a node that adds for one that multiplies",
      (trace) => ({
        ...trace,
        graph: {
          ...trace.graph,
          nodes: trace.graph.nodes.map((node) =>
            node.op === "multiply" ? { ...node, op: "add", attributes: {} } : node,
          ),
        },
      }),
      "/program/nodes",
    ],
  ])("is refused as a Lean file with %s", async (_what, edit, pointer) => {
    const path = await exportedFile(forged(edit(await traced("rational"))));
    const { code, notes } = await check(path, "--against", await written("asked.json", asked));
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(`lean/against at ${pointer}`);
  });

  test("is refused against a trace in another arithmetic, as a Lean file and as a trace", async () => {
    // These numbers are bfloat16's and float64's alike, so that Lean accepts both files.
    const [fine, coarse] = [await traced("float64"), await traced("bfloat16")];
    const file = await written("asking.json", fine);
    const byLean = await check(await exportedFile(coarse), "--against", file);
    expect(byLean).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("the arithmetic, bfloat16, is not what was asked"),
    });
    const byTrace = await check(await written("trace.json", coarse), "--against", file);
    expect(byTrace).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("trace/against at /algebra"),
    });
  });

  test("is refused against a trace whose engine has computed something else", async () => {
    const trace = await traced("float32");
    const file = await written("asking.json", trace);
    const values = trace.values.with(2, { shape: [], data: ["9.5"] });
    const other = forged({ ...trace, values });
    const byLean = await check(await exportedFile(other), "--against", file);
    expect(byLean.notes).toContain("lean/against at /engine/values");
    const byTrace = await check(await written("trace.json", other), "--against", file);
    expect(byTrace.notes).toContain("trace/against at /values/2");
  });
});

describe("a trace of a sweep of a tape script", () => {
  const script = `tapes twice_with_other_seeds
  graph g(x: [])
    %1 = x * x
  record a of g at x = 3
  sweep a from %1 = 1
    expect cotangent x = 6
  sweep a from %1 = 5
    expect cotangent x = 30
note "x · x swept from two seeds"
clause 4.10
`;

  test("is taken against the script from the seeds of either sweep, and from no others", async () => {
    const vector = join(folder, "twice.adj");
    await writeFile(vector, script);
    const own = await written("own.json", square);
    const codes = await Promise.all(
      ["1", "5", "7"].map(async (seed) => {
        const { out, notes } = await adjudge(
          "run",
          own,
          "-a",
          "rational",
          "-i",
          "x=3",
          "-c",
          `1=${seed}`,
          "--json",
        );
        expect(notes).toBe("");
        const path = await written(`seeded_${seed}.json`, JSON.parse(out));
        return (await check(path, "--against", vector)).code;
      }),
    );
    expect(codes).toEqual([exitCodes.agrees, exitCodes.agrees, exitCodes.badInput]);
  });
});

describe("a trace of a program's run", () => {
  const program = `program squared(x)
  %1 = buffer(x)
  %1 *= %1
  return %1: []
note "x times x, in place"
clause 10.5
at x = 3
seed 0 = 1
expect result 0 = 9
expect cotangent x = 6
`;

  async function files(): Promise<{ readonly vector: string; readonly trace: TraceJson }> {
    const vector = join(folder, "squared.adj");
    await writeFile(vector, program);
    const { out, code, notes } = await adjudge("run", vector, "-a", "rational", "--json");
    expect([code, notes]).toEqual([exitCodes.agrees, ""]);
    return { vector, trace: JSON.parse(out) };
  }

  test("is taken against the vector, as a trace and as a Lean file", async () => {
    const { vector, trace } = await files();
    const path = await written("trace.json", trace);
    expect(await check(path, "--against", vector)).toMatchObject({ code: exitCodes.agrees, notes: "" });
    const exported = join(folder, "program.lean");
    await lean(reading, "export", path, "-o", exported);
    expect(await check(exported, "--against", vector)).toMatchObject({ code: exitCodes.agrees, notes: "" });
  });

  test("is refused with another recording, whatever it then computes", async () => {
    const { vector, trace } = await files();
    const nodes = trace.graph.nodes.slice(0, -1);
    const graph = { ...trace.graph, nodes };
    const ids = trace.graph.inputs.length + nodes.length;
    const cut = { ...trace, graph, seeds: [], values: trace.values.slice(0, ids) };
    const other = { ...cut, cotangents: cut.values.map(({ shape }) => ({ shape, data: ["0"] })) };
    const path = await written("trace.json", { ...other, hashes: hashesOf(other) });
    expect(await check(path, "--against", vector)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("trace/against at /graph/nodes"),
    });
  });

  test("is compared with nothing where a program has no point", async () => {
    const { trace } = await files();
    const path = await written("trace.json", trace);
    const alone = join(folder, "alone.adj");
    await writeFile(alone, "program squared(x)\n  return x * x: []\n");
    expect(await check(path, "--against", alone)).toMatchObject({ code: exitCodes.badInput });
  });
});

describe("a certificate of dimensions", () => {
  const newton = "docs/examples/dimensions/newton.adj#missing_factor";

  const path = join(folder, "certificate.lean");

  beforeAll(async () => {
    expect(await adjudge("explain", newton, "--lean", path)).toMatchObject({ code: exitCodes.disagrees });
  });

  /** A Lean that says what the certificate of a case is about, as the driver reads it. */
  const certified = saying(({ text }) => {
    const equations = [...text.matchAll(/^ {4}\[(\(.*\))\]/gm)].map(([, terms = ""]) =>
      [...terms.matchAll(/\((\d+), (-?\d+)\)/g)].map(([, id = "", times = ""]) => ({
        id: Number(id),
        times,
      })),
    );
    const bases = Number(/bases := (\d+)/.exec(text)?.[1]);
    const about = { kind: "system", system: { bases, equations }, named: namedCaseIn(text) } as const;
    return { ...accepted, seen: { statement: "said", about } };
  });

  test("is taken against its case, which it names, and the case's units", async () => {
    const { code, out, notes } = await lean(certified, "check", path, "--against", newton);
    expect([code, notes]).toEqual([exitCodes.agrees, "a pre-check"]);
    expect(out).toMatch(/ {2}of the case [0-9a-f]{64}, by the names that the file gives/);
    expect(out).toContain(`it is about what ${newton} asks`);
  });

  test.each<[string, (text: string) => string, string]>([
    ["another hash", (text) => text.replace(/^-- case: ./m, "-- case: 0"), "/case"],
    ["other names", (text) => text.replace('-- names: ["', '-- names: ["un'), "/names"],
    ["no names", (text) => text.replace(/^-- names: .*\n/m, ""), "/case"],
    ["another equation", (text) => text.replace(/\((\d+), -1\)/, "($1, -2)"), "/system/equations"],
    ["a base less", (text) => text.replace(/bases := \d+/, "bases := 1"), "/system/bases"],
  ])("is refused with %s", async (_what, edit, pointer) => {
    const text = await readFile(path, "utf8");
    expect(edit(text)).not.toBe(text);
    const edited = join(folder, "edited.lean");
    await writeFile(edited, edit(text));
    expect(await lean(certified, "check", edited, "--against", newton)).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining(`lean/against at ${pointer}:`),
    });
  });

  test("is of no case of which nothing is refused, and of no trace", async () => {
    const graph = await written("square.json", square);
    for (const [against, words] of [
      [graph, "nothing is refused of the case"],
      [await written("trace.json", randomTrace(1, 0)), "schema/"],
    ] as const)
      expect(await lean(certified, "check", path, "--against", against)).toMatchObject({
        code: exitCodes.badInput,
        notes: expect.stringContaining(words),
      });
  });
});
