import {
  countNodes,
  letTerm,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
  uninterpreted,
} from "../../../reference/algebras/symbolic/index.ts";
import {
  backwardDenseFrom,
  backwardDenseFromStep,
  type Contribution,
  type Tape,
  type Tensor,
} from "../../../reference/index.ts";
import {
  InvariantError,
  type Issue,
  nodeId,
  ok,
  present,
  type Result,
  type Semiring,
} from "../../../spec/shapes/index.ts";
import type { Execution, Model } from "../obligation.ts";
import { type Loop, peelLast } from "./definition.ts";

/** One id contributes to another. */
export interface Edge {
  readonly from: number;
  readonly to: number;
}

/** A solver's model gives a tape's number of nodes, and who contributes to whom. */
export interface Wiring {
  readonly size: number;
  readonly edges: readonly Edge[];
}

/** The definition, quadratic and recursive, takes too long for larger tapes. */
const MAXIMUM_SIZE = 500;

/** Reads a model's integer. Throws {@link InvariantError} where there is none. */
export function modelInteger(model: Model, term: string): number {
  const digits = /^(?:(\d+)|\(- (\d+)\))$/.exec(model.get(term) ?? "");
  const value = digits?.[1] === undefined ? -Number(digits?.[2]) : Number(digits[1]);
  if (!Number.isSafeInteger(value)) throw new InvariantError(`${term} is ${model.get(term)}, no integer`);
  return value;
}

/** Makes a tape where each node contributes to the one before and the first. Throws beyond a size. */
export function braid(size: number): Wiring {
  if (size < 1 || size > MAXIMUM_SIZE) throw new InvariantError(`a tape of ${size} nodes is not run`);
  const edges = Array.from({ length: size }, (_, from) => [
    ...(from > 0 ? [{ from, to: from - 1 }] : []),
    ...(from > 1 ? [{ from, to: 0 }] : []),
  ]);
  return { size, edges: edges.flat() };
}

/**
 * Makes the tape: node i contributes `slope_i_j · c` along its edges and zero to every other earlier id,
 * from id 0 on, like the dense emission of `compile`. Edges to ids that are not earlier come first.
 */
export function tapeOf<S>(
  a: Semiring<S>,
  { size, edges }: Wiring,
  slope: (from: number, to: number) => S,
): Tape<S> {
  const scalar = (x: S): Tensor<S> => ({ shape: [], data: [x] });
  return Array.from({ length: size }, (_, from) => {
    const targets = new Set(edges.filter((edge) => edge.from === from).map(({ to }) => to));
    const ids = [...[...targets].filter((to) => to >= from), ...Array.from({ length: from }, (_, to) => to)];
    return {
      name: `node ${from}`,
      value: scalar(a.zero),
      requiresGrad: true,
      parents: [...targets].map((to) => nodeId(to)),
      backward: ({ data }) =>
        ok(
          ids.map((to): Contribution<S> => {
            const c = present(data[0], "a scalar");
            return {
              parent: to,
              cotangent: scalar(targets.has(to) ? a.multiply(slope(from, to), c) : a.zero),
            };
          }),
        ),
    };
  });
}

/** This is the dense loop that runs. */
export const realLoop: Loop = backwardDenseFrom;

/** Another loop is planted, or edges that no tape may have. */
export interface Planted {
  readonly loop?: Loop;
  readonly edges?: readonly Edge[];
}

/**
 * Runs the real dense loop on the tape of a wiring, where it must be peel-last, and then with the planted
 * fault, where it must not be. Seeds and slopes are unknowns, and terms are equal only if they are the same,
 * so equality here holds whatever `+` and `×` mean.
 */
export function executeWiring(wiring: Wiring, planted: Planted): Execution {
  const right = compareLoop(wiring, realLoop);
  const edges = [...(planted.edges ?? []), ...wiring.edges];
  const wrong = compareLoop({ ...wiring, edges }, planted.loop ?? realLoop);
  const drawn = edges
    .slice(0, 8)
    .map(({ from, to }) => `${from}→${to}`)
    .join(" ");
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `${wiring.size} nodes, ${drawn}: the tape is peel-last ${right === undefined ? "everywhere" : `but ${right}`}; with the fault ${wrong ?? "too"}`,
  };
}

/** Runs the real step at a node that contributes to one earlier id: only that slot may change. */
export function executeStep(from: number, to: number): Execution {
  const a = symbolic();
  const wiring = { size: from + 1, edges: [{ from, to }] };
  const tape = tapeOf(a.operations, wiring, () => a.variable("slope"));
  const seed = unknownSeed(a, wiring.size);
  const grads = [...seed];
  const stepped = backwardDenseFromStep(a.additive, tape, grads, from);
  const isOwnKept = stepped.ok && grads[from] === seed[from];
  const [slot] = termsOf(ok(grads.slice(to, to + 1)));
  return {
    showsFault: to < from && isOwnKept && slot !== seed[to]?.data[0],
    told: `the step at ${from} leaves its own slot and makes slot ${to} ${told(slot)}`,
  };
}

/** Tells the first slot where a loop is not peel-last. */
function compareLoop(wiring: Wiring, loop: Loop): string | undefined {
  const a = symbolic();
  const tape = tapeOf(a.operations, wiring, (from, to) => a.variable(`slope_${from}_${to}`));
  const seed = Array.from({ length: wiring.size }, (_, id) => ({
    shape: [],
    data: [a.variable(`seed_${id}`)],
  }));
  const got = termsOf(loop(a.additive, tape, seed));
  const want = termsOf(peelLast(a.additive, tape, seed));
  const id = want.findIndex((term, index) => got[index] !== term);
  if (id < 0) return undefined;
  return `slot ${id} is ${told(got[id])} and not ${told(want[id])}`;
}

function unknownSeed(a: SymbolicAlgebra, size: number): readonly Tensor<ScalarTerm>[] {
  return Array.from({ length: size }, (_, id) => ({ shape: [], data: [a.variable(`seed_${id}`)] }));
}

function termsOf(result: Result<readonly Tensor<ScalarTerm>[], Issue>): readonly ScalarTerm[] {
  if (!result.ok) throw new InvariantError(result.error.message);
  return result.value.map(({ data }) => present(data[0], "a scalar"));
}

/** Shows a term, or how long it is. */
function told(term: ScalarTerm | undefined): string {
  if (term === undefined) return "missing";
  const nodes = countNodes([term]);
  return nodes > 12 ? `a term of ${nodes} nodes` : letTerm(term, uninterpreted);
}
