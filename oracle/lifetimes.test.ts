import { describe, expect, test } from "vitest";
import {
  type ArenaRun,
  addTensors,
  backpropSparse,
  type Context,
  entry,
  evaluate,
  float64,
  type GraphData,
  greatestNeed,
  interpret,
  type Lifetime,
  type LifetimeOptions,
  type Lifetimes,
  lifetimes,
  MOST_SEARCHED,
  type NodeNeeds,
  optimalPlan,
  planBySize,
  planFaults,
  planInTime,
  rational,
  runInArena,
  type SparseContext,
  type StoragePlan,
  type Tensor,
} from "../reference/package.ts";
import {
  type Algebra,
  at,
  entriesNamedBy,
  type Issue,
  keptFor,
  type NodeId,
  type NodeOf,
  needsOf,
  nodeId,
  type PrimitiveGraph,
  type PrimitiveName,
  present,
  primitives,
  type Result,
  type RuleGraph,
  type Shape,
  shapesOf,
} from "../spec/index.ts";
import { allIds, inputIds, type Posed, posed, succeeded } from "./derivatives.test.kit.ts";
import { type CaseProfile, caseAt, exactProfile, profiles, tensorProfile } from "./generate/index.ts";

const SEED = 31;

/** An arranged run says what is asked of a case, and which values live when. */
interface Arranged<S> extends Posed<S> {
  readonly lifetimes: Lifetimes;
}

type Ask<S> = (posed: Posed<S>, index: number) => { readonly wrt: readonly NodeId[] } & LifetimeOptions;

/** Asks for cotangents of the inputs, as training does, or of every third id, or of all and Δ. */
const asked: Ask<unknown> = ({ graph }, index) => {
  if (index % 3 === 0) return { wrt: inputIds(graph) };
  const wrt = index % 3 === 1 ? allIds(graph).filter((id) => id % 3 === index % 2) : allIds(graph);
  return { wrt, countsGiven: true };
};

function arranged<S, B>(algebra: Algebra<S, B>, profile: CaseProfile, index: number): Arranged<S> {
  const question = posed(algebra, caseAt(profile, SEED, index));
  const { wrt, ...options } = asked(question, index);
  const of = [...question.seeds.keys()];
  return { ...question, lifetimes: succeeded(lifetimes(question.graph, { of, wrt }, options)) };
}

function ran<S, B>(
  algebra: Algebra<S, B>,
  { graph, x, environment, seeds, lifetimes: lives }: Arranged<S>,
  plan: StoragePlan,
): Result<ArenaRun<S>, Issue[]> {
  return runInArena(algebra, graph, lives, plan, { x, environment, seed: seeds });
}

/** Returns a node's rule, a graph of `spec/derivatives/`. */
function ruleOf<K extends PrimitiveName>(
  node: NodeOf<K>,
  graph: PrimitiveGraph,
  operands: readonly Shape[],
  value: Shape,
): RuleGraph {
  const declared = new Map(graph.environment.map((declaration) => [declaration.name, declaration]));
  return needsOf(node, { operands, value }, entriesNamedBy(node, declared));
}

/** Lists the rule of every node. */
function rulesOf(graph: PrimitiveGraph): RuleGraph[] {
  const shapes = shapesOf(graph);
  return graph.nodes.map((node, index) =>
    ruleOf(
      node,
      graph,
      node.parents.map((id) => at(shapes, id)),
      at(shapes, graph.inputs.length + index),
    ),
  );
}

/** Interprets a graph with the cotangent rules of `spec/derivatives/`, each given all operands. */
function ruled<S, B>(algebra: Algebra<S, B>, graph: PrimitiveGraph): GraphData<S> {
  const { inputs, nodes } = succeeded(interpret(graph, algebra));
  const rules = rulesOf(graph);
  return {
    inputs,
    nodes: nodes.map((node, index) => ({
      ...node,
      vjp: (context, environment, c) => {
        const given = [...node.reads, nodeId(inputs.length + index)].map((id) => entry(context, id));
        const bars = new Map<NodeId, Tensor<S>>();
        for (const [place, parent] of node.reads.entries()) {
          const pull = rules[index]?.pulls[place];
          if (pull === undefined) continue;
          const meaning = succeeded(interpret(pull.graph, algebra));
          const bar = entry(evaluate(meaning, [...given, c], environment), at(pull.results, 0));
          const other = bars.get(parent);
          bars.set(parent, other === undefined ? bar : addTensors(algebra.additive, other, bar));
        }
        return bars;
      },
    })),
  };
}

