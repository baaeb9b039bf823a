import { type Instruction, type LoopProgram, writtenOut } from "../../../engines/compile/plan/index.ts";
import { lower } from "../../../engines/compile/plan/lower/index.ts";
import { type Graph, idCount } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId, sizeOf } from "../../../spec/shapes/index.ts";
import type { Execution, Obligation } from "../obligation.ts";
import { type Accumulator, holdsLargest, integerIn, invariant, isHeld, isNumber } from "./width.ts";

/** This is a sum in the value or gradient of a graph; each element has this many terms. */
interface Fold {
  /** This is its position among the sums of the program. */
  readonly number: number;
  readonly terms: number;
}

/** Lowers a graph and lists the sums of two terms or more in its value and gradient. */
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

/** States for each sum of a graph that its products fit the accumulator, by the number of its terms. */
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
  const { most } = accumulator;
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
    goal: isHeld(accumulator),
    rlimit: 200_000,
    mutants: [
      {
        name: "longer",
        fault: `the sum is of ${most + 1n} products.`,
        instead: [{ name: "terms", formula: `(<= k ${most + 1n})` }],
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

/** At most this many additions are made one by one; more are made in blocks of equal products. */
const ONE_BY_ONE = 2n ** 12n;

/**
 * Checks that the layer's number of largest products, of either sign, add up in the register as in integers,
 * and that the model's number of products, equal parts of its sum, do not.
 */
function summedUp(accumulator: Accumulator, terms: number, sum: bigint, k: bigint): Execution {
  const { register } = accumulator;
  const word = added(accumulator, sum, k < 1n ? 1n : k);
  return {
    showsFault: holdsLargest(accumulator, BigInt(terms)) && !isNumber(register, word, sum),
    told: `${terms} products of the largest fit; ${k} that sum to ${sum} leave the word ${word}`,
  };
}

/** Returns the register's word after adding `k` parts that sum up to `sum`. */
function added({ register }: Accumulator, sum: bigint, k: bigint): bigint {
  const steps = k < ONE_BY_ONE ? k : ONE_BY_ONE;
  const part = sum / steps;
  let word = 0n;
  for (let n = 0n; n < steps; n++) word = register.add(word, part);
  return register.add(word, sum - part * steps);
}
