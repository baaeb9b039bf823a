import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { admit, referenceStandard, runReference, type Truth, truthOf } from "../../oracle/index.ts";
import { float64 } from "../../reference/package.ts";
import {
  type ComponentSet,
  type ComponentsAt,
  checkVector,
  type Graph,
  idCount,
  type NodeId,
  nodeId,
  parseFloat64,
  present,
  type Shape,
  shapesOf,
  sizeOf,
  type VectorJson,
} from "../../spec/index.ts";
import { type Assignment, Faults, type TextDocument, tensorOf } from "../../spec/text/index.ts";
import { catalogue, rooms, shownBelowGraphs } from "./catalogue.ts";
import { chosen } from "./derived.ts";
import { mannersSuites } from "./manners_suites.ts";
import { stateSuites } from "./state_suites.ts";
import { documentsOf, suiteVectors } from "./suite.ts";

const vectors = suiteVectors();
const documents = documentsOf("adjudge.vector.v1");

describe("the catalogue", () => {
  const ofGraphs = new Set([...vectors.values()].flatMap(({ defects }) => defects));
  const ofPrograms = new Set(
    Object.values(stateSuites).flatMap((list) => list.flatMap(({ defects = [] }) => defects)),
  );
  const ofTapes = new Set(
    Object.values(mannersSuites).flatMap((list) => list.flatMap(({ defects = [] }) => defects)),
  );
  const shown = new Set([...ofGraphs, ...ofPrograms, ...ofTapes]);

  test("has lost none of its 173 entries", () => {
    expect(catalogue.size).toBe(173);
    for (const { id, title, class: family, kind, links } of catalogue.values()) {
      expect([id, /^[A-HNPQ][0-9]{2,3}$/.test(id), title !== "", family !== ""]).toEqual([
        id,
        true,
        true,
        true,
      ]);
      expect(["bug", "convention", "robustness", "oracle"]).toContain(kind);
      expect([id, links.length > 0 && links.every((link) => link.startsWith("https://"))]).toEqual([
        id,
        true,
      ]);
    }
  });

  test("shows every entry by a vector or names the room that will", () => {
    const byRoom: Readonly<Record<string, ReadonlySet<string>>> = {
      vectors: ofGraphs,
      state: ofPrograms,
      tapes: ofTapes,
    };
    for (const { id, room } of catalogue.values()) {
      expect([id, Object.hasOwn(rooms, room)]).toEqual([id, true]);
      expect([id, shown.has(id)]).toEqual([id, byRoom[room]?.has(id) ?? false]);
      expect([id, room, byRoom[room]?.has(id) ?? true]).toEqual([id, room, true]);
    }
  });

  test("names what shows the entries that lie below graphs", () => {
    const below = [...catalogue.values()].filter(({ room }) => room === "numerics").map(({ id }) => id);
    expect(Object.keys(shownBelowGraphs).toSorted()).toEqual(below.toSorted());
    const laws = readFileSync(
      new URL("../../reference/numerics/storage/storage.test.ts", import.meta.url),
      "utf8",
    );
    for (const words of Object.values(shownBelowGraphs)) {
      const [, planted] = words.split("a codec that ");
      expect([words, planted === undefined || laws.includes(`"${planted}": {`)]).toEqual([words, true]);
    }
  });

  test("knows every entry that a vector names", () => {
    expect([...shown].filter((id) => !catalogue.has(id))).toEqual([]);
  });
});

