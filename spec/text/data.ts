import { formatShape, isSameShape, type Shape, sizeOf, wellFormedShape } from "../shapes/index.ts";
import {
  type ComponentSet,
  formatFloat64,
  type MemberSet,
  parseFloat64,
  type TensorJson,
} from "../wire/index.ts";
import type { Faults } from "./fault.ts";
import type { Datum, Expression } from "./tree.ts";

/** The whole number from 0 that a part of the text is. */
export function wholeOf(one: Datum | Expression): number | undefined {
  return one.kind === "number" && /^[0-9]+$/.test(one.text) ? Number(one.text) : undefined;
}

/** The integer that a part of the text is, which may have a sign. */
export function integerOf(one: Datum | Expression): number | undefined {
  if (one.kind === "negative") {
    const number = wholeOf(one.operand);
    return number === undefined ? undefined : 0 - number;
  }
  return one.kind === "number" && /^-?[0-9]+$/.test(one.text) ? Number(one.text) + 0 : undefined;
}

/** The integers that data are, if all are some. */
export function integersOf(data: readonly Datum[]): readonly number[] | undefined {
  const numbers = data.flatMap((datum) => integerOf(datum) ?? []);
  return numbers.length === data.length ? numbers : undefined;
}

/** The whole numbers that data are, if all are some. */
export function wholesOf(data: readonly Datum[]): readonly number[] | undefined {
  const numbers = data.flatMap((datum) => wholeOf(datum) ?? []);
  return numbers.length === data.length ? numbers : undefined;
}

/** The JSON of an attribute; `undefined`, and a fault, where JSON has no such value. */
export function attributeOf(datum: Datum, faults: Faults): unknown {
  switch (datum.kind) {
    case "list": {
      const entries = datum.entries.map((entry) => attributeOf(entry, faults));
      return entries.includes(undefined) ? undefined : entries;
    }
    case "word":
      return datum.text === "true" ? true : datum.text === "false" ? false : datum.text;
    case "quoted":
      return datum.text;
    case "number": {
      const number = parseFloat64(datum.text);
      if (number !== undefined && Number.isFinite(number)) return number;
      break;
    }
    default:
  }
  const hint = "attributes are finite numbers, words, texts in quotes and lists of them";
  faults.add("text/attribute", datum.place, "this is no value of an attribute.", hint);
  return undefined;
}

/** The shape of nested lists, by their first entries: `[[1, 2], [3, 4]]` has the shape [2, 2]. */
function shapeOf(datum: Datum): Shape {
  const [first] = datum.kind === "list" ? datum.entries : [];
  if (datum.kind !== "list") return [];
  return [datum.entries.length, ...(first === undefined ? [] : shapeOf(first))];
}

/**
 * The leaves of nested lists, row-major, of a tensor with this shape; `undefined`, and a fault, where they do
 * not fit it. One leaf without a list stands for all elements; a tensor without elements is `[]`.
 */
export function leavesOf(datum: Datum, shape: Shape, faults: Faults): readonly Datum[] | undefined {
  const size = sizeOf(shape);
  if (datum.kind === "full") return filledLeaves(datum, shape, faults);
  if (datum.kind !== "list") return filled(datum, size, datum, faults);
  if (size === 0 && datum.entries.length === 0) return [];
  const leaves: Datum[] = [];
  const isFit = gather(datum, shape, leaves, faults);
  return isFit ? leaves : undefined;
}

function filled(value: Datum, size: number, { place }: Datum, faults: Faults): readonly Datum[] | undefined {
  return faults.mayFill(size, place) ? Array.from({ length: size }, () => value) : undefined;
}

/** A datum such as `full([0, 3], 1)`. */
type Filled = Extract<Datum, { readonly kind: "one_of" | "hull" | "full" }>;

function filledLeaves(datum: Filled, shape: Shape, faults: Faults): readonly Datum[] | undefined {
  const own = filledShape(datum, faults);
  const [, value] = datum.members;
  if (own === undefined || value === undefined) return undefined;
  if (isSameShape(own, shape)) return filled(value, sizeOf(shape), datum, faults);
  const message = `a tensor of the shape ${formatShape(own)} stands where ${formatShape(shape)} is due.`;
  faults.add("text/shape", datum.place, message, "one number outside of any list stands for all elements");
  return undefined;
}

/** The shape of what is filled; `undefined`, and a fault, if it says none. */
function filledShape({ members: [first, ...values], place }: Filled, faults: Faults): Shape | undefined {
  const entries = first?.kind === "list" && values.length === 1 ? first.entries : undefined;
  const shape = entries?.map((entry) => (entry.kind === "number" ? Number(entry.text) : Number.NaN));
  const checked = shape === undefined ? undefined : wellFormedShape(shape);
  if (checked?.ok === true) return shape;
  const hint = checked?.error.hint ?? "write full([0, 3], 1) for a tensor of the shape [0, 3]";
  faults.add("text/shape", place, "full takes a shape and the number of all elements.", hint);
  return undefined;
}

