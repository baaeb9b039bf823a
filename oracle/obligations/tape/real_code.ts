import {
  backpropAllCtx,
  backpropSparse,
  backward,
  type Context,
  compile,
  declarationsOf,
  definitionsOf,
  type GraphData,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  symbolic,
  type Tape,
  type TermLaw,
  tensor,
  uninterpreted,
  writeTerms,
} from "../../../reference/index.ts";
import { InvariantError, nodeId, type PrimitiveGraph, present, shapesOf } from "../../../spec/index.ts";
import { drawGraph } from "../graphs/index.ts";
import { meaningOf } from "../meaning.ts";
import type { Execution, Obligation, ObligationMutant } from "../obligation.ts";
import type { Loop } from "./definition.ts";
import { realLoop } from "./executing.ts";
import { ascending, clearing, lastIdLast, overwriting, reversedAddition, seedless } from "./wrong_loops.ts";

/*
 * The steps of the tape theorem are about a model of the loops. Here the loops that run are run on unknowns: what they compute is written down operation by operation, and
 * the tape's terms must be those of `backpropAllCtx`.
 */

/** Δ of the generated graphs. */
const noEnvironment: ReadonlyMap<string, never> = new Map<string, never>();

/** A graph over terms: its values at unknown inputs, an unknown cotangent for every id, and the tape it compiles to. */
export interface SymbolicRun {
  readonly algebra: SymbolicAlgebra;
  readonly graph: GraphData<ScalarTerm>;
  readonly inputs: Context<ScalarTerm>;
  readonly seed: Context<ScalarTerm>;
  readonly tape: Tape<ScalarTerm>;
}

/** A graph of that many scalar nodes with products, quotients and sines. */
export function scalarGraph(nodes: number): PrimitiveGraph {
  return drawGraph(nodes, { nodes, inputs: 3, shapes: [[]], isTranscendental: true });
}

/** Compiles a graph over terms that are simplified by the given laws alone. */
export function symbolicRun(program: PrimitiveGraph, laws: readonly TermLaw[]): SymbolicRun {
  const algebra = symbolic(laws);
  const graph = meaningOf(program, algebra);
  const unknown = (name: string) => (shape: readonly number[], id: number) =>
    tensor(shape, (position) => algebra.variable(`${name}_${id}_${position}`));
  const inputs = program.inputs.map(({ shape }, id) => unknown("x")(shape, id));
  const seed = shapesOf(program).map(unknown("seed"));
  const compiled = compile(algebra.additive, graph, inputs, noEnvironment, "sparse");
  if (!compiled.ok) throw new InvariantError(compiled.error.message);
  return { algebra, graph, inputs, seed, tape: compiled.value.tape };
}

/** What a dense loop makes of the tape, all slots. */
export function loopTerms(
  { algebra, tape, seed }: SymbolicRun,
  loop: Loop = realLoop,
): readonly ScalarTerm[] {
  const grads = loop(algebra.additive, tape, seed);
  if (!grads.ok) throw new InvariantError(grads.error.message);
  return grads.value.flatMap(({ data }) => data);
}

/** What `backpropAllCtx` makes of the graph, all slots. */
export function graphTerms({ algebra, graph, inputs, seed }: SymbolicRun): readonly ScalarTerm[] {
  return backpropAllCtx(algebra.additive, graph, inputs, noEnvironment, seed).flatMap(({ data }) => data);
}

/** What the sparse loops of tape and of graph make of a cotangent of the last id: for each id that has one in either, both terms. */
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

/** Whether a dense loop's terms are those of `backpropAllCtx`, each the same object; `laws` says what counts as the same. */
export function isGraphsTerms(
  program: PrimitiveGraph,
  laws: readonly TermLaw[],
  loop: Loop = realLoop,
): boolean {
  const run = symbolicRun(program, laws);
  const wanted = graphTerms(run);
  return loopTerms(run, loop).every((term, index) => term === wanted[index]);
}

/**
 * The terms of the tape and those of the graph, from two runs that share nothing, as definitions; that they are equal; and that zero, where `backpropAllCtx` adds one to a slot that
 * a later node does not read, is nothing there.
 */
