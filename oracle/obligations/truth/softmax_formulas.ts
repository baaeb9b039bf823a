import type { Value } from "../../../spec/builder/index.ts";
import type { Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { evaluated, type Unknown, unknownsIn } from "./formulas.ts";
import { faultsIn, stepOf } from "./operands.ts";
import { type Bench, type Step, stepObligation } from "./step.ts";

const inAttention = faultsIn("whole/attention_formulas");

const named = (name: string, shape: readonly number[]): Unknown => ({
  shape,
  names: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, place) => `${name}${place}`),
});

const total = (terms: readonly string[]): string => `(+ ${terms.join(" ")})`;
const paired = (one: readonly string[] = [], other: readonly string[] = []): readonly string[] =>
  one.map((x, place) => `(* ${x} ${other[place]})`);

const [w, x, c] = [named("w", [3]), named("x", [3]), named("c", [3])];

/** Weights are any numbers here: those of the scores are softmax's, of which nothing else is used. */
const anyWeights = (): Names => ({ weightsOf: (_scope: unknown, scores: unknown) => scores });

const operands = [named("q", [1, 1]), named("k", [2, 1]), named("v", [2, 1]), named("m", [1, 2])] as const;
const moves = operands.map(({ shape, names: [first = ""] }) => named(`d${first[0]}`, shape));
const back = named("c", [1, 1]);

const formula = ({ ideal }: Bench, name: string): unknown =>
  got(ideal.module("whole/attention_formulas"), "attentionFormulas", name);

const steps: readonly Step[] = [
  stepOf({
    id: "formulas/softmax",
    statement:
      "What moves softmax's weights w = e / Σ e, of three numbers, is w (x − Σ w x): the derivative where each e moves by e x, its own adjoint, and of sum 0.",
    metaArgument: "More numbers add terms of the same form to each sum.",
    rlimit: 200_000,
    unknowns: { ...unknownsIn(w, x, c), s: "any" },
    hypotheses: [{ name: "weights", formula: "(= (+ w0 w1 w2) 1.0)" }],
    claim(bench) {
      const pulled = bench.ideal.module("whole/attention_formulas").pulled;
      const [moved = [], other = []] = evaluated(bench, [w, x, c], (_scope, [weights, along, from]) => [
        called(pulled, weights, along),
        called(pulled, weights, from),
      ]);
      const e = w.names.map((name) => `(* s ${name})`);
      const derivative = moved.map(
        (move, place) =>
          `(= (* s s ${move}) (- (* ${e[place]} x${place} s) (* ${e[place]} ${total(paired(e, x.names))})))`,
      );
      const isAdjoint = `(= ${total(paired(moved, c.names))} ${total(paired(other, x.names))})`;
      return `(and ${derivative.join(" ")} ${isAdjoint} (= ${total(moved)} 0.0))`;
    },
    faults: [
      inAttention(
        "unweighted",
        "the mean has no weights.",
        "x.subtract(weights.multiply(x).sum({ axes, keepdims: true }))",
        "x.subtract(x.sum({ axes, keepdims: true }))",
      ),
      inAttention("added", "the mean is added.", "x.subtract(weights", "x.add(weights"),
      inAttention(
        "unscaled",
        "what is left is not weighted.",
        "weights.multiply(x.subtract(weights.multiply(x).sum({ axes, keepdims: true })))",
        "x.subtract(weights.multiply(x).sum({ axes, keepdims: true }))",
      ),
    ],
  }),
  stepOf({
    id: "formulas/attention_adjoint",
    statement:
      "What attention's formulas hand back is the adjoint of what they move, of one query, two keys and a mask, whatever the weights are.",
    metaArgument:
      "The formulas are written in products of whole matrices. That the weights move so is truth/formulas/softmax.",
    rlimit: 2_000_000,
    unknowns: unknownsIn(...operands, ...moves, back),
    hypotheses: [],
    instead: anyWeights,
    claim(bench) {
      const [out = [], ...bars] = evaluated(
        bench,
        [...operands, ...moves, back],
        (scope, values: readonly Value[]) => {
          const [given, tangents, from] = [values.slice(0, 4), values.slice(4, 8), values[8]];
          const handed = called(
            formula(bench, "cotangents"),
            scope,
            { causal: false },
            { operands: given },
            from,
          );
          const moved = called(
            formula(bench, "tangent"),
            scope,
            { causal: false },
            { operands: given },
            tangents,
          );
          return [moved, ...[0, 1, 2, 3].map((place) => got(handed, String(place)))];
        },
      );
      const pulled = bars.flatMap((bar, place) => paired(bar, moves[place]?.names));
      return `(= ${total(["0.0", ...paired(out, back.names)])} ${total(pulled)})`;
    },
    faults: [
      inAttention(
        "key",
        "the keys get twice what they are owed.",
        "transposed(scaled).matmul(q)",
        "transposed(scaled).add(transposed(scaled)).matmul(q)",
      ),
      inAttention(
        "value",
        "the values get none of the weights.",
        "transposed(weights).matmul(c)",
        "transposed(bar).matmul(c)",
        {
          q0: "1.0",
          k0: "1.0",
          k1: "0.0",
          v0: "1.0",
          v1: "0.0",
          m0: "0.0",
          m1: "0.0",
          c0: "1.0",
          dv0: "1.0",
        },
      ),
      inAttention("still", "the moved values are left out.", ".add(weights.matmul(vDot))", ""),
      inAttention(
        "mask",
        "the mask gets twice what it is owed.",
        "summedTo(bar, mask)",
        "summedTo(bar.add(bar), mask)",
        {
          q0: "1.0",
          k0: "1.0",
          k1: "0.0",
          v0: "1.0",
          v1: "0.0",
          m0: "1.0",
          m1: "0.0",
          c0: "1.0",
          dm0: "1.0",
        },
      ),
    ],
  }),
];

/** States that attention's formulas are of softmax's derivative, and its adjoint. */
export function softmaxFormulaObligations(): readonly Obligation[] {
  return steps.map(stepObligation);
}