/** Counts the elements in which two lists of wanted cotangents differ; what is in neither is 0 in both. */
function differences<S>(
  isSame: (a: S, b: S) => boolean,
  zero: S,
  ids: readonly NodeId[],
  a: SparseContext<S>,
  b: SparseContext<S>,
): number {
  const count = (id: NodeId): number => {
    const [x, y] = [a.get(id), b.get(id)];
    const size = x?.data.length ?? y?.data.length ?? 0;
    return Array.from({ length: size }, (_, i) => i).filter(
      (i) =>
        !isSame(
          x === undefined ? zero : present(x.data[i], "an element"),
          y === undefined ? zero : present(y.data[i], "an element"),
        ),
    ).length;
  };
  return ids.reduce((total, id) => total + count(id), 0);
}

function sparse<S>(values: Context<S>): SparseContext<S> {
  return new Map(values.map((value, id) => [nodeId(id), value]));
}

/** Counts where a run in an arena differs from the sweep, by the same rules and by the reference's. */
function wrongIn<S, B>(algebra: Algebra<S, B>, question: Arranged<S>, plan: StoragePlan): number {
  const { graph, x, environment, seeds } = question;
  const { results, cotangents } = succeeded(ran(algebra, question, plan));
  const { of, wrt } = question.lifetimes.wanted;
  const { additive } = algebra;
  const own = succeeded(interpret(graph, algebra));
  const values = sparse(evaluate(own, x, environment));
  const sweep = backpropSparse(additive, own, x, environment, seeds);
  const byRules = backpropSparse(additive, ruled(algebra, graph), x, environment, seeds);
  const unsigned = (a: S, b: S): boolean =>
    algebra.isSame(additive.add(a, additive.zero), additive.add(b, additive.zero));
  const { zero } = additive;
  return (
    differences<S>(algebra.isSame, zero, of, results, values) +
    differences<S>(algebra.isSame, zero, wrt, cotangents, byRules) +
    differences<S>(unsigned, zero, wrt, cotangents, sweep)
  );
}

const planners = { planInTime, planBySize, optimum: (lives: readonly Lifetime[]) => optimalPlan(lives).plan };

/** Lists the plans of a run; the exact planner joins where there are few values. */
function plansOf({ values }: Lifetimes): readonly (readonly [string, StoragePlan])[] {
  return Object.entries(planners).flatMap(([name, plan]): (readonly [string, StoragePlan])[] =>
    name === "optimum" && values.length > MOST_SEARCHED ? [] : [[name, plan(values)]],
  );
}

const drawn = ["tensor", "pair", "nested", "network", "arranging", "windows", "ranks", "crowd", "edges"].map(
  (name) => present(profiles.get(name), name),
);

describe("a run in the planned arena, with freed memory poisoned", () => {
  test.each(drawn)("gives what the sweep gives, to the bit: $name", (profile) => {
    for (let index = 0; index < 24; index++) {
      const question = arranged(float64, profile, index);
      for (const [name, plan] of plansOf(question.lifetimes)) {
        expect(planFaults(question.lifetimes.values, plan)).toEqual([]);
        expect(plan.peak).toBeGreaterThanOrEqual(greatestNeed(question.lifetimes.values).elements);
        expect([index, name, wrongIn(float64, question, plan)]).toEqual([index, name, 0]);
      }
    }
  });

  test("gives what the sweep gives over the rationals", () => {
    for (let index = 0; index < 24; index++) {
      const question = arranged(rational, exactProfile, index);
      expect(wrongIn(rational, question, planInTime(question.lifetimes.values))).toBe(0);
    }
  });

  test("needs far less than all values together", () => {
    let [all, peak] = [0, 0];
    for (let index = 0; index < 60; index += 3) {
      const { values } = arranged(float64, present(profiles.get("chain"), "chain"), index).lifetimes;
      all += values.reduce((sum, { elements }) => sum + elements, 0);
      peak += planInTime(values).peak;
    }
    expect(peak / all).toBeLessThan(0.5);
  });
});

/** Draws the cases in which faults are planted. */
function* questions(count: number): Iterable<Arranged<number>> {
  for (let index = 0; index < count; index++) yield arranged(float64, tensorProfile, index);
}

/** Changes one of the lifetimes. */
function changed(lives: Lifetimes, n: number, change: Partial<Lifetime>): Lifetimes {
  return {
    ...lives,
    values: lives.values.map((value, m) => (m === n ? Object.assign({ ...value }, change) : value)),
  };
}

