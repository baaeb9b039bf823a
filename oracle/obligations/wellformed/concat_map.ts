import type { Execution } from "../obligation.ts";
import { type Applied, failureOf, read } from "./applying.ts";
import { between, judged, type Lemma, type Numbers, thrownBy, within } from "./lemma.ts";

const before = ["(declare-fun before (Int) Int)", "(declare-fun extent (Int) Int)"];
const ask = ["(before w)", "(extent w)", "(before (+ w 1))"];

/** Joins a part, after another if it begins further on, with one of extent 1 behind it. */
function joined(numbers: Numbers): Applied<"concat"> {
  const { "(before w)": start = 0, "(extent w)": own = 0 } = numbers;
  return { op: "concat", attributes: { axis: 0 }, shapes: [[start], [own], [1]] };
}

/** Joins two parts of this many elements together, the second of one. */
function twoParts(total: number): Applied<"concat"> {
  return { op: "concat", attributes: { axis: 0 }, shapes: [[total - 1], [1]] };
}

/** Reads the part at a coordinate of the joined axis. */
function inPart(numbers: Numbers): Execution {
  const { c = 0, "(before w)": start = 0, "(extent w)": own = 0 } = numbers;
  const wrong = thrownBy(() => read([own], c - start));
  return judged(failureOf(joined(numbers)), wrong, `coordinate ${c} in the part [${own}] from ${start} on`);
}

/** These find which operand of `concat` holds an element, and its cotangent's place, by induction. */
export const concatMap: readonly Lemma[] = [
  {
    name: "reference/concat_part",
    statement: "The first operand that ends beyond a coordinate holds it",
    logic: "QF_UFLIA",
    subject: "concat",
    symbols: ["c", "w"],
    definitions: before,
    hypotheses: [
      { name: "sums", formula: "(= (before (+ w 1)) (+ (before w) (extent w)))" },
      { name: "ends_beyond", formula: "(< c (before (+ w 1)))" },
      { name: "first", formula: "(<= (before w) c)" },
    ],
    goal: within("(- c (before w))", "(extent w)"),
    dependsOn: ["extents/row_major", "reference/coordinates"],
    metaArgument:
      "`first`: the operand before does not end beyond c; nor is c below 0, where the first operand begins.",
    mutants: [
      {
        name: "ends-at",
        fault: "an operand that ends at the coordinate holds it.",
        instead: [{ name: "ends_beyond", formula: "(<= c (before (+ w 1)))" }],
        small: `(and ${between(0, 5, "(before w)", "(extent w)")})`,
        ask,
        execute: inPart,
      },
      {
        name: "not-first",
        fault: "any operand that ends beyond the coordinate is taken.",
        without: "first",
        small: `(and ${between(0, 5, "(before w)", "(extent w)", "c")})`,
        ask,
        execute: inPart,
      },
      {
        name: "offset-of-next",
        fault: "an operand ends where it begins and one further.",
        instead: [{ name: "sums", formula: "(= (before (+ w 1)) (+ (before w) (extent w) 1))" }],
        small: `(and ${between(0, 5, "(before w)", "(extent w)")})`,
        ask,
        execute: inPart,
      },
    ],
  },
  {
    name: "reference/concat_found",
    statement: "Some operand ends beyond a coordinate of the joined axis",
    logic: "QF_UFLIA",
    subject: "concat",
    symbols: ["c", "k", "count"],
    definitions: before.slice(0, 1),
    hypotheses: [
      { name: "looked_at", formula: "(<= k count)" },
      { name: "none_so_far", formula: "(<= (before k) c)" },
      { name: "joined", formula: "(< c (before count))" },
    ],
    goal: "(< k count)",
    metaArgument:
      "Induction over the operands that were looked at: an operand that does not end beyond c leaves `none_so_far` for the next; at the last the search cannot have ended without one.",
    mutants: [
      {
        name: "longer-result",
        fault: "the joined axis may be longer than the operands.",
        without: "joined",
        small: `(and (= k count) ${between(1, 6, "(before count)")} ${between(0, 20, "c")})`,
        ask: ["(before count)"],
        execute: ({ c = 0, "(before count)": total = 0 }) => {
          const right = twoParts(total);
          return judged(
            failureOf(right),
            failureOf({ ...right, shape: [c + 1] }),
            `concat to [${c + 1}] of [${total}]`,
          );
        },
      },
      {
        name: "passed-by",
        fault: "the search goes by operands that hold the coordinate.",
        without: "none_so_far",
        small: `(and (= k count) ${between(1, 6, "(before count)")} ${between(0, 6, "c")})`,
        ask: ["(before count)"],
        execute: ({ c = 0, "(before count)": total = 0 }) => {
          // A search past all operands has found none; a tensor without elements stands in for it.
          return judged(
            failureOf(twoParts(total)),
            thrownBy(() => read([0], c)),
            `coordinate ${c} of [${total}], gone by`,
          );
        },
      },
    ],
  },
  {
    name: "reference/concat_cotangent",
    statement: "Every coordinate of an operand has its place on the joined axis",
    logic: "QF_UFLIA",
    subject: "concat",
    symbols: ["c", "w", "total"],
    definitions: before,
    hypotheses: [
      { name: "coordinate", formula: within("c", "(extent w)") },
      { name: "begins", formula: "(<= 0 (before w))" },
      { name: "ends", formula: "(<= (+ (before w) (extent w)) total)" },
    ],
    goal: within("(+ c (before w))", "total"),
    dependsOn: ["extents/row_major", "reference/coordinates"],
    metaArgument:
      "`begins` and `ends` by induction over the operands: sums of extents, which are not negative, only grow.",
    mutants: [
      {
        name: "shorter-cotangent",
        fault: "the joined axis may be shorter than the operands.",
        without: "ends",
        small: `(and ${between(0, 5, "(before w)", "(extent w)")} ${between(1, 12, "total")})`,
        ask: ["(before w)", "(extent w)"],
        execute: (numbers) => {
          const right = joined(numbers);
          const { total = 0 } = numbers;
          return judged(
            failureOf(right),
            failureOf({ ...right, cotangent: [total] }),
            `cotangents of concat from [${total}]`,
          );
        },
      },
      {
        name: "negative-extent",
        fault: "an operand may begin before 0.",
        without: "begins",
        small: `(and ${between(-5, 5, "(before w)")} ${between(1, 6, "(extent w)", "total")})`,
        ask: ["(before w)", "(extent w)"],
        execute: ({ c = 0, total = 0, "(before w)": start = 0, "(extent w)": own = 0 }) => {
          const right = failureOf({ op: "concat", attributes: { axis: 0 }, shapes: [[own], [total]] });
          return judged(
            right,
            thrownBy(() => read([total], c + start)),
            `the operand from ${start} on, in [${total}]`,
          );
        },
      },
      {
        name: "any-coordinate",
        fault: "the coordinate is anything.",
        without: "coordinate",
        small: `(and ${between(0, 5, "(before w)", "(extent w)")} ${between(0, 20, "c")} (= total (+ (before w) (extent w) 1)))`,
        ask: ["(before w)", "(extent w)"],
        execute: (numbers) => {
          const { c = 0, total = 0, "(before w)": start = 0 } = numbers;
          const wrong = failureOf({ ...joined(numbers), shapes: [[start], [c + 1]], cotangent: [total] });
          return judged(
            failureOf(joined(numbers)),
            wrong,
            `cotangents of concat up to ${c}, from [${total}]`,
          );
        },
      },
    ],
  },
];
