import { sizeOf } from "../../../spec/shapes/index.ts";
import { type Applied, failureOf, isInvalid, mapped, shapeOf } from "./applying.ts";
import { between, divided, judged, type Lemma, within } from "./lemma.ts";

const gatherLemma: Lemma = {
  name: "reference/gather",
  statement: "A row of indices is there, and the block that it names, and each element of the block",
  logic: "QF_NIA",
  subject: "gather, scatter_add",
  symbols: ["p", "row", "rest", "inner", "rows", "lead", "leads", "k", "depth"],
  hypotheses: [
    { name: "division", formula: divided("p", "inner", "row", "rest") },
    { name: "row_there", formula: within("row", "rows") },
    { name: "column", formula: within("k", "depth") },
    { name: "lead_there", formula: within("lead", "leads") },
  ],
  goal: `(and ${within("(+ (* row depth) k)", "(* rows depth)")} ${within("(+ (* lead inner) rest)", "(* leads inner)")})`,
  dependsOn: ["extents/row_major", "reference/quotient"],
  metaArgument:
    "`row_there` by reference/quotient, since the shape rule gives the result a block for each row; `lead_there` by extents/row_major from entries that `validate` has looked at.",
  mutants: [
    {
      name: "any-entry",
      fault: "no one looks at the index data.",
      without: "lead_there",
      small: `(and ${between(1, 6, "inner", "leads", "rows")} ${between(1, 1, "depth")} ${between(-9, 20, "lead")})`,
      execute: ({ row = 0, rows = 0, lead = 0, leads = 0, inner = 0 }) => {
        const indices = { shape: [rows, 1], indices: new Array<number>(rows).fill(0).with(row, lead) };
        const wrong: Applied<"gather"> = {
          op: "gather",
          attributes: { indices: "k" },
          shapes: [[leads, inner]],
          indices,
        };
        const right = isInvalid(wrong) ? undefined : "validate accepts it";
        return judged(right, failureOf(wrong), `gather of [${leads},${inner}] at ${lead}`);
      },
    },
    {
      name: "more-rows",
      fault: "the result has more blocks than there are rows.",
      without: "row_there",
      small: `(and ${between(1, 6, "inner", "leads", "rows")} ${between(1, 3, "depth")} ${between(0, 99, "p")})`,
      execute: ({ row = 0, rows = 0, k = 0, depth = 1, inner = 0 }) => {
        const indices = { shape: [rows, depth], indices: new Array<number>(rows * depth).fill(0) };
        const shapes = [[...new Array<number>(depth).fill(2), inner]];
        const right: Applied<"gather"> = { op: "gather", attributes: { indices: "k" }, shapes, indices };
        return mapped(failureOf(right), indices.shape, row * depth + k, `row ${row} of index data`);
      },
    },
    {
      name: "any-column",
      fault: "a row is read beyond its depth.",
      without: "column",
      small: `(and ${between(1, 6, "inner", "leads", "rows")} ${between(1, 3, "depth")} ${between(0, 20, "k")})`,
      execute: ({ row = 0, rows = 0, k = 0, depth = 1, inner = 0 }) => {
        const indices = { shape: [rows, depth], indices: new Array<number>(rows * depth).fill(0) };
        const shapes = [[...new Array<number>(depth).fill(2), inner]];
        const right: Applied<"gather"> = { op: "gather", attributes: { indices: "k" }, shapes, indices };
        return mapped(failureOf(right), indices.shape, row * depth + k, `column ${k} of index data`);
      },
    },
    {
      name: "undivided",
      fault: "the position in the block is not the rest.",
      instead: [{ name: "division", formula: "(= p rest)" }],
      small: `(and ${between(1, 6, "inner", "leads", "rows")} ${between(1, 1, "depth")} (<= 0 p) (< p (* rows inner)))`,
      execute: ({ p = 0, rows = 0, lead = 0, leads = 0, inner = 0 }) => {
        const indices = { shape: [rows, 1], indices: new Array<number>(rows).fill(lead) };
        const right: Applied<"gather"> = {
          op: "gather",
          attributes: { indices: "k" },
          shapes: [[leads, inner]],
          indices,
        };
        return mapped(failureOf(right), [leads, inner], lead * inner + p, `gather of block ${lead}`);
      },
    },
  ],
};