describe("the vectors", () => {
  test("are well over a hundred, with distinct paths and ids", () => {
    expect(documents.length).toBeGreaterThan(100);
    expect(vectors.size).toBe(documents.length);
    // Findings may repeat: two engines may have the same fault at the same point.
    const own = [...vectors].filter(([path]) => !path.startsWith("findings/"));
    expect(new Set(own.map(([, { id }]) => id)).size).toBe(own.length);
  });

  test.each([...vectors])("%s is well-formed, and small", (path, vector) => {
    expect(checkVector(vector)).toMatchObject({ ok: true });
    const isLong =
      /^sizes\/(twelve_inputs|three_hundred_nodes)$/.test(path) || vector.note.includes("chain of 200");
    if (!isLong) expect(vector.graph.nodes.length).toBeLessThanOrEqual(12);
  });

  test.each([...vectors])("%s has sets that admit what the reference computes", (_, vector) => {
    const question = wellFormed(vector);
    const run = runReference(question.case, float64);
    const truth = truthOf(question.case, referenceStandard("float64"));
    for (const { at, answers, bounds } of parts(vector, run, truth)) {
      for (const [i, set] of at.sets.entries()) {
        expect(admit(set, answers[i] ?? 0, bounds[i] ?? 0)).not.toBe("outside");
      }
    }
  });

  test("have cotangents that differ from each other and from 1, except in findings and strength", () => {
    const asFound = /^(findings|strength)\//;
    const plain = [...vectors].filter(
      ([path, { flags }]) => !asFound.test(path) && !flags.includes("generic_cotangent"),
    );
    expect(plain.map(([path]) => path)).toEqual([]);
  });

  test("have sets that exclude a number beside them", () => {
    let told = 0;
    for (const vector of vectors.values()) {
      const truth = truthOf(wellFormed(vector).case, referenceStandard("float64"));
      for (const { at, sets, bounds } of cotangents(vector, truth)) {
        expect(at.sets).toBe(sets);
        for (const [i, set] of sets.entries()) {
          if (set.kind !== "exact" || !Number.isFinite(bounds[i])) continue;
          told++;
          expect(admit(set, Number.NaN, bounds[i] ?? 0)).toBe("outside");
        }
      }
    }
    expect(told).toBeGreaterThan(200);
  });
});

describe("reported numbers", () => {
  const reported = documents.filter(([, { clauses }]) =>
    clauses.some(({ head }) => head.text === "reported"),
  );

  test("are there", () => {
    expect(reported.length).toBeGreaterThan(80);
  });

  test.each(
    reported,
  )("%s: the truth holds the right gradient, and not the wrong one that was reported", (path, document) => {
    const [right, wrong] = [verdicts(path, document, "right"), verdicts(path, document, "wrong")];
    expect(right).not.toContain("outside");
    expect(right).not.toContain("undecided");
    expect([...right, ...wrong]).not.toEqual([]);
    if (wrong.length > 0) expect(wrong).toContain("outside");
  });
});

describe("policies", () => {
  const chosen = documents.flatMap(([path, { choices }]) =>
    choices === undefined ? [] : [[path, choices] as const],
  );

  test("are there", () => {
    expect(chosen.length).toBeGreaterThan(5);
  });

  test.each(chosen)("%s: every choice is right, and they differ", (path, choices) => {
    const vector = present(vectors.get(path), path);
    expect([...choices.keys()]).toEqual(vector.policy?.choices);
    const answers = [...choices.values()].map((graph) => answersOf(vector, graph));
    for (const list of answers) {
      for (const [i, { sets }] of vector.expected.cotangents.entries()) {
        for (const [element, set] of sets.entries()) {
          expect(admit(set, list[i]?.[element] ?? 0, 0)).toBe("within");
        }
      }
    }
    expect(
      new Set(answers.map((list) => JSON.stringify(list.map((data) => [...data].map(String))))).size,
    ).toBe(answers.length);
  });

  test.each(chosen)("%s: more than twice the largest choice is outside of the truth", (path, choices) => {
    const vector = present(vectors.get(path), path);
    const sets = vector.expected.cotangents.flatMap((at) => at.sets);
    const finite = [...choices.values()]
      .flatMap((graph) => answersOf(vector, graph).flatMap((data) => [...data]))
      .filter(Number.isFinite);
    const far = 2 * Math.max(...finite.map(Math.abs)) + 1;
    expect(sets.map((set) => admit(set, far, 0))).not.toContain("within");
  });
});

