import { coordinatesOf, positionOf } from "../../../reference/operators/index.ts";
import { sizeOf } from "../../../spec/shapes/index.ts";
import type { Execution } from "../obligation.ts";
import { read } from "./applying.ts";
import { between, divided, judged, type Lemma, type Numbers, thrownBy, within } from "./lemma.ts";

/** Reads a tensor of a shape at coordinates, and, rightly, at those of each position. */
function readAt(shape: readonly number[], coordinates: readonly number[]): Execution {
  const right = thrownBy(() => {
    for (let position = 0; position < sizeOf(shape); position++)
      read(shape, positionOf(shape, coordinatesOf(shape, position)));
  });
  const wrong = thrownBy(() => read(shape, positionOf(shape, coordinates)));
  return judged(right, wrong, `coordinates [${coordinates.join()}] in [${shape.join()}]`);
}

/** Splits a position as `coordinatesOf` does and joins it again; and with a wrong quotient or rest. */
function roundTrip(
  numbers: Numbers,
  wrongly: (p: number, stride: number, extent: number) => number,
): Execution {
  const { p = 0, extent = 0, stride = 0 } = numbers;
  const shape = [Math.floor(p / (extent * stride)) + 1, extent, stride];
  const made = coordinatesOf(shape, p);
  const changed = made.with(1, wrongly(p, stride, extent));
  const told = (coordinates: readonly number[]): string =>
    `[${coordinates.join()}], position ${positionOf(shape, coordinates)}`;
  return {
    showsFault: positionOf(shape, made) === p && positionOf(shape, changed) !== p,
    told: `position ${p} of [${shape.join()}] is ${told(made)}; wrongly ${told(changed)}`,
  };
}

/** These are about positions and coordinates, of which index maps are made, by induction over the axes. */
export const positions: readonly Lemma[] = [
  {
    name: "extents/row_major",
    statement: "A row-major position is below the size, if each index is below its extent",
    logic: "QF_NIA",
    subject: "positionOf",
    symbols: ["i", "inner", "m", "n"],
    hypotheses: [
      { name: "index", formula: within("i", "m") },
      { name: "inner_position", formula: within("inner", "n") },
    ],
    goal: within("(+ (* i n) inner)", "(* m n)"),
    metaArgument:
      "Induction over the axes: `inner` is a position in the block of `n` elements that an index of the outermost axis names.",
    mutants: [
      {
        name: "any-index",
        fault: "the outer index is anything.",
        without: "index",
        small: `(and ${between(1, 6, "m", "n")} ${between(-9, 9, "i")})`,
        execute: ({ i = 0, inner = 0, m = 0, n = 0 }) => readAt([m, n], [i, inner]),
      },
      {
        name: "any-position",
        fault: "the inner position is anything.",
        without: "inner_position",
        small: `(and ${between(1, 6, "m", "n")} ${between(-60, 60, "inner")})`,
        execute: ({ i = 0, inner = 0, m = 0, n = 0 }) => readAt([m, n], [i, inner]),
      },
    ],
  },
  {
    name: "reference/quotient",
    statement: "A position of m blocks of n elements is in one of the m blocks",
    logic: "QF_NIA",
    subject: "coordinatesOf",
    symbols: ["p", "q", "r", "m", "n"],
    hypotheses: [
      { name: "position", formula: within("p", "(* m n)") },
      { name: "division", formula: divided("p", "n", "q", "r") },
    ],
    goal: within("q", "m"),
    metaArgument: "Quotient and rest are determined by their bounds, so that no solver needs to divide.",
    mutants: [
      {
        name: "any-position",
        fault: "the position is anything.",
        without: "position",
        small: `(and ${between(1, 6, "m", "n")} ${between(-60, 60, "p")})`,
        execute: ({ q = 0, r = 0, m = 0, n = 0 }) => readAt([m, n], [q, r]),
      },
      {
        name: "rounded-up",
        fault: "the quotient is rounded up.",
        instead: [{ name: "division", formula: `(and (= p (- (* q n) r)) ${within("r", "n")})` }],
        small: between(1, 6, "m", "n"),
        execute: ({ p = 0, m = 0, n = 1 }) => readAt([m, n], [Math.ceil(p / n), 0]),
      },
    ],
  },
  {
    name: "reference/coordinates",
    statement:
      "A coordinate and the position within the block below it make up the position within the block of their axis, and no more",
    logic: "QF_NIA",
    subject: "coordinatesOf",
    symbols: ["p", "q", "c", "u", "r", "stride", "extent"],
    hypotheses: [
      { name: "division", formula: divided("p", "stride", "q", "r") },
      { name: "remainder", formula: divided("q", "extent", "u", "c") },
    ],
    goal: `(and (= (- p (* u (* extent stride))) (+ (* c stride) r)) ${within("(+ (* c stride) r)", "(* extent stride)")})`,
    dependsOn: ["reference/quotient"],
    metaArgument:
      "Induction over the axes from the innermost: positionOf undoes coordinatesOf, and each coordinate is below its extent; the outermost quotient is 0 by reference/quotient.",
    mutants: [
      {
        name: "rounded-up",
        fault: "the quotient is rounded up.",
        instead: [{ name: "division", formula: `(and (= p (- (* q stride) r)) ${within("r", "stride")})` }],
        // An axis of extent 1 has one coordinate, however it is rounded.
        small: `(and ${between(2, 6, "stride", "extent")} ${between(0, 99, "p")} (>= u 0))`,
        execute: (numbers) => roundTrip(numbers, (p, stride, extent) => Math.ceil(p / stride) % extent),
      },
      {
        name: "no-remainder",
        fault: "the quotient is the coordinate.",
        instead: [{ name: "remainder", formula: "(= q c)" }],
        small: `(and ${between(1, 6, "stride", "extent")} ${between(0, 99, "p")} (>= c extent))`,
        execute: (numbers) => roundTrip(numbers, (p, stride) => Math.floor(p / stride)),
      },
    ],
  },
];
