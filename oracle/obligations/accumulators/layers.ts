import { writtenOut } from "../../../engines/compile/compile.ts";
import { lower } from "../../../engines/plan/lower/index.ts";
import type { Instruction, LoopProgram } from "../../../engines/plan/program.ts";
import { type Graph, InvariantError, idCount, nodeId, sizeOf } from "../../../spec/core.ts";
import type { Obligation } from "../obligation.ts";
import { type Accumulator, holds, integerIn, invariant, power } from "./width.ts";

/** A sum in the value or the gradient of a graph: how many terms one element of it has. */
export interface Fold {
  /** Position among the sums of the program. */
  readonly number: number;
  readonly terms: number;
}

/** The sums that a graph's value and gradient take, of two terms or more, by lowering it. */
export function foldsOf(graph: Graph): readonly Fold[] {
  const { graph: written, output } = writtenOut(graph, "fast", undefined);
  const inputs = graph.inputs.map((_, id) => nodeId(id));
  const cotangents = { ids: inputs, seeds: [{ id: output, from: "ones" as const }] };
  const program: LoopProgram = lower(written, { values: [nodeId(idCount(written) - 1)], cotangents }, "fast");
  return program.instructions
    .filter(isSum)
    .map(({ over }, number): Fold => ({ number, terms: sizeOf(over) }))
    .filter(({ terms }) => terms > 1);
}

function isSum(instruction: Instruction): instruction is Extract<Instruction, { kind: "fold" }> {
  return instruction.kind === "fold" && instruction.operation === "add";
}

/** The most products that an accumulator without error pattern is safe for: one more reaches `2^(bits − 1)`. */
export function mostProducts({ bits, productBits }: Omit<Accumulator, "most">): number {
  return 2 ** (bits - 1 - productBits) - 1;
}

/** For each sum of a graph, that its products fit the accumulator, by the number of its terms. */
export function layerObligations(
  name: string,
  graph: Graph,
  accumulator: Accumulator,
): readonly Obligation[] {
  const folds = foldsOf(graph);
  if (folds.length === 0) throw new InvariantError(`${name} has no sums`);
  return folds.map((fold) => layer(name, fold, accumulator));
}

function layer(name: string, { number, terms }: Fold, accumulator: Accumulator): Obligation {
  const { bits, most } = accumulator;
  return {
    id: `accumulators/${accumulator.name}/${name}/sum_${number}`,
    statement: `Sum ${number} of ${name}, of ${terms} products, has not overflowed an ${accumulator.name}.`,
    clause: "SEMANTICS §6",
    logic: "QF_LIA",
    scope: { kind: "graph", graph: name },
    tier: "everyday",
    declarations: `${invariant(accumulator)}\n(declare-const sum Int)\n(declare-const k Int)`,
    hypotheses: [
      { name: "invariant", formula: "(within sum k)" },
      { name: "terms", formula: `(<= k ${terms})` },
    ],
    requiredCore: ["invariant", "terms"],
    goal: `(and (<= (- ${power(bits - 1)}) sum) (< sum ${power(bits - 1)}))`,
    rlimit: 200_000,
    mutants: [
      {
        name: "longer",
        fault: `the sum is of ${most + 1} products.`,
        instead: [{ name: "terms", formula: `(<= k ${most + 1})` }],
        ask: ["sum", "k"],
        execute: (model) => ({
          showsFault: fits(accumulator, terms) && !holds(accumulator, integerIn(model, "sum")),
          told: `${integerIn(model, "k")} products that sum to ${integerIn(model, "sum")}`,
        }),
      },
      {
        name: "any-sum",
        fault: "the sum is anything.",
        without: ["invariant"],
        ask: ["sum"],
        execute: (model) => ({
          showsFault: fits(accumulator, terms) && !holds(accumulator, integerIn(model, "sum")),
          told: `a sum of ${integerIn(model, "sum")}`,
        }),
      },
    ],
    dependsOn: ["precondition", "preservation"].map((part) => `accumulators/${accumulator.name}/${part}`),
    metaArgument:
      "Induction over the number of products, as for the accumulator itself; the number of terms is that of the loop that the graph is lowered to.",
  };
}

/** Adds so many of the largest products, one by one, in words of the accumulator. */
function fits(accumulator: Accumulator, terms: number): boolean {
  const largest = 2n ** BigInt(accumulator.productBits);
  let [up, down] = [0n, 0n];
  for (let n = 0; n < terms; n++) {
    up = BigInt.asIntN(accumulator.bits, up + largest);
    down = BigInt.asIntN(accumulator.bits, down - largest);
  }
  return up === BigInt(terms) * largest && down === -up;
}
