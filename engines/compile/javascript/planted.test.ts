import { describe, expect, it } from "vitest";
import { at, sizeOf } from "../../../spec/index.ts";
import type { Precision } from "../plan/executable.ts";
import { shapeOfValue } from "../plan/program.ts";
import { assemble } from "./assembly.ts";
import type { Arithmetic } from "./emit/arithmetic.ts";
import { loopProgramText } from "./loops/program.ts";
import {
  answerOf,
  difference,
  meaningOf,
  numbersIn,
  plainLayout,
  type Specimen,
  specimen,
} from "./specimens.test.kit.ts";
import { StraightText } from "./straight/text.ts";
import { scalarOperations, unroll } from "./straight/unroll.ts";

/** Makes an executable of a text. */
function executableOf({ program }: Specimen, text: string, precision: Precision) {
  const layout = plainLayout(program);
  const arena = numbersIn(precision, new Float64Array(layout.length));
  const results = program.results.map((id) => {
    const place = at(layout.places, id - program.sources.length);
    return arena.subarray(place, place + sizeOf(shapeOfValue(program, id)));
  });
  return { run: assemble(text, { arena, routines: [] }), results, bytes: 0 };
}

/** Returns the first seed whose program, as a writer writes it, gives wrong results. */
function firstWrong(write: (subject: Specimen) => string, precision: Precision): number | undefined {
  for (let seed = 1; seed <= 600; seed++) {
    const subject = specimen(seed);
    const executable = executableOf(subject, write(subject), precision);
    if (difference(answerOf(subject, executable, precision), meaningOf(subject, precision)) !== undefined)
      return seed;
  }
  return undefined;
}

function loopsIn(precision: Arithmetic): (subject: Specimen) => string {
  return ({ program }) =>
    loopProgramText({ program, layout: plainLayout(program), arithmetic: precision }, "bit_exact");
}

function straightIn(arithmetic: Arithmetic, isFast = false): (subject: Specimen) => string {
  return (subject) => {
    const { program } = subject;
    if (scalarOperations(program) === Infinity) return loopsIn(arithmetic)(subject);
    const { scalars, values } = unroll(program, arithmetic, isFast);
    const { places } = plainLayout(program);
    const stores = program.results.flatMap((id) =>
      at(values, id).map((scalar, i) => ({
        scalar,
        place: at(places, id - program.sources.length) + i,
      })),
    );
    return new StraightText(scalars.all, arithmetic, 40).write(stores);
  };
}

/** Replaces the first few matches of a pattern in a text: a fault of the writer. */
function faulty(
  write: (subject: Specimen) => string,
  pattern: RegExp,
  replacement: string,
): (subject: Specimen) => string {
  return (subject) => write(subject).replace(pattern, replacement);
}

describe("a writer of loops is caught that", () => {
  it("is none of these", () => expect(firstWrong(loopsIn("float32"), "float32")).toBeUndefined());

  it.each<[string, Precision, RegExp, string]>([
    ["forgets to round one result", "float32", /fround(\([^()]*\([^()]*\)\))/, "$1"],
    ["does not round a total", "float32", /(a\d+)=fround\((\1\+t\d+)\)/g, "$1=$2"],
    ["swaps the operands of a difference", "float64", /\((t\d+)-(t\d+)\)/, "($2-$1)"],
    ["steps too far along one stride", "float64", /(i\d+_\d+)\+=(\d+)\)/, "$1+=$2+1)"],
    ["reads one element too far", "float64", /\[(i\d+_\d+)\];/, "[$1+1];"],
    ["starts a sum from -0", "float64", /let a0=0;/g, "let a0=-0;"],
    ["lets a maximum forget NaN", "float64", /&&(a\d+)===\1/g, ""],
    ["lets a maximum skip NaN", "float64", /!\((t\d+)<=(a\d+)\)/g, "$1>$2"],
    ["takes NaN for a condition that does not hold", "float64", /\((t\d+)===0\)/g, "(!($1>0||$1<0))"],
    ["reads -0 as 0", "float64", /\(-0\)/g, "0"],
    ["does not clear what no piece covers", "float64", /A\.fill\(0/g, "A.fill(1"],
  ])("%s", (_fault, precision, pattern, replacement) => {
    expect(firstWrong(faulty(loopsIn(precision), pattern, replacement), precision)).toBeDefined();
  });
});

describe("a writer of straight-line code is caught that", () => {
  it("is none of these", () => expect(firstWrong(straightIn("float32"), "float32")).toBeUndefined());

  it("leaves out every zero that is added", () => {
    expect(firstWrong(straightIn("float64", true), "float64")).toBeDefined();
  });

  it("keeps float64 between memory and memory", () => {
    expect(firstWrong(straightIn("wide"), "float32")).toBeDefined();
  });

  it.each<[string, Precision, RegExp, string]>([
    ["forgets to round one result", "float32", /fround(\([^()]*\([^()]*\)\))/, "$1"],
    [
      "swaps the operands of a difference",
      "float64",
      /\(([vs]\d+(?:\[\d+\])?)-([vs]\d+(?:\[\d+\])?)\)/g,
      "($2-$1)",
    ],
    ["reads one element too far", "float64", /(=s\d+)\[0\]/, "$1[1]"],
    ["stores a result one place too early", "float64", /A\[1\]=/g, "A[0]="],
    ["mixes up what it keeps for later", "float64", /=W\[1\]/g, "=W[0]"],
  ])("%s", (_fault, precision, pattern, replacement) => {
    expect(firstWrong(faulty(straightIn(precision), pattern, replacement), precision)).toBeDefined();
  });
});
