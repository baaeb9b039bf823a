import { javascript } from "../../../engines/compile/javascript/index.ts";
import {
  apply,
  type Backend,
  type LoopProgram,
  literal,
  read,
  soundPasses,
  unitOf,
} from "../../../engines/compile/plan/index.ts";
import { wasm } from "../../../engines/compile/wasm/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { formatNumbers } from "./equivalence.ts";
import { type AnyFormat, roundedTo } from "./numbers.ts";
import { scalarProgram } from "./programs.ts";

/** Engines may compute this operation in float64 and round to float32, as JavaScript must. */
export interface Operation {
  readonly name: "add" | "subtract" | "multiply" | "divide" | "sqrt";
  readonly symbol: string;
  readonly count: 1 | 2;
  /** This many bits are too few for these numbers. */
  readonly tooFew: number;
  readonly at: readonly [number, number];
  of(x: number, y: number): number;
}

/** These operations are claimed. */
export const operations: readonly Operation[] = [
  {
    name: "add",
    symbol: "fp.add",
    count: 2,
    tooFew: 6,
    at: [0.4375, 5],
    of: (x, y) => x + y,
  },
  {
    name: "subtract",
    symbol: "fp.sub",
    count: 2,
    tooFew: 6,
    at: [0.4375, -5],
    of: (x, y) => x - y,
  },
  {
    name: "multiply",
    symbol: "fp.mul",
    count: 2,
    tooFew: 4,
    at: [0.375, 0.4375],
    of: (x, y) => x * y,
  },
  {
    name: "divide",
    symbol: "fp.div",
    count: 2,
    tooFew: 5,
    at: [0.25, 0.4375],
    of: (x, y) => x / y,
  },
  {
    name: "sqrt",
    symbol: "fp.sqrt",
    count: 1,
    tooFew: 7,
    at: [0.875, 0],
    of: (x) => Math.sqrt(x),
  },
];

/** This format stands for float32; it is small enough to be decided. */
const narrow: AnyFormat = { exponent: 3, significand: 3 };

/** Makes the format that stands for float64, with this many bits: 53 is at least 2 · 24 + 2. */
function wideWith(significand: number): AnyFormat {
  return { exponent: 6, significand };
}

const enough: number = 2 * narrow.significand + 2;

function sortOf({ exponent, significand }: AnyFormat): string {
  return `(_ FloatingPoint ${exponent} ${significand})`;
}

function converted({ exponent, significand }: AnyFormat, term: string): string {
  return `((_ to_fp ${exponent} ${significand}) RNE ${term})`;
}

function applied({ symbol, count }: Operation, operands: readonly string[]): string {
  return `(${symbol} RNE ${operands.slice(0, count).join(" ")})`;
}

/** States that an operation in the wide format, rounded to the narrow one, is the narrow operation. */
function goalWith(operation: Operation, wide: AnyFormat): string {
  const operands = ["a", "b"].map((name) => converted(wide, name));
  return `(= ${converted(narrow, applied(operation, operands))} ${applied(operation, ["a", "b"])})`;
}

function obligationOf(operation: Operation): Obligation {
  const { name, count } = operation;
  const symbols = ["a", "b"].slice(0, count);
  const mutants = [fewerBits(operation)];
  return {
    id: `rewrites/units/rounded_twice/${name}`,
    statement: `To ${name} in a format of 2 q + 2 bits and to round the result to q bits is to ${name} in the format of q bits: bit for bit, ends of the range and all, for q = ${narrow.significand}.`,
    clause: "SEMANTICS §7",
    logic: "QF_FP",
    scope: { kind: "rewrite", rewrite: "units", format: `${narrow.significand} bits by way of ${enough}` },
    tier: "long",
    declarations: symbols.map((name) => `(declare-const ${name} ${sortOf(narrow)})`).join("\n"),
    hypotheses: [],
    goal: goalWith(operation, wideWith(enough)),
    rlimit: 110_000_000,
    requiredCore: [],
    mutants: name === "add" ? [...mutants, notRoundedBetween(operation)] : mutants,
    dependsOn: [],
    metaArgument:
      "Figueroa (1995): what is rounded to p bits and then to q is rounded once, for +, −, ×, ÷ and √ of numbers of q bits, if p ≥ 2 q + 2. Float64 has 53 bits and float32 24, and 53 ≥ 50; its range holds every result of theirs unless it is 0 or infinite in float32 too. So arithmetic on literals of float32 is done in float64 and rounded where it is used, and generated JavaScript rounds every application of its own. Of other functions nothing is claimed: none is computed beforehand.",
  };
}

/** Fixes the numbers `a` and `b`, so that a solver need not search for them. */
function pinned(numbers: readonly number[]): string {
  return numbers
    .map((x, n) => `(define-fun ${["a", "b"][n]} () ${sortOf(narrow)} ${narrowConstant(x)})`)
    .join("\n");
}

/** Writes a number of the narrow format, in magnitude at least its smallest normal one, in SMT-LIB. */
function narrowConstant(x: number): string {
  const { exponent, significand } = narrow;
  const scale = Math.floor(Math.log2(Math.abs(x)));
  const biased = scale + 2 ** (exponent - 1) - 1;
  const fraction = (Math.abs(x) / 2 ** scale - 1) * 2 ** (significand - 1);
  const bits = (value: number, width: number): string => `#b${value.toString(2).padStart(width, "0")}`;
  return `(fp #b${x < 0 ? 1 : 0} ${bits(biased, exponent)} ${bits(fraction, significand - 1)})`;
}

