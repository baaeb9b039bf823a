import type { PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import type { Execution } from "../obligation.ts";
import { type Applied, asSaid, failureOf, isInvalid, shapeOf } from "./applying.ts";
import { between, judged, type Lemma, type Numbers, within } from "./lemma.ts";

/** Checks that the shape rule refuses what the wrong code runs. */
function refused<K extends PrimitiveName>(wrong: Applied<K>): Execution {
  const right = shapeOf(wrong) === undefined ? undefined : "it accepts them";
  const shapes = wrong.shapes.map((shape) => `[${shape.join()}]`).join(" ");
  return judged(
    right,
    failureOf(wrong),
    `${wrong.op} of ${shapes} to [${wrong.shape?.join() ?? ""}], which the shape rule refuses`,
  );
}

const broadcastLemma: Lemma = {
  name: "reference/broadcast_axis",
  statement: "Every coordinate of a stretched axis repeats one that its operand has",
  logic: "QF_LIA",
  subject: "broadcast_to",
  symbols: ["c", "from", "to"],
  hypotheses: [
    { name: "rule", formula: "(or (= from 1) (= from to))" },
    { name: "coordinate", formula: within("c", "to") },
  ],
  goal: within("(ite (= from 1) 0 c)", "from"),
  dependsOn: ["extents/row_major", "reference/coordinates"],
  metaArgument: "Axis by axis; new axes in front have no part in the operand's position.",
  mutants: [
    {
      name: "any-extent",
      fault: "the shape rule accepts every extent.",
      without: "rule",
      small: between(1, 6, "from", "to"),
      execute: ({ from = 0, to = 0 }) =>
        refused({ op: "broadcast_to", attributes: { shape: [to] }, shapes: [[from]], shape: [to] }),
    },
    {
      name: "any-coordinate",
      fault: "the coordinate is anything.",
      without: "coordinate",
      small: `(and ${between(1, 6, "from", "to")} ${between(0, 20, "c")})`,
      execute: ({ c = 0, from = 0, to = 0 }) =>
        asSaid({ op: "broadcast_to", attributes: { shape: [to] }, shapes: [[from]] }, { shape: [c + 1] }),
    },
  ],
};

const permuteLemma: Lemma = {
  name: "reference/permuted_axis",
  statement: "A coordinate of a permuted axis is below the extent of the axis that it comes from",
  logic: "QF_UFLIA",
  subject: "permute_dims",
  symbols: ["a"],
  definitions: ["from", "to", "axes", "inverse", "coordinate"].map(
    (name) => `(declare-fun ${name} (Int) Int)`,
  ),
  hypotheses: [
    {
      name: "rule",
      formula: "(and (= (axes (inverse a)) a) (= (to (inverse a)) (from (axes (inverse a)))))",
    },
    { name: "coordinate", formula: within("(coordinate (inverse a))", "(to (inverse a))") },
  ],
  goal: within("(coordinate (inverse a))", "(from a)"),
  dependsOn: ["extents/row_major", "reference/coordinates"],
  metaArgument:
    "`inverse` is `axes.indexOf`, which finds every axis of a permutation. The adjoint is the inverse permutation, with both names exchanged.",
  mutants: [
    {
      name: "turned-round",
      fault: "the shape rule is that of the inverse permutation.",
      instead: [
        {
          name: "rule",
          formula:
            "(and (= (axes 0) 1) (= (axes 1) 2) (= (axes 2) 0) (= (inverse 0) 2) (= (inverse 1) 0) (= (inverse 2) 1) (= (to 0) (from (inverse 0))) (= (to 1) (from (inverse 1))) (= (to 2) (from (inverse 2))))",
        },
      ],
      small: `(and (= a 0) ${between(1, 4, "(from 0)", "(from 1)", "(from 2)")})`,
      ask: ["(from 0)", "(from 1)", "(from 2)", "(to 0)", "(to 1)", "(to 2)"],
      execute: (numbers) => {
        const extents = (name: string): number[] =>
          [0, 1, 2].map((axis) => numbers[`(${name} ${axis})`] ?? 0);
        const right: Applied<"permute_dims"> = {
          op: "permute_dims",
          attributes: { axes: [1, 2, 0] },
          shapes: [extents("from")],
        };
        return asSaid(right, { shape: extents("to") });
      },
    },
    {
      name: "any-coordinate",
      fault: "the coordinate is anything.",
      without: "coordinate",
      small: `(and (= a 0) (= (inverse 0) 1) ${between(1, 4, "(from 0)")} ${between(0, 9, "(coordinate 1)")})`,
      ask: ["(from 0)", "(coordinate 1)"],
      execute: (numbers) => {
        const { "(from 0)": extent = 0, "(coordinate 1)": coordinate = 0 } = numbers;
        return asSaid(
          { op: "permute_dims", attributes: { axes: [1, 0] }, shapes: [[extent, 2]] },
          { shape: [2, coordinate + 1] },
        );
      },
    },
  ],
};

const sumLemma: Lemma = {
  name: "reference/summed_axis",
  statement:
    "Every coordinate of an axis goes to one that the axis has in the sum: 0 where it is summed away, else its own",
  logic: "QF_LIA",
  subject: "sum",
  symbols: ["c", "extent", "summed"],
  hypotheses: [{ name: "coordinate", formula: within("c", "extent") }],
  goal: within("(ite (= summed 1) 0 c)", "(ite (= summed 1) 1 extent)"),
  dependsOn: ["extents/row_major", "reference/coordinates"],
  metaArgument: "Axis by axis; an axis of extent 1 that is dropped from the shape changes no position.",
  mutants: [
    {
      name: "any-coordinate",
      fault: "the coordinate is anything.",
      without: "coordinate",
      small: `(and ${between(1, 6, "extent")} ${between(0, 20, "c")} ${between(0, 1, "summed")})`,
      execute: ({ c = 0, extent = 0 }) => {
        const right: Applied<"sum"> = {
          op: "sum",
          attributes: { axes: [], keepdims: false },
          shapes: [[extent]],
        };
        return asSaid(right, { shapes: [[c + 1]], shape: [extent] });
      },
    },
  ],
};

/** States that picking along an axis stays in bounds, by index data that checked execution has seen. */
function takeLemma<K extends "take" | "take_along_axis">(op: K, attributes: PrimitiveAttributes[K]): Lemma {
  const applied = (from: number, indices: readonly number[]): Applied<K> => ({
    op,
    attributes,
    shapes: [[from]],
    indices: { shape: [indices.length], indices },
  });
  const names = (numbers: Numbers): readonly [number, number, number, number] => {
    const { c = 0, count = 0, entry = 0, from = 0 } = numbers;
    return [c, count, entry, from];
  };
  return {
    name: `reference/${op}`,
    statement: `${op} looks up an index that is there, and picks an element that is there`,
    logic: "QF_NIA",
    subject: op,
    symbols: ["c", "count", "entry", "from", "lead", "leads", "rest", "inner"],
    hypotheses: [
      { name: "result", formula: within("c", "count") },
      { name: "valid", formula: within("entry", "from") },
      { name: "others", formula: `(and ${within("lead", "leads")} ${within("rest", "inner")})` },
    ],
    goal: `(and ${within("c", "count")} ${within("(+ (* (+ (* lead from) entry) inner) rest)", "(* leads from inner)")})`,
    dependsOn: ["extents/row_major", "reference/coordinates"],
    metaArgument:
      "`result` is the shape rule's extent, that of the index data; `valid` is what `validate` asks of every entry; `lead` and `rest` are the positions among the axes before and after.",
    mutants: [
      {
        name: "longer-result",
        fault: "the result is longer than the index data.",
        without: "result",
        small: `(and ${between(1, 6, "from", "count")} ${between(1, 1, "leads", "inner")} ${between(0, 20, "c")})`,
        execute: (numbers) => {
          const [c, count, entry, from] = names(numbers);
          return asSaid(applied(from, new Array<number>(count).fill(entry)), { shape: [c + 1] });
        },
      },
      {
        name: "any-index",
        fault: "no one looks at the index data.",
        without: "valid",
        small: `(and ${between(1, 6, "from", "count")} ${between(1, 1, "leads", "inner")} ${between(-9, 20, "entry")})`,
        execute: (numbers) => {
          const [c, count, entry, from] = names(numbers);
          const wrong = applied(from, new Array<number>(count).fill(0).with(c, entry));
          const right = isInvalid(wrong) ? undefined : "validate accepts it";
          return judged(right, failureOf(wrong), `${op} of [${from}] at index ${entry}`);
        },
      },
    ],
  };
}

/** These lemmas are about the reference's maps that go axis by axis. */
export const axisMaps: readonly Lemma[] = [
  broadcastLemma,
  permuteLemma,
  sumLemma,
  takeLemma("take", { axis: 0, indices: "k" }),
  takeLemma("take_along_axis", { axis: 0, indices: "k" }),
];
