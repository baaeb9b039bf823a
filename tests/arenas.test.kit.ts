import fc from "fast-check";
import {
  type Case,
  type CaseProfile,
  caseArbitrary,
  exactProfile,
  restrict,
  tensorProfile,
} from "../oracle/index.ts";
import { filled, lawlessData, lawlessGraphs } from "../reference/lawless.test.kit.ts";
import {
  backpropAllCtx,
  backpropCtx,
  backpropSparse,
  backward,
  backwardDenseFrom,
  boolean,
  compile,
  contextShapes,
  dual,
  type Environment,
  type EnvironmentValue,
  evaluate,
  float32,
  float64,
  formal,
  type GraphData,
  integer,
  interpret,
  jvpCtx,
  modular,
  rational,
  type Tensor,
} from "../reference/package.ts";
import {
  type Algebra,
  expand,
  type FlatTensor,
  formatFloat64,
  type NodeId,
  nodeId,
  present,
  primitiveNames,
  primitives,
  type Semiring,
} from "../spec/index.ts";
import type { Implementation, Question, Theorem } from "./theorems.test.kit.ts";

const SEED = 2024;

/** The reference itself. */
export const reference: Implementation = {
  evaluate,
  jvpCtx,
  backpropAllCtx,
  backpropCtx,
  backpropSparse,
  compile,
  backwardDenseFrom,
  backward,
};

/** The reference with a fault: in a function, or in the nodes of every graph. */
export interface Planted {
  readonly implementation: Implementation;
  graph<S>(algebra: Semiring<S>, graph: GraphData<S>): GraphData<S>;
}

const nothingPlanted: Planted = { implementation: reference, graph: (_algebra, graph) => graph };

/** An algebra with questions over it: where theorems are tried, whatever the scalars are. */
export interface Arena {
  readonly name: string;
  /** Tries a theorem on random questions, of the reference or of a faulty one. */
  tries(theorem: Theorem, runs: number, planted?: Planted): Outcome;
}

/** The tries of a theorem have this outcome. */
export interface Outcome {
  readonly failed: boolean;
  /** The theorem came out false. Exceptions, and premises that rarely hold, fail but refute nothing. */
  readonly isRefuted: boolean;
  /** The report tells it in words, with the seed that replays it. */
  readonly report: string;
}

/** Runs a property from the one seed. A planted fault's counterexample is not shrunk: nobody reads it. */
export function outcomeOf<T>(property: fc.IProperty<T>, runs: number, isPlanted: boolean): Outcome {
  const details = fc.check(property, { seed: SEED, numRuns: runs, endOnFailure: isPlanted });
  return {
    failed: details.failed,
    isRefuted: String(details.errorInstance).includes("returning false"),
    report: fc.defaultReportMessage(details) ?? "",
  };
}

/** An arbitrary that is drawn from one seed again and again: what it gave is kept, in order. */
class Redrawn<T> extends fc.Arbitrary<T> {
  readonly #drawn: fc.Value<T>[] = [];
  readonly #arbitrary: fc.Arbitrary<T>;
  #next = 0;

  constructor(arbitrary: fc.Arbitrary<T>) {
    super();
    this.#arbitrary = arbitrary;
  }

  restart(): this {
    this.#next = 0;
    return this;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    const place = this.#next++;
    this.#drawn[place] ??= this.#arbitrary.generate(random, bias);
    return this.#drawn[place];
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }
}

function arena<T extends object, S, B>(
  name: string,
  recipes: fc.Arbitrary<T>,
  ask: (recipe: T) => Question<S, B>,
): Arena {
  const redrawn = new Redrawn(recipes);
  const asked = new WeakMap<T, Question<S, B>>();
  const questionOf = (recipe: T): Question<S, B> => {
    const question = asked.get(recipe) ?? ask(recipe);
    asked.set(recipe, question);
    return question;
  };
  return {
    name,
    tries: (theorem, runs, planted = nothingPlanted) =>
      outcomeOf(
        fc.property(redrawn.restart(), (recipe) => {
          const question = questionOf(recipe);
          const { implementation, graph } = planted;
          const holds = theorem(implementation, {
            ...question,
            graph: graph(question.semiring, question.graph),
          });
          fc.pre(holds !== undefined);
          return holds;
        }),
        runs,
        planted !== nothingPlanted,
      ),
  };
}

/** Cotangents and tangents: none is ±1 or another's negative, so that what is forgotten or swapped shows. */
const generic: readonly number[] = [3, -5, 7, -11, 13, -17, 19, -23, 29, -31, 37];

/** The bits of a float tell an order and a forgotten zero among these numbers. */
const telling: readonly number[] = [
  ...[-0, 0.1, 3, -0, 1 / 3, -5, 0, 1e16, 2 ** -1074, -7],
  ...[Number.POSITIVE_INFINITY, -0, 11, 1e308, Number.NaN, -1e-310, 13],
];

