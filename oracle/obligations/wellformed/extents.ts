import { checkGraph } from "../../../spec/documents/index.ts";
import type { Execution } from "../obligation.ts";
import { type Applied, asSaid, read, shapeOf } from "./applying.ts";
import { between, judged, type Lemma, type Numbers, thrownBy, within } from "./lemma.ts";

const sliced = ({ i = 0, extent = 0, start = 0, stop = 0, step = 1 }: Numbers): Execution =>
  asSaid(
    { op: "slice", attributes: { starts: [start], stops: [stop], steps: [step] }, shapes: [[extent]] },
    { shape: [i + 1] },
  );

/** States that a slice along one axis, forwards or backwards, stays in bounds. */
function sliceLemma(direction: "forwards" | "backwards"): Lemma {
  const isForwards = direction === "forwards";
  const [least, greatest] = isForwards ? ["0", "extent"] : ["(- 1)", "(- extent 1)"];
  const last = "(+ first (* (- count 1) step))";
  const small = (...more: readonly string[]): string =>
    `(and ${between(0, 9, "extent")} ${between(-20, 20, "start", "stop")} ${between(-4, 4, "step")} ${between(0, 30, "i")} ${more.join(" ")})`;
  return {
    name: isForwards ? "extents/slice_axis" : "extents/slice_axis_backwards",
    statement: `Every index that a slice with a ${isForwards ? "positive" : "negative"} step keeps of an axis is below its extent, whatever start, stop and extent are`,
    logic: "QF_NIA",
    subject: "slice",
    symbols: ["i", "extent", "start", "stop", "step", "count"],
    definitions: [
      `(define-fun clamped ((a Int)) Int (let ((b (ite (< a 0) (+ a extent) a))) (ite (< b ${least}) ${least} (ite (> b ${greatest}) ${greatest} b))))`,
      "(define-fun first () Int (clamped start))",
    ],
    hypotheses: [
      { name: "extent_counts", formula: "(>= extent 0)" },
      { name: "direction", formula: isForwards ? "(> step 0)" : "(< step 0)" },
      { name: "kept", formula: within("i", "count") },
      { name: "ceiling", formula: `(=> (> count 0) (${isForwards ? "<" : ">"} ${last} (clamped stop)))` },
    ],
    goal: within("(+ first (* i step))", "extent"),
    dependsOn: ["extents/row_major", "reference/coordinates"],
    metaArgument:
      "`ceiling` is what a count says that is the quotient rounded up: one less does not reach the stop. Axis by axis; positions from coordinates as in extents/row_major.",
    mutants: [
      {
        name: "any-count",
        fault: "the count is anything.",
        without: "ceiling",
        small: small(),
        execute: sliced,
      },
      {
        name: "beyond-count",
        fault: "the index is anything.",
        without: "kept",
        small: small(),
        execute: sliced,
      },
    ],
  };
}

function padded({ x = 0, low = 0, interior = 0, high = 0 }: Numbers): Applied<"pad"> {
  return { op: "pad", attributes: { low: [low], high: [high], interior: [interior] }, shapes: [[x]] };
}

/** The schema of graphs refuses counts below 0; otherwise elements have no place to go. */
function negativePadding(numbers: Numbers): Execution {
  const { x = 0, low = 0, interior = 0, high = 0 } = numbers;
  const applied = padded(numbers);
  const json = {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [x] }],
    environment: [],
    nodes: [{ op: "pad", attributes: applied.attributes, parents: [0] }],
  };
  const size = x + (x - 1) * interior + low + high;
  const wrong = thrownBy(() => {
    for (let i = 0; i < x; i++) read([Math.max(0, size)], low + i * (1 + interior));
  });
  return judged(
    checkGraph(json).ok ? "check accepts it" : undefined,
    wrong,
    JSON.stringify(applied.attributes),
  );
}

const padLemma: Lemma = {
  name: "extents/pad_axis",
  statement: "Every element of an axis goes to a place below the padded extent, whatever the padding is",
  logic: "QF_NIA",
  subject: "pad",
  symbols: ["i", "x", "low", "interior", "high"],
  hypotheses: [
    { name: "index", formula: within("i", "x") },
    { name: "low_counts", formula: "(>= low 0)" },
    { name: "high_counts", formula: "(>= high 0)" },
    { name: "interior_counts", formula: "(>= interior 0)" },
  ],
  goal: within("(+ low (* i (+ 1 interior)))", "(+ x (* (- x 1) interior) low high)"),
  dependsOn: ["extents/row_major", "reference/coordinates"],
  metaArgument:
    "An axis of extent 0 has no index, so that its extent need not be told apart. The adjoint reads at the same places.",
  mutants: [
    {
      name: "any-index",
      fault: "the index is anything.",
      without: "index",
      small: `(and ${between(1, 6, "x")} ${between(0, 5, "low", "interior", "high")} ${between(0, 30, "i")})`,
      execute: (numbers) => {
        const right = padded(numbers);
        return asSaid(right, { shapes: [[(numbers.i ?? 0) + 1]], cotangent: shapeOf(right) ?? [] });
      },
    },
    ...["low", "high", "interior"].map((count) => ({
      name: `negative-${count}`,
      fault: `${count} may be negative.`,
      without: `${count}_counts`,
      small: `(and ${between(1, 6, "x")} ${between(-5, 5, "low", "interior", "high")})`,
      execute: negativePadding,
    })),
  ],
};

/** These say which elements of an axis a slice keeps, and where a padded axis' elements go. */
export const extentLemmas: readonly Lemma[] = [sliceLemma("forwards"), sliceLemma("backwards"), padLemma];
