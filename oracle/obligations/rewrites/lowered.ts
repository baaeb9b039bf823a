import { type LoopProgram, type Pass, type Regime, writtenOut } from "../../../engines/compile/plan/index.ts";
import { type LoweredGraph, lower, type Request } from "../../../engines/compile/plan/lower/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import type { Hypothesis, Obligation } from "../obligation.ts";
import { algebraicObligation, type Rewriting } from "./algebraic.ts";
import type { Pair } from "./equivalence.ts";
import { type Identity, identityObligation } from "./identity.ts";
import { realMutant } from "./real_mutants.ts";
import type { Given } from "./theories.ts";

/** Both programs of a graph are asked for this. */
type Asked = "value" | "tangent" | "cotangent";

/** Lowers a graph with its composites expanded, and as the fast regime does. */
function pairOf(written: Graph, asked: Asked): Pair {
  return { before: loweredFor(written, asked, "bit_exact"), after: loweredFor(written, asked, "fast") };
}

/** Lowers what is asked of a graph to loops, by default with its composites expanded. */
export function loweredFor(written: Graph, asked: Asked, regime: Regime = "bit_exact"): LoopProgram {
  const { graph: lowered, output } = writtenOut(written, regime, undefined);
  return lower(lowered, requestFor(lowered, output, asked), regime);
}

function requestFor(lowered: LoweredGraph, output: number, asked: Asked): Request {
  const last = nodeId(output);
  switch (asked) {
    case "value":
      return { values: [last] };
    case "tangent":
      return { values: [], tangents: { ids: [last], count: 1 } };
    case "cotangent": {
      const ids = lowered.inputs.map((_, id) => nodeId(id));
      return { values: [], cotangents: { ids, seeds: [{ id: last, from: "source" }] } };
    }
  }
}

const matrices: Graph = graph(({ input }) => input("x", [1, 2]).matmul(input("y", [2, 1])));

/** States that a matrix product's tangent is one sum of sums or two, by the laws of commutative monoids. */
function splitTangents(): Rewriting {
  return {
    name: "product_of_matrices",
    rewrite: "split_tangents",
    statement: "The tangent of a product of matrices is the sum of two products",
    pair: pairOf(matrices, "tangent"),
    laws: ["neutral", "commutative", "associative"],
    given: { x0: 1, x1: 1, y0: 1, y1: 1, z0: 1, u0: 2 ** -11, z1: -1, u1: 1.3134765625 },
    metaArgument: "An inner extent of 2 has every regrouping that a longer one has.",
  };
}

/** −∞, which a maximum starts with, is below all that is compared with it. */
function leastOf(elements: readonly string[], most: number): readonly Hypothesis[] {
  const all = [
    ...elements.flatMap((x) => [`(< minus_infinity ${x})`, `(< minus_infinity (- ${x}))`]),
    `(< minus_infinity (- ${most}.0))`,
  ];
  return [{ name: "least", formula: `(and ${all.join(" ")})` }];
}

const attributes = { axes: [1], keepdims: false };

const extremeGraphs: Readonly<Record<string, Graph>> = {
  max: graph(({ input }) => input("x", [2, 2]).max(attributes)),
  min: graph(({ input }) => input("x", [2, 2]).min(attributes)),
  max_of_four: graph(({ input }) => input("x", [1, 4]).max(attributes)),
};

/** States that gradients go to the first of the largest, without arithmetic; NaN is told apart. */
function extremes(): readonly Rewriting[] {
  const elements = ["x0", "x1", "x2", "x3"];
  return Object.entries(extremeGraphs).flatMap(([name, written]) =>
    (["tangent", "cotangent"] as const).map((asked): Rewriting => {
      const pair = pairOf(written, asked);
      return {
        name: `${name}_${asked}`,
        rewrite: "whole_composites",
        statement: `The ${asked} of ${name.replaceAll("_", " ")} by its own formula is that of its expansion, ties and all`,
        pair,
        laws: "reals",
        hypotheses: leastOf(elements, 4),
        mutants: [
          realMutant({
            name: "started_anywhere",
            fault: "a maximum may start with any number.",
            without: "least",
            pair,
            unknowns: [{ kind: "literal", term: "minus_infinity", value: Number.NEGATIVE_INFINITY }],
          }),
        ],
      };
    }),
  );
}

const convolution: Graph = graph(({ input }) =>
  input("x", [1, 1, 3]).conv(input("y", [1, 1, 2]), {
    strides: [1],
    padding: [[1, 0]],
    dilations: [1],
    groups: 1,
  }),
);

/** At these float16 numbers the two differ: sums in another order, and 0 · ∞ that the expansion avoids. */
const differing: Readonly<Record<"tangent" | "cotangent", Given>> = {
  tangent: {
    x0: 2 ** -11,
    x1: 0.5,
    x2: -1,
    y0: 2 ** -11,
    y1: 3,
    z0: 1,
    z1: 2 ** -11,
    z2: 2 ** -11,
    u0: -1,
    u1: -1,
  },
  cotangent: { x0: 3, x1: Infinity, x2: 3, y0: Infinity, y1: 2 ** -11, z0: 3, z1: 0, z2: 3 },
};

function convolutions(): readonly Rewriting[] {
  return (["tangent", "cotangent"] as const).map((asked) => ({
    name: `conv_${asked}`,
    rewrite: "whole_composites",
    statement: `The ${asked} of a convolution by its own formula is that of its expansion`,
    pair: pairOf(convolution, asked),
    laws: "reals",
    given: differing[asked],
    metaArgument: "At these extents every element is met by a padded window and by a whole one.",
  }));
}

const isLong: ReadonlySet<string> = new Set(["max_of_four", "conv"]);

/** States that these composites' own formulas give their values bit for bit. */
function exactValues(): readonly Obligation[] {
  return Object.entries({ ...extremeGraphs, conv: convolution }).map(([name, written]) => {
    const { before, after } = pairOf(written, "value");
    const identity: Identity = {
      name: `${name}_value`,
      statement: `The value of ${name.replaceAll("_", " ")} by its own formula is that of its expansion`,
      program: before,
      wrong: {
        name: "last-left-out",
        fault: "the last element of each is left out.",
        after: shortened(after),
      },
    };
    const pass: Pass = () => ({ program: after, fired: 1 });
    return identityObligation(identity, {
      rewrite: "whole_composites",
      pass,
      format: "float16",
      rlimit: 60_000_000,
      tier: isLong.has(name) ? "long" : "everyday",
    });
  });
}

/** Shortens the last loop of each fold by one. */
function shortened(program: LoopProgram): LoopProgram {
  const instructions = program.instructions.map((instruction) => {
    if (instruction.kind !== "fold") return instruction;
    return { ...instruction, over: [...instruction.over.slice(0, -1), (instruction.over.at(-1) ?? 1) - 1] };
  });
  return { ...program, instructions };
}

/** States what the fast regime lowers otherwise than the definition. */
export function loweredObligations(): readonly Obligation[] {
  return [...[splitTangents(), ...extremes(), ...convolutions()].map(algebraicObligation), ...exactValues()];
}