/** States that the running sum, up or down an axis, stays in bounds. */
function runningLemma(direction: "up" | "down"): Lemma {
  const isUp = direction === "up";
  const first = isUp ? "0" : "(- extent 1)";
  return {
    name: `reference/cumulative_sum_${direction}`,
    statement: `Every element but the first of a line, ${direction} the axis, has one before it in its line`,
    logic: "QF_NIA",
    subject: "cumulative_sum",
    symbols: ["p", "q", "c", "u", "r", "stride", "extent", "lines"],
    hypotheses: [
      { name: "division", formula: divided("p", "stride", "q", "r") },
      { name: "remainder", formula: divided("q", "extent", "u", "c") },
      { name: "line", formula: within("u", "lines") },
      { name: "not_first", formula: `(not (= c ${first}))` },
    ],
    goal: `(and ${within(isUp ? "(- p stride)" : "(+ p stride)", "(* lines extent stride)")} ${within(isUp ? "(- c 1)" : "(+ c 1)", "extent")})`,
    dependsOn: ["reference/coordinates"],
    metaArgument: `The value runs up, its cotangent down. \`line\` by reference/quotient, twice.`,
    mutants: [
      {
        name: "not-asked",
        fault: "the first of a line looks for one before it.",
        without: "not_first",
        small: `(and ${between(1, 4, "stride", "extent", "lines")} (= u ${isUp ? "0" : "(- lines 1)"}))`,
        execute: ({ p = 0, stride = 0, extent = 0, lines = 0 }) => {
          const shape = [lines, extent, stride];
          const right = failureOf({ op: "cumulative_sum", attributes: { axis: 1 }, shapes: [shape] });
          return mapped(right, shape, isUp ? p - stride : p + stride, "the sum so far");
        },
      },
      {
        name: "other-first",
        fault: "the first of a line is the last.",
        instead: [{ name: "not_first", formula: `(not (= c ${isUp ? "(- extent 1)" : "0"}))` }],
        small: `(and ${between(2, 4, "stride", "extent", "lines")} (= u ${isUp ? "0" : "(- lines 1)"}))`,
        execute: ({ p = 0, stride = 0, extent = 0, lines = 0 }) => {
          const shape = [lines, extent, stride];
          const right = failureOf({ op: "cumulative_sum", attributes: { axis: 1 }, shapes: [shape] });
          return mapped(right, shape, isUp ? p - stride : p + stride, "the sum so far");
        },
      },
    ],
  };
}

const sameSizeLemma: Lemma = {
  name: "reference/same_size",
  statement: "Every position of a result is one of an operand of the same size",
  logic: "QF_LIA",
  subject: "reshape and elementwise operators",
  symbols: ["p", "to", "from"],
  hypotheses: [
    { name: "position", formula: within("p", "to") },
    { name: "rule", formula: "(= to from)" },
  ],
  goal: within("p", "from"),
  metaArgument:
    "Elementwise shape rules want equal shapes, that of reshape equal sizes; no other position is computed.",
  mutants: [
    {
      name: "any-size",
      fault: "the sizes need not be equal.",
      without: "rule",
      small: between(1, 9, "to", "from"),
      execute: ({ to = 0, from = 0 }) => {
        const wrong: Applied<"add"> = { op: "add", attributes: {}, shapes: [[to], [from]], shape: [to] };
        const reshaped = shapeOf({ op: "reshape", attributes: { shape: [to] }, shapes: [[from]] });
        const right =
          shapeOf(wrong) === undefined && reshaped === undefined ? undefined : "a shape rule accepts it";
        return judged(right, failureOf(wrong), `add of [${to}] and [${from}]`);
      },
    },
    {
      name: "any-position",
      fault: "the position is anything.",
      without: "position",
      small: `(and ${between(1, 9, "to", "from")} ${between(-9, 20, "p")})`,
      execute: ({ p = 0, from = 0 }) =>
        mapped(
          failureOf({ op: "negative", attributes: {}, shapes: [[from]] }),
          [sizeOf([from])],
          p,
          "negative",
        ),
    },
  ],
};

/** These lemmas are about the reference's maps that compute with positions. */
export const flatMaps: readonly Lemma[] = [
  gatherLemma,
  runningLemma("up"),
  runningLemma("down"),
  sameSizeLemma,
];
