import { type Instruction, type LoopProgram, writtenOut } from "../../../engines/compile/plan/index.ts";
import { lower } from "../../../engines/compile/plan/lower/index.ts";
import { type Graph, idCount } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId, sizeOf } from "../../../spec/shapes/index.ts";
import type { Execution, Obligation } from "../obligation.ts";
import { type Accumulator, holds, integerIn, invariant, power } from "./width.ts";

/** A sum in the value or the gradient of a graph: how many terms one element of it has. */
interface Fold {
  /** Position among the sums of the program. */
  readonly number: number;
  readonly terms: number;
}

/** The sums that a graph's value and gradient take, of two terms or more, by lowering it. */
function foldsOf(graph: Graph): readonly Fold[] {
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
  const { bits, most, hasNaR } = accumulator;
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
    goal: `(and (${hasNaR ? "<" : "<="} (- ${power(bits - 1)}) sum) (< sum ${power(bits - 1)}))`,
    rlimit: 200_000,
    mutants: [
      {
        name: "longer",
        fault: `the sum is of ${most + 1} products.`,
        instead: [{ name: "terms", formula: `(<= k ${most + 1})` }],
        ask: ["sum", "k"],
        execute: (model) => summedUp(accumulator, terms, integerIn(model, "sum"), integerIn(model, "k")),
      },
      {
        name: "any-sum",
        fault: "the sum is anything.",
        without: ["invariant"],
        ask: ["sum"],
        execute: (model) => {
          const sum = integerIn(model, "sum");
          return summedUp(accumulator, terms, sum, 1n);
        },
      },
    ],
    dependsOn: ["precondition", "preservation"].map((part) => `accumulators/${accumulator.name}/${part}`),
    metaArgument:
      "Induction over the number of products, as for the accumulator itself; the number of terms is that of the loop that the graph is lowered to.",
  };
}

/** Most additions that are made one by one; more are made by blocks of equal products. */
const ONE_BY_ONE = 2n ** 12n;

/**
 * The layer's own number of largest products, of either sign, added in words of the accumulator, are what they are in integers; the model's sum, of as many
 * products as it says, each an equal part of it, is not.
 */
function summedUp(accumulator: Accumulator, terms: number, sum: bigint, k: bigint): Execution {
  const largest = BigInt(terms) * 2n ** BigInt(accumulator.productBits);
  const isRight = [largest, -largest].every(
    (whole) => holds(accumulator, whole) && added(accumulator, whole, BigInt(terms)) === whole,
  );
  const word = added(accumulator, sum, k < 1n ? 1n : k);
  return {
    showsFault: isRight && (word !== sum || !holds(accumulator, sum)),
    told: `${terms} products of the largest fit; ${k} that sum to ${sum} leave the word ${word}`,
  };
}

/** The word after `k` additions of parts that sum up to `sum`. */
function added({ bits }: Accumulator, sum: bigint, k: bigint): bigint {
  const steps = k < ONE_BY_ONE ? k : ONE_BY_ONE;
  const part = sum / steps;
  let word = 0n;
  for (let n = 0n; n < steps; n++) word = BigInt.asIntN(bits, word + part);
  return BigInt.asIntN(bits, word + (sum - part * steps));
}
