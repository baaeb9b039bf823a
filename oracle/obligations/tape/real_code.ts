import {
  declarationsOf,
  definitionsOf,
  uninterpreted,
  writeTerms,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import type { Obligation } from "../obligation.ts";
import { realCodeMutants } from "./real_code_mutants.ts";
import { graphTerms, loopTerms, paddedIn, scalarGraph, symbolicRun } from "./runs.ts";

/*
 * The steps of the tape theorem are about a model of the loops. Here the real loops run on unknowns, which
 * records each operation, and the tape's terms must be those of `backpropAllCtx`.
 */

/**
 * Writes the terms of tape and graph, from two separate runs, as definitions; states that they are equal; and
 * that adding zero changes nothing where `backpropAllCtx` adds one to a slot that a later node does not read.
 */
function write(program: PrimitiveGraph): { declarations: string; goal: string; unit: string } {
  const ofTape = loopTerms(symbolicRun(program, []));
  const ofGraph = graphTerms(symbolicRun(program, []));
  const padded = paddedIn(ofGraph);
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

/** States for one graph that the real tape computes what the real graph does. */
function realCode(nodes: number): Obligation {
  const program = scalarGraph(nodes);
  const { declarations, goal, unit } = write(program);
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
    mutants: realCodeMutants(program),
    dependsOn: ["tape/step"],
    metaArgument:
      "Terms are written down by the code that runs, over scalars of which nothing is known. Engines that compute with numbers only are held to the reference bit for bit by tests.",
  };
}

/** Graphs of these sizes are stated. */
const realCodeSizes: readonly number[] = [8, 60, 1000];

/** States the real dense loop's results against the real `backpropAllCtx`'s. */
export function realCodeObligations(): readonly Obligation[] {
  return realCodeSizes.map(realCode);
}