function nonEmpty<S>(elements: readonly S[]): readonly [S, ...S[]] {
  const [first, ...rest] = elements;
  return [present(first, "an element"), ...rest];
}

/** Returns a case of the oracle's generator as a question over an algebra; `read` reads a double there. */
export function questionOf<S, B>(
  algebra: Algebra<S, B>,
  read: (x: number) => S,
  numbers: readonly number[],
  { graph: program, point, tangents, seeds }: Case,
): Question<S, B> {
  const tensorOf = ({ shape, data }: FlatTensor): Tensor<S> => ({ shape, data: [...data].map(read) });
  const entries = program.environment.map(({ name, kind, shape }): [string, EnvironmentValue<S>] => {
    const flat = present(point.environment.get(name), "an entry of Δ");
    return [
      name,
      kind === "real" ? { kind, tensor: tensorOf(flat) } : { kind, shape, indices: [...flat.data] },
    ];
  });
  const environment: Environment<S> = new Map(entries);
  const graph = interpret(expand(program).graph, algebra);
  if (!graph.ok) throw new Error(`${algebra.name} offers too little`);
  const elements = nonEmpty(numbers.map(read));
  const shapes = contextShapes(graph.value);
  return {
    algebra,
    semiring: present(algebra.levels.semiring, "a semiring"),
    graph: graph.value,
    program,
    environment,
    x: point.inputs.map(tensorOf),
    dx: tangents.map(tensorOf),
    seed: filled(shapes, elements, program.nodes.length),
    tangents: filled(shapes, elements, 5),
    seeds: new Map(seeds.map(({ id, cotangent }): [NodeId, Tensor<S>] => [id, tensorOf(cotangent)])),
  };
}

/** Makes an arena of graphs of operators over an algebra. */
function programs<S, B>(
  algebra: Algebra<S, B>,
  profile: CaseProfile,
  read: (x: number) => S = (x) => present(algebra.parse(formatFloat64(x)), "a number"),
  numbers: readonly number[] = generic,
): Arena {
  return arena(algebra.name, caseArbitrary(profile), (question) =>
    questionOf(algebra, read, numbers, question),
  );
}

/** Makes an arena of graph data whose nodes obey no law, over an algebra. */
function lawless<S, B>(
  algebra: Algebra<S, B>,
  read: (x: number) => S = (x) => present(algebra.parse(formatFloat64(x)), "a number"),
  numbers: readonly number[] = generic,
): Arena {
  const semiring = present(algebra.levels.semiring, "a semiring");
  const elements = nonEmpty(numbers.map(read));
  const recipes = fc.record({ graph: lawlessGraphs, start: fc.nat(numbers.length - 1) });
  return arena(algebra.name, recipes, ({ graph: recipe, start }) => {
    const graph = lawlessData(semiring, recipe);
    const shapes = contextShapes(graph);
    const seed = filled(shapes, elements, start + 3);
    return {
      algebra,
      semiring,
      graph,
      program: undefined,
      environment: new Map(),
      x: filled(graph.inputs, elements, start),
      dx: filled(graph.inputs, elements, start + 1),
      seed,
      tangents: filled(shapes, elements, start + 2),
      seeds: new Map(seed.slice(-1).map((c): [NodeId, Tensor<S>] => [nodeId(seed.length - 1), c])),
    };
  });
}

const withoutDivision = restrict(
  exactProfile,
  primitiveNames.filter((name) => !["field", "orderedField"].includes(primitives[name].needs)),
);

const dualModular = dual(modular);

/** Returns a double as a dual number with a tangent of its own. */
function dualResidue(x: number): { x: bigint; xDot: bigint } {
  const residue = (y: number): bigint => present(modular.parse(formatFloat64(y)), "a number");
  return { x: residue(x), xDot: residue(3 * x + 2) };
}

/** In these arenas `+` and `×` are exact and commute: the laws hold to equality. */
export const exactArenas: readonly Arena[] = [
  programs(integer, withoutDivision, (x) => BigInt(Math.round(8 * x))),
  programs(rational, exactProfile),
  programs(modular, exactProfile),
  programs(formal, tensorProfile),
  programs(dualModular, exactProfile, dualResidue),
  programs(boolean, tensorProfile),
];

/** In these arenas rounding makes the order of every addition show. */
export const floatArenas: readonly Arena[] = [
  programs(float64, tensorProfile, (x) => x, telling),
  programs(float32, tensorProfile, Math.fround, telling),
];

/** Graph data: `+` and an order of accumulation are all there is. */
export const lawlessArenas: readonly Arena[] = [
  lawless(integer, BigInt),
  lawless(rational),
  lawless(modular),
  lawless(dualModular, dualResidue),
  lawless(boolean),
  lawless(float64, (x) => x, telling),
  lawless(float32, Math.fround, telling),
];