function write(program: PrimitiveGraph, loop: Loop): { declarations: string; goal: string; unit: string } {
  const ofTape = loopTerms(symbolicRun(program, []), loop);
  const ofGraph = graphTerms(symbolicRun(program, []));
  const padded = subterms(ofGraph).flatMap((term) => {
    const [x, y] = term.kind === "application" && term.operator === "add" ? term.operands : [];
    return x !== undefined && y?.kind === "literal" && y.value === 0 ? [{ whole: term, part: x }] : [];
  });
  const left = writeTerms(ofTape, uninterpreted, "tape_");
  const all = [...ofGraph, ...padded.flatMap(({ whole, part }) => [whole, part])];
  const right = writeTerms(all, uninterpreted, "graph_");
  const text = (index: number): string => right.texts[index] ?? "";
  const conjunction = (equations: readonly string[]): string => `(and true ${equations.join("\n  ")})`;
  return {
    declarations: [
      declarationsOf([...ofTape, ...all], uninterpreted),
      definitionsOf(left),
      definitionsOf(right),
    ].join("\n"),
    goal: conjunction(ofTape.map((_, index) => `(= ${left.texts[index] ?? ""} ${text(index)})`)),
    unit: conjunction(
      padded.map(
        (_, index) => `(= ${text(ofGraph.length + 2 * index)} ${text(ofGraph.length + 2 * index + 1)})`,
      ),
    ),
  };
}

const wrongLoops: readonly (readonly [string, string, Loop])[] = [
  ["overwriting", "a contribution takes the place of what was there", overwriting],
  ["ascending", "nodes come before what consumes them", ascending],
  ["last-id-last", "the last id is visited last", lastIdLast],
  ["seedless", "the loop begins with zeros", seedless],
  ["clearing", "slots are cleared when they have been visited", clearing],
  ["operands", "the slot is added to the contribution", reversedAddition],
];

function executeTerms(program: PrimitiveGraph, right: boolean, wrong: boolean, what: string): Execution {
  return {
    showsFault: right && !wrong,
    told: `${program.nodes.length} nodes: the tape's terms are ${right ? "" : "not "}the graph's; ${what} they are ${wrong ? "too" : "not"}`,
  };
}

function mutantsOf(program: PrimitiveGraph): readonly ObligationMutant[] {
  const real = isGraphsTerms(program, ["zero"]);
  const planted = wrongLoops.map(([name, fault, loop]): ObligationMutant => {
    const { declarations, goal, unit } = write(program, loop);
    return {
      name,
      fault,
      declarations,
      goal,
      instead: [{ name: "unit", formula: unit }],
      ask: [],
      execute: () =>
        executeTerms(program, real, isGraphsTerms(program, ["zero"], loop), "with the wrong loop"),
    };
  });
  const lawless: ObligationMutant = {
    name: "no-unit",
    fault: "adding zero is something",
    without: ["unit"],
    ask: [],
    execute: () => executeTerms(program, real, isGraphsTerms(program, []), "where x + 0 is not x"),
  };
  return [...planted, lawless];
}

/** The tape that runs is the graph that runs, on one graph. */
function realCode(nodes: number): Obligation {
  const program = scalarGraph(nodes);
  const { declarations, goal, unit } = write(program, realLoop);
  return {
    id: `tape/real_code/${nodes}`,
    statement: `On a graph of ${nodes} nodes the dense loop that runs, and backpropAllCtx that runs, compute the same in every slot, whatever the operations of scalars are, where x + 0 = x.`,
    clause: "SEMANTICS §5, backwardDenseFrom_compile_eq_backpropAllCtx",
    logic: "QF_UF",
    scope: { kind: "graph", graph: `${nodes} nodes drawn from the seed ${nodes}` },
    tier: "everyday",
    declarations,
    hypotheses: [{ name: "unit", formula: unit }],
    goal,
    rlimit: 2_000 * nodes + 20_000,
    requiredCore: ["unit"],
    mutants: mutantsOf(program),
    dependsOn: ["tape/step"],
    metaArgument:
      "Terms are written down by the code that runs, over scalars of which nothing is known. Engines that compute with numbers only are held to the reference bit for bit by tests.",
  };
}

/** Of graphs of these sizes. */
const realCodeSizes: readonly number[] = [8, 60, 1000];

/** The dense loop that runs against `backpropAllCtx` that runs. */
export function realCodeObligations(): readonly Obligation[] {
  return realCodeSizes.map(realCode);
}
