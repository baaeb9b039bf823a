import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  symbolic,
  type TermLaw,
} from "../../../reference/algebras/symbolic/index.ts";
import {
  backpropAllCtx,
  backpropSparse,
  backward,
  type Context,
  compile,
  type GraphData,
  type Tape,
  tensor,
} from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { type Algebra, InvariantError, nodeId, present } from "../../../spec/shapes/index.ts";
import { drawGraph } from "../graphs/index.ts";
import { meaningOf } from "../meaning.ts";
import type { Loop } from "./definition.ts";
import { realLoop } from "./executing.ts";

/** Generated graphs have no environment. */
const noEnvironment: ReadonlyMap<string, never> = new Map<string, never>();

/** A run has a graph over some scalars, inputs, a cotangent for every id, and the compiled tape. */
export interface Run<S> {
  readonly algebra: Algebra<S, unknown>;
  readonly graph: GraphData<S>;
  readonly inputs: Context<S>;
  readonly seed: Context<S>;
  readonly tape: Tape<S>;
}

/** This is a graph over terms, with unknown inputs and cotangents. */
export interface SymbolicRun extends Run<ScalarTerm> {
  readonly algebra: SymbolicAlgebra;
}

/** Draws a graph of that many scalar nodes with products, quotients and sines. */
export function scalarGraph(nodes: number): PrimitiveGraph {
  return drawGraph(nodes, { nodes, inputs: 3, shapes: [[]], isTranscendental: true });
}

/** Compiles a graph over an algebra; inputs are scalars `x_0_0`, …, cotangents `seed_0_0`, …. */
export function runOver<S, B>(
  program: PrimitiveGraph,
  algebra: Algebra<S, B>,
  scalar: (name: string) => S,
): Run<S> {
  const graph = meaningOf(program, algebra);
  const named = (name: string) => (shape: readonly number[], id: number) =>
    tensor(shape, (position) => scalar(`${name}_${id}_${position}`));
  const inputs = program.inputs.map(({ shape }, id) => named("x")(shape, id));
  const seed = shapesOf(program).map(named("seed"));
  const compiled = compile(algebra.additive, graph, inputs, noEnvironment, "sparse");
  if (!compiled.ok) throw new InvariantError(compiled.error.message);
  return { algebra, graph, inputs, seed, tape: compiled.value.tape };
}

/** Compiles a graph over terms that only the given laws simplify. */
export function symbolicRun(program: PrimitiveGraph, laws: readonly TermLaw[]): SymbolicRun {
  const algebra = symbolic(laws);
  return { ...runOver(program, algebra, algebra.variable), algebra };
}

/** Runs a dense loop on the tape and returns all slots. */
export function loopTerms<S>({ algebra, tape, seed }: Run<S>, loop: Loop = realLoop): readonly S[] {
  const grads = loop(algebra.additive, tape, seed);
  if (!grads.ok) throw new InvariantError(grads.error.message);
  return grads.value.flatMap(({ data }) => data);
}

/** Runs `backpropAllCtx` on the graph and returns all slots. */
export function graphTerms<S>({ algebra, graph, inputs, seed }: Run<S>): readonly S[] {
  return backpropAllCtx(algebra.additive, graph, inputs, noEnvironment, seed).flatMap(({ data }) => data);
}

/** Runs the sparse loops of tape and graph from the last id, and pairs the terms of each id that has one. */
export function sparseTerms(
  run: SymbolicRun,
): readonly (readonly [ScalarTerm | undefined, ScalarTerm | undefined])[] {
  const { algebra, graph, inputs, seed, tape } = run;
  const last = nodeId(tape.length - 1);
  const output = present(seed[last], "the last seed");
  const ofTape = backward(algebra.additive, tape, last, output);
  if (!ofTape.ok) throw new InvariantError(ofTape.error.message);
  const ofGraph = backpropSparse(algebra.additive, graph, inputs, noEnvironment, new Map([[last, output]]));
  const ids = [...new Set([...ofTape.value.keys(), ...ofGraph.keys()])].map(nodeId);
  return ids.map((id) => [ofTape.value.get(id)?.data[0], ofGraph.get(id)?.data[0]]);
}

/** Tells whether a dense loop's terms are `backpropAllCtx`'s, each the same object under `laws`. */
export function isGraphsTerms(
  program: PrimitiveGraph,
  laws: readonly TermLaw[],
  loop: Loop = realLoop,
): boolean {
  const run = symbolicRun(program, laws);
  const wanted = graphTerms(run);
  return loopTerms(run, loop).every((term, index) => term === wanted[index]);
}

/** Finds sums that add a zero from the right, each with what it is added to. */
export function paddedIn(
  terms: readonly ScalarTerm[],
): readonly { readonly whole: ScalarTerm; readonly part: ScalarTerm }[] {
  return subterms(terms).flatMap((term) => {
    const [x, y] = term.kind === "application" && term.operator === "add" ? term.operands : [];
    return term.kind === "application" && x !== undefined && y?.kind === "literal" && y.value === 0
      ? [{ whole: term, part: x }]
      : [];
  });
}