/** Plants a wide format of too few bits. */
function fewerBits(operation: Operation): ObligationMutant {
  const { tooFew: significand, at } = operation;
  const wide = wideWith(significand);
  return {
    declarations: pinned(at.slice(0, operation.count)),
    name: `by_way_of_${significand}_bits`,
    fault: `the wide format has ${significand} bits.`,
    goal: goalWith(operation, wide),
    ask: ["a", "b"].slice(0, operation.count),
    execute(model) {
      const [x = 0, y = 0] = numbersIn(model);
      const once = roundedTo(narrow, operation.of(x, y));
      const by = (format: AnyFormat): number => roundedTo(narrow, roundedTo(format, operation.of(x, y)));
      const isRight = Object.is(by(wideWith(enough)), once) && !Object.is(by(wide), once);
      return inEngines(
        operation,
        [x, y],
        isRight,
        `${once} at once, ${by(wide)} by way of ${significand} bits`,
      );
    },
  };
}

/** Plants two operations in the wide format, rounded once. */
function notRoundedBetween(operation: Operation): ObligationMutant {
  const wide = wideWith(enough);
  const [a, b] = ["a", "b"].map((name) => converted(wide, name));
  const twice = applied(operation, [applied(operation, [a ?? "", b ?? ""]), b ?? ""]);
  const stepwise = applied(operation, [applied(operation, ["a", "b"]), "b"]);
  return {
    name: "not_rounded_between",
    fault: "what is computed beforehand is an operand before it is rounded.",
    // The numbers are 5 and 4: halves are lost in 4 one by one.
    declarations: pinned([4, 0.5]),
    goal: `(= ${converted(narrow, twice)} ${stepwise})`,
    ask: ["a", "b"],
    execute(model) {
      const [x = 0, y = 0] = numbersIn(model);
      const { of } = operation;
      const right = roundedTo(narrow, of(roundedTo(narrow, of(x, y)), y));
      const wrong = roundedTo(narrow, of(of(x, y), y));
      return inEngines(
        operation,
        [x, y],
        !Object.is(right, wrong),
        `${right} step by step, ${wrong} rounded at the end`,
      );
    },
  };
}

/** Runs the operation on the model's numbers: beforehand, in JavaScript by float64, in WebAssembly. */
function inEngines(
  operation: Operation,
  numbers: readonly [number, number],
  isRight: boolean,
  told: string,
): Execution {
  const { name, count } = operation;
  const operands = numbers.slice(0, count);
  const folded = unitOf({ kind: "apply", function: name, operands: operands.map(literal) });
  const beforehand = folded?.kind === "literal" ? Math.fround(folded.value) : undefined;
  const program = scalarProgram(count, apply(name, ...operands.map((_, n) => read(n))));
  const [byWay = 0, own = 0] = [javascript, wasm].map((backend) => runIn(backend, program, operands));
  const isAlike = Object.is(byWay, own) && (beforehand === undefined || Object.is(beforehand, own));
  return {
    showsFault: isRight && isAlike && (beforehand !== undefined || name === "sqrt"),
    told: `${name} of ${formatNumbers(operands)}: ${told}; float32 ${formatNumbers([own])} by its own instruction, ${formatNumbers([byWay])} by way of float64`,
  };
}

function runIn(backend: Backend, program: LoopProgram, operands: readonly number[]): number {
  const { layout } = soundPasses.layOut(program, { reusesBuffers: true, isInPlace: true, alignment: 4 });
  const { run, results } = backend.build({ program, layout, precision: "float32", regime: "bit_exact" });
  run(
    operands.map((x) => Float32Array.of(x)),
    [],
  );
  return present(results[0]?.[0], "a result");
}

function numbersIn(model: Model): readonly [number, number] {
  const [x = 0, y = 0] = [...model.values()].map(narrowNumber);
  return [x, y];
}

/** Reads the number of the narrow format that a solver prints. Throws `RangeError` for other text. */
function narrowNumber(text: string): number {
  const special = /^\(_ (\+zero|-zero|\+oo|-oo|NaN) /.exec(text)?.[1];
  if (special !== undefined)
    return { "+zero": 0, "-zero": -0, "+oo": Infinity, "-oo": -Infinity }[special] ?? Number.NaN;
  const [, sign, exponent = "", fraction = ""] = /^\(fp #b([01]) #b([01]+) #b([01]+)\)$/.exec(text) ?? [];
  if (sign === undefined) throw new RangeError(`no number of the narrow format: ${text}`);
  const biased = Number.parseInt(exponent, 2);
  const bias = 2 ** (narrow.exponent - 1) - 1;
  const part = Number.parseInt(fraction, 2) / 2 ** fraction.length;
  const magnitude = biased === 0 ? part * 2 ** (1 - bias) : (1 + part) * 2 ** (biased - bias);
  return sign === "1" ? -magnitude : magnitude;
}

/** States that float32 arithmetic may be done in float64 and rounded, in a format small enough to decide. */
export function doubleRoundingObligations(): readonly Obligation[] {
  return operations.map(obligationOf);
}
