import { describe, expect, test } from "vitest";
import { expanding, interpreterEngine } from "../../../engines/index.ts";
import type { Case } from "../../../oracle/case/case.ts";
import { runReference } from "../../../oracle/case/reference_run.ts";
import { type CaseProfile, campaign, tensorProfile } from "../../../oracle/generate/index.ts";
import { judge } from "../../../oracle/judge/judge.ts";
import { float64 } from "../../../reference/package.ts";
import {
  type CompositeAttributes,
  type CompositeRows,
  composites,
  type NodeId,
  nodeId,
  present,
} from "../../../spec/index.ts";
import type { Numbers } from "./arrays.test.kit.ts";
import { judged, judgedTelling, truthUnder } from "./judging.test.kit.ts";
import { type Naive, naive, type ShapedName, shapedNames } from "./naive.test.kit.ts";
import { type Telling, tellings } from "./tellings.test.data.ts";
import { type WrongExpansions, wrongExpansions } from "./wrong.test.kit.ts";

const SEED = 11;

/** Cases of a few nodes of the operator, and of what matrices that can be factored are made of. */
const standardOf = (op: ShapedName): CaseProfile => ({
  ...tensorProfile,
  name: op,
  operators: [op, "constant", "add"],
  nodes: [1, 3],
});

/** The definition of the operator's first node, given float64 operands, and the truth about it. */
function judgedDrawn<K extends ShapedName>(rows: CompositeRows, op: K, question: Case): Set<string> {
  const { graph, point } = question;
  const index = graph.nodes.findIndex((node) => node.op === op);
  const node = graph.nodes[index];
  if (node === undefined || !isNodeOf(node, op)) return new Set();
  const { values } = runReference(question, float64);
  const operands = node.parents.map((id): Numbers => {
    const { shape, data } = present(values[id], "value of a parent");
    return { shape, data: [...data] };
  });
  const definition: Naive<CompositeAttributes[K]> = naive[op];
  const answer = definition(node.attributes, operands, (name) => [
    ...present(point.environment.get(name), "entry").data,
  ]);
  const truth = truthUnder(rows, question);
  const id = nodeId(graph.inputs.length + index);
  return judged(truth.value(id), present(truth.shapes[id], "shape"), answer);
}

function isNodeOf<K extends ShapedName>(
  node: { readonly op: string },
  op: K,
): node is {
  readonly op: K;
  readonly attributes: CompositeAttributes[K];
  readonly parents: readonly NodeId[];
} {
  return node.op === op;
}

/** Counts how often each judgement falls over the first cases of a campaign. */
function judgedCampaign(rows: CompositeRows, op: ShapedName, cases: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const question of campaign(standardOf(op), SEED, cases)) {
    for (const judgement of judgedDrawn(rows, op, question)) {
      counts.set(judgement, (counts.get(judgement) ?? 0) + 1);
    }
  }
  return counts;
}

const tellingsOf = (op: ShapedName): readonly Telling<unknown>[] => tellings[op];

/** Returns the table with one wrong row. Inside that row the operator means what it should. */
function rowsWith<K extends ShapedName>(op: K, name: string): CompositeRows {
  const own: WrongExpansions<CompositeAttributes[K]> = wrongExpansions[op];
  const right: CompositeRows[K] = composites[op];
  const wrong = present(own[name], "wrong expansion");
  let isInside = false;
  const expand: typeof wrong = (scope, attributes, ...operands) => {
    if (isInside) return right.expand(scope, attributes, ...operands);
    isInside = true;
    try {
      return wrong(scope, attributes, ...operands);
    } finally {
      isInside = false;
    }
  };
  return { ...composites, [op]: { ...right, expand } };
}

describe.each(shapedNames)("%s", (op) => {
  test("is what its definition says on random cases", () => {
    const counts = judgedCampaign(composites, op, 200);
    expect([...counts.keys()].filter((judgement) => judgement !== "undecided")).toEqual(["within"]);
    expect(counts.get("within")).toBeGreaterThan(30);
    expect(counts.get("undecided") ?? 0).toBeLessThan(10);
  });

  test.each(tellingsOf(op).map((telling) => [telling.why, telling] as const))("%s", (_why, telling) => {
    const { value, bars } = judgedTelling(composites, op, telling);
    expect([...value, ...bars].filter((judgement) => judgement !== "within")).toEqual([]);
  });

  test.each(Object.keys(wrongExpansions[op]))("is told from one that %s", (name) => {
    const rows = rowsWith(op, name);
    const told = tellingsOf(op).some((telling) => {
      const { value, bars } = judgedTelling(rows, op, telling);
      return [...value, ...bars].some((judgement) => judgement !== "within");
    });
    const drawn = told ? new Map<string, number>() : judgedCampaign(rows, op, 60);
    expect(told || drawn.has("outside") || drawn.has("shape")).toBe(true);
  });
});

test("the interpreter agrees with the truth on random graphs of these composites", async () => {
  const engine = expanding(interpreterEngine());
  const profile: CaseProfile = {
    ...tensorProfile,
    operators: ["constant", "add", "multiply", ...shapedNames],
    nodes: [1, 6],
  };
  const kinds = new Map<string, number>();
  for (const question of campaign(profile, SEED, 200)) {
    const { kind } = await judge(engine, question, { dtype: "float64" });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  expect([...kinds.keys()].filter((kind) => kind !== "undecided")).toEqual(["agrees"]);
  expect(kinds.get("agrees")).toBeGreaterThan(180);
});