function wellFormed(vector: VectorJson): Extract<ReturnType<typeof checkVector>, { ok: true }>["value"] {
  const checked = checkVector(vector);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

interface Part {
  readonly at: ComponentsAt;
  readonly sets: readonly ComponentSet[];
  readonly answers: readonly number[];
  readonly bounds: readonly number[];
}

function parts(vector: VectorJson, run: ReturnType<typeof runReference>, truth: Truth): Part[] {
  const part = (
    list: readonly ComponentsAt[],
    of: (id: NodeId) => Iterable<number>,
    bound: (id: NodeId) => readonly { readonly bound: number }[],
  ): Part[] =>
    list.map((at) => ({
      at,
      sets: at.sets,
      answers: [...of(nodeId(at.id))],
      bounds: bound(nodeId(at.id)).map((component) => component.bound),
    }));
  const { values, tangents, cotangents: pulled } = vector.expected;
  return [
    ...part(
      values,
      (id) => run.values[id]?.data ?? [],
      (id) => truth.value(id),
    ),
    ...part(
      tangents,
      (id) => run.tangents[id]?.data ?? [],
      (id) => truth.tangent(id),
    ),
    ...part(
      pulled,
      (id) => run.cotangents.get(id)?.data ?? zeros(vector, id),
      (id) => truth.cotangent(id),
    ),
  ];
}

function cotangents(vector: VectorJson, truth: Truth): Part[] {
  return vector.expected.cotangents.map((at) => ({
    at,
    sets: at.sets,
    answers: [],
    bounds: truth.cotangent(nodeId(at.id)).map(({ bound }) => bound),
  }));
}

function zeros({ graph }: VectorJson, id: NodeId): Float64Array {
  return new Float64Array(sizeOf(shapesOf(graph)[id] ?? []));
}

/** Judges reported gradients by the truth of the vector's question, seeded as those numbers were. */
function verdicts(path: string, { clauses }: TextDocument, word: "right" | "wrong"): string[] {
  const { case: plain, dtype } = wellFormed(present(vectors.get(path), path));
  const { inputs } = plain.graph;
  const shapes = shapesOf(plain.graph);
  const last = idCount(plain.graph) - 1;
  const reported = clauses.filter(({ head }) => head.text === "reported");
  const said = (what: string): readonly Assignment[] =>
    reported.flatMap(({ words, assignments }) => (words[0]?.text === what ? assignments : []));
  const ones = Array.from({ length: sizeOf(shapes[last] ?? []) }, () => 1);
  const [seed = ones] = said("seed").map((one) => numbersOf(one, shapes[last]));
  const cotangent = { shape: shapes[last] ?? [], data: Float64Array.from(seed) };
  const question = { ...plain, seeds: [{ id: nodeId(last), cotangent }] };
  const truth = truthOf(question, referenceStandard(dtype));
  return said(word).flatMap((one) => {
    const id = nodeId(inputs.findIndex((input) => input.name === one.name.text));
    const numbers = numbersOf(one, shapes[id]);
    return truth.cotangent(id).map((component, i) => component.judge(numbers[i] ?? Number.NaN));
  });
}

function numbersOf({ value }: Assignment, shape: Shape | undefined): readonly number[] {
  const json = tensorOf(value, present(shape, "a shape"), new Faults());
  if (json === undefined || !("data" in json)) throw new Error("no tensor");
  return json.data.map((x) => parseFloat64(String(x)) ?? Number.NaN);
}

/** Computes the inputs' cotangents by the graph of a choice. */
function answersOf(vector: VectorJson, graph: Graph): Float64Array[] {
  const question = chosen(wellFormed(vector).case, graph);
  const run = runReference(question, float64);
  return question.graph.inputs.map(
    ({ shape }, id) => run.cotangents.get(nodeId(id))?.data ?? new Float64Array(sizeOf(shape)),
  );
}