describe("told by running in the arena is", () => {
  test("every interval that ends or begins a step too near, so that none can be shorter", () => {
    let planted = 0;
    for (const question of questions(24)) {
      const { values } = question.lifetimes;
      const plan = planInTime(values);
      for (const [n, { born, last }] of values.entries()) {
        if (last === born || at(values, n).elements === 0) continue;
        const early = changed(question.lifetimes, n, { last: last - 1 });
        const late = changed(question.lifetimes, n, { born: born + 1 });
        planted += 2;
        const told = [early, late].map((lives) => ran(float64, { ...question, lifetimes: lives }, plan));
        expect(told.map((run) => (run.ok ? "nothing" : run.error[0]?.code))).toEqual([
          "arena/freed",
          "arena/unborn",
        ]);
      }
    }
    expect(planted).toBeGreaterThan(300);
  });

  test("every need that is dropped, if something else does not keep its value", () => {
    let planted = 0;
    for (const question of questions(40)) {
      const { graph, lifetimes: right } = question;
      const needs = rulesOf(graph).map(
        (rule): NodeNeeds => rule.needs.map((need) => need && { ...need, entries: [] }),
      );
      for (const wrong of needs.flatMap((_, index) => droppedAt(needs, index))) {
        const options = { needs: wrong, countsGiven: false };
        const lives = succeeded(lifetimes(graph, right.wanted, options));
        const honest = succeeded(lifetimes(graph, right.wanted, { countsGiven: false }));
        const isShorter = lives.values.some(
          ({ last, elements }, n) => elements > 0 && last < at(honest.values, n).last,
        );
        if (!isShorter) continue;
        planted += 1;
        const told = ran(float64, { ...question, lifetimes: lives }, planInTime(lives.values));
        expect(told).toMatchObject({
          ok: false,
          error: [{ code: expect.stringMatching(/^arena\/(freed|foreign)$/) }],
        });
      }
    }
    expect(planted).toBeGreaterThan(40);
  });

  test("every result in the place of an operand that its own rule reads, by the check of plans too", () => {
    let planted = 0;
    for (const question of questions(60)) {
      const { graph, lifetimes: lives } = question;
      const plan = planInTime(lives.values);
      const blockOf = new Map(
        lives.values.flatMap((v, n) => (v.kind === "primal" ? [[v.id, n] as const] : [])),
      );
      for (const [index, rule] of rulesOf(graph).entries()) {
        const { op, parents } = at(graph.nodes, index);
        if (primitives[op].isElementwise !== true) continue;
        const id = nodeId(graph.inputs.length + index);
        for (const place of keptFor(rule.needs).operands) {
          const [from, to] = [blockOf.get(at(parents, place)), blockOf.get(id)];
          const operand = from === undefined ? undefined : lives.values[from];
          if (operand?.kind !== "primal" || to === undefined || operand.elements === 0) continue;
          if (!operand.neededBy.includes(id) || operand.elements !== lives.values[to]?.elements) continue;
          planted += 1;
          const offsets = plan.offsets.map((offset, n) => (n === to ? at(plan.offsets, from ?? 0) : offset));
          expect(planFaults(lives.values, { ...plan, offsets })).not.toEqual([]);
          expect(ran(float64, question, { ...plan, offsets })).toMatchObject({
            ok: false,
            error: [{ code: expect.stringMatching(/^arena\/(freed|foreign)$/) }],
          });
        }
      }
    }
    expect(planted).toBeGreaterThan(15);
  });

  test("every two values in one place that are both there for more than a step, by the check of plans too", () => {
    let planted = 0;
    for (const question of questions(12)) {
      const { values } = question.lifetimes;
      const plan = planInTime(values);
      for (const [n, a] of values.entries()) {
        for (const [m, b] of values.entries()) {
          const isLong = Math.min(a.last, b.last) > Math.max(a.born, b.born);
          if (n === m || !isLong || a.elements === 0 || b.elements === 0) continue;
          planted += 1;
          const offsets = plan.offsets.map((offset, k) => (k === m ? at(plan.offsets, n) : offset));
          const moved = { offsets, peak: plan.peak + b.elements };
          expect(planFaults(values, moved)).not.toEqual([]);
          expect(ran(float64, question, moved)).toMatchObject({ ok: false });
        }
      }
    }
    expect(planted).toBeGreaterThan(300);
  });

  test("a place beyond the end, and a plan of something else", () => {
    const [question] = questions(1);
    const run = present(question, "a question");
    const plan = planInTime(run.lifetimes.values);
    expect(ran(float64, run, { ...plan, peak: plan.peak - 1 })).toMatchObject({
      ok: false,
      error: [{ code: "arena/outside" }],
    });
    expect(ran(float64, run, { ...plan, offsets: plan.offsets.slice(1) })).toMatchObject({
      ok: false,
      error: [{ code: "arena/plan" }],
    });
  });
});

/** Drops each need of one node in turn. */
function droppedAt(needs: readonly NodeNeeds[], index: number): NodeNeeds[][] {
  const own = at(needs, index);
  return own.flatMap((need, place) => {
    if (need === undefined) return [];
    const fewer = [
      ...need.operands.map((dropped) => ({ ...need, operands: need.operands.filter((o) => o !== dropped) })),
      ...(need.value ? [{ ...need, value: false }] : []),
    ];
    return fewer.map((less) =>
      needs.map((node, n) => (n === index ? own.map((other, p) => (p === place ? less : other)) : node)),
    );
  });
}