function gather(datum: Datum, shape: Shape, leaves: Datum[], faults: Faults): boolean {
  const [extent, ...inner] = shape;
  if (extent === undefined && datum.kind !== "list") {
    leaves.push(datum);
    return true;
  }
  if (extent !== undefined && datum.kind === "list" && datum.entries.length === extent)
    return datum.entries.every((entry) => gather(entry, inner, leaves, faults));
  const found = datum.kind === "list" ? `a list of ${datum.entries.length}` : "one number";
  const wanted = extent === undefined ? "one number" : `a list of ${extent}`;
  faults.add(
    "text/shape",
    datum.place,
    `${found} stands where ${wanted} is due.`,
    `the shape is ${formatShape(shape)} here; one number outside of any list stands for all elements`,
  );
  return false;
}

/** The tensor of a datum, in a given shape or the one of its lists. */
export function tensorOf(datum: Datum, shape: Shape | undefined, faults: Faults): TensorJson | undefined {
  const own = shape ?? (datum.kind === "full" ? filledShape(datum, faults) : shapeOf(datum));
  const leaves = own === undefined ? undefined : leavesOf(datum, own, faults);
  if (own === undefined || leaves === undefined) return undefined;
  const data = leaves.map((leaf) => {
    if (leaf.kind === "number" && parseFloat64(leaf.text) !== undefined) return numberJson(leaf.text);
    const hint = "a number is written like 3, -0.25, 0x1.8p+1, inf or nan";
    faults.add("text/number", leaf.place, "this is no number of a tensor.", hint);
    return undefined;
  });
  return data.includes(undefined)
    ? undefined
    : { shape: [...own], data: data.filter((x) => x !== undefined) };
}

/** An integer as a JSON number, anything else as the text that it is. */
function numberJson(text: string): string | number {
  const number = Number(text);
  return /^-?[0-9]+$/.test(text) && Number.isSafeInteger(number) && !Object.is(number, -0) ? number : text;
}

/** The sets of a datum, row-major, of a tensor with this shape. */
export function setsOf(datum: Datum, shape: Shape, faults: Faults): readonly ComponentSet[] | undefined {
  const sets = leavesOf(datum, shape, faults)?.map((leaf) => setOf(leaf, faults));
  return sets?.includes(undefined) === true ? undefined : sets?.filter((set) => set !== undefined);
}

function setOf(datum: Datum, faults: Faults): ComponentSet | undefined {
  if (datum.kind === "word" && (datum.text === "any" || datum.text === "undecided"))
    return { kind: datum.text };
  if (datum.kind !== "one_of" && datum.kind !== "hull") return memberOf(datum, faults);
  const members = datum.members.map((member) => memberOf(member, faults));
  return members.includes(undefined)
    ? undefined
    : { kind: datum.kind, members: members.filter((member) => member !== undefined) };
}

function memberOf(datum: Datum, faults: Faults): MemberSet | undefined {
  if (datum.kind === "number") {
    if (datum.text.endsWith("nan")) return { kind: "nan" };
    const value = exactText(datum.text);
    if (value !== undefined) return { kind: "exact", value };
  }
  if (datum.kind === "span") {
    const [low, high] = [endText(datum.low, -1), endText(datum.high, 1)];
    if (low !== undefined && high !== undefined) return { kind: "enclosure", low, high };
  }
  const hint =
    "a set is a number (1/3), an interval (1..2), a choice (0 | 1), hull(0, 1), nan, any or ? for undecided";
  faults.add("text/set", datum.place, "this is no set of numbers.", hint);
  return undefined;
}

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The longest exponent of ten that is written out. */
const MOST_DIGITS = 400;

/** An exact number as its reduced fraction; fractions stay as they are written. */
function exactText(text: string): string | undefined {
  if (/^-?(?:inf|[0-9]+(?:\/[1-9][0-9]*)?)$/.test(text)) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  if (whole !== "" && Math.abs(power) <= MOST_DIGITS) {
    const digits = BigInt(whole + fraction);
    const ten = 10n ** BigInt(Math.abs(power));
    return sign + (power < 0 ? fractionText(digits, ten) : `${digits * ten}`);
  }
  let x = parseFloat64(text);
  if (x === undefined || !Number.isFinite(x)) return undefined;
  let divisor = 1n;
  while (!Number.isInteger(x)) {
    x *= 2;
    divisor *= 2n;
  }
  return (x < 0 ? "-" : "") + fractionText(BigInt(Math.abs(x)), divisor);
}

function fractionText(numerator: bigint, denominator: bigint): string {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  const divisor = denominator / a;
  return divisor === 1n ? `${numerator / a}` : `${numerator / a}/${divisor}`;
}

/** An end of an interval as a float; a decimal that may be none goes to the next float outward. */
function endText(text: string, outward: 1 | -1): string | undefined {
  const x = parseFloat64(text);
  if (x === undefined || Number.isNaN(x)) return undefined;
  const isFloat = !Number.isFinite(x) || Number.isSafeInteger(x) || /x/i.test(text);
  return formatFloat64(isFloat ? x : next(x, outward));
}

/** The next float towards an infinity. */
function next(x: number, direction: 1 | -1): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const isAway = x > 0 === direction > 0;
  bits.setBigInt64(0, bits.getBigInt64(0) + (isAway ? 1n : -1n));
  return bits.getFloat64(0);
}
