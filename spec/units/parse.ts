import { fail, nearestName, ok, quote, type Result } from "../shapes/index.ts";
import { dimensionless, powerOf } from "./dimension.ts";
import { type Exponent, exponentOf, plainDigit } from "./exponent.ts";
import { foreignUnits, type NamedUnit, prefixesOf, siPrefixes, siUnits, unitRefusals } from "./names.ts";
import {
  constantScale,
  MAXIMUM_FACTOR,
  one,
  powerOfTen,
  scaleOf,
  timesUnit,
  type Unit,
  unitToThe,
} from "./unit.ts";

/** The text of a unit is wrong for this reason; the caller adds the place. */
export interface UnitFault {
  readonly code: "units/syntax" | "units/exponent" | "units/unknown" | "units/multiple" | "units/factor";
  readonly message: string;
  readonly hint: string;
}

/** The names in a text mean these units. */
export type UnitNames = ReadonlyMap<string, Unit>;

/** The longest text of a unit. */
export const MAXIMUM_UNIT_LENGTH = 256;

/** The greatest numerator and denominator of an exponent. */
const MAXIMUM_EXPONENT = 1000;

/** A text that is being read. */
interface Reader {
  readonly text: string;
  readonly names: UnitNames;
  place: number;
}

/**
 * Returns the unit that a text denotes: names and numbers, multiplied with `·`, `*` or a space, divided by
 * `/`, which takes the one factor behind it. A factor may have a power, `^2`, `**2`, `^-2`, `^(1/2)` or `²`,
 * and brackets. A name is one of `names`, or one with a prefix that it takes, a scale. Whole names are never
 * read as prefix and rest: `kg`, `min`. Fails: `units/syntax`, `units/exponent`, `units/unknown`, and
 * `units/multiple` for what is no multiple of a unit, `units/factor`.
 */
export function parseUnit(text: string, names: UnitNames): Result<Unit, UnitFault> {
  if (text.length > MAXIMUM_UNIT_LENGTH) return fail(syntax(`it has over ${MAXIMUM_UNIT_LENGTH} characters`));
  const reader: Reader = { text, names, place: 0 };
  const unit = readProduct(reader);
  if (!unit.ok || reader.place === text.length) return unit;
  return fail(syntax(`${quote(text.slice(reader.place))} is left over`));
}

function readProduct(reader: Reader): Result<Unit, UnitFault> {
  let product = readFactor(reader);
  while (product.ok) {
    const divides = readSign(reader);
    if (divides === undefined) return product;
    const factor = readFactor(reader);
    if (!factor.ok) return factor;
    product = ok(timesUnit(product.value, divides ? unitToThe(factor.value, exponentOf(-1n)) : factor.value));
  }
  return product;
}

/** Reads the next sign, and says whether it divides; `undefined` where the product ends. */
function readSign(reader: Reader): boolean | undefined {
  const sign = take(reader, /^\s*([·⋅*/])\s*|^\s+(?=[^\s)])/u);
  return sign === undefined ? undefined : sign.trim() === "/";
}

function readFactor(reader: Reader): Result<Unit, UnitFault> {
  const base = readBase(reader);
  if (!base.ok) return base;
  const exponent = readExponent(reader);
  return exponent.ok ? ok(unitToThe(base.value, exponent.value)) : exponent;
}

function readBase(reader: Reader): Result<Unit, UnitFault> {
  if (take(reader, /^\(\s*/u) !== undefined) {
    const inner = readProduct(reader);
    if (!inner.ok || take(reader, /^\s*\)/u) !== undefined) return inner;
    return fail(syntax("a bracket is not closed"));
  }
  const number = take(reader, /^[0-9]+(\.[0-9]+)?/u);
  if (number !== undefined) return factorOf(number);
  const name = take(reader, /^[\p{L}_°%$][\p{L}\p{M}0-9_]*/u);
  if (name !== undefined) return named(name, reader.names);
  const rest = reader.text.slice(reader.place);
  return fail(syntax(rest === "" ? "a factor is missing at its end" : `no factor begins at ${quote(rest)}`));
}

function factorOf(number: string): Result<Unit, UnitFault> {
  const [whole = "", part = ""] = number.split(".");
  const scale = scaleOf(Number(whole + part));
  const fits = scale.ok && part.length <= 12;
  if (fits) {
    const tens = powerOf(powerOfTen(1), exponentOf(BigInt(-part.length)));
    return ok(timesUnit({ dimension: dimensionless, scale: scale.value }, { ...one, scale: tens }));
  }
  return fail({
    code: "units/factor",
    message: `${quote(number)} is no factor of a unit.`,
    hint: `write a positive number of at most ${MAXIMUM_FACTOR.toString().length} digits`,
  });
}

function named(name: string, names: UnitNames): Result<Unit, UnitFault> {
  const whole = names.get(name);
  if (whole !== undefined) return ok(whole);
  const refusal = unitRefusals.get(name);
  if (refusal !== undefined) {
    const { reason, hint } = refusal;
    return fail({ code: "units/multiple", message: `${quote(name)} is no unit: ${reason}.`, hint });
  }
  for (const length of foreignUnits.has(name) ? [] : [2, 1]) {
    const [prefix, base] = [name.slice(0, length), name.slice(length)];
    const [power, rest] = [siPrefixes.get(prefix), names.get(base)];
    const isTaken = prefixesOf.get(base)?.includes(prefix) !== false;
    if (power !== undefined && rest !== undefined && isTaken) {
      return ok(timesUnit({ dimension: dimensionless, scale: powerOfTen(power) }, rest));
    }
  }
  return fail({
    code: "units/unknown",
    message: `there is no base and no unit ${quote(name)}.`,
    hint: hintFor(name, names),
  });
}

function hintFor(name: string, names: UnitNames): string {
  const foreign = foreignUnits.get(name);
  if (foreign !== undefined) return `write ${foreign}, or define it as a unit: ${name} = ${foreign}`;
  const bare = [2, 1].find(
    (length) => siPrefixes.has(name.slice(0, length)) && names.has(name.slice(length)),
  );
  if (bare !== undefined) return `${name.slice(bare)} takes no prefix ${name.slice(0, bare)}: write a factor`;
  const near = nearestName(name, [...names.keys()]);
  return near === undefined
    ? `declare it under bases or units; known are ${[...names.keys()].slice(0, 40).join(", ")}`
    : `did you mean "${near}"? A new one is declared under bases or units`;
}

/** Returns bases and own units, and with them the units known by name whose bases are there. */
export function withKnownUnits(own: UnitNames, known: readonly NamedUnit[] = siUnits): UnitNames {
  const names = new Map(own);
  for (const { name, is, times } of known) {
    const unit = names.has(name) ? undefined : parseUnit(is, names);
    if (unit?.ok !== true) continue;
    names.set(name, times === undefined ? unit.value : timesUnit(unit.value, constantScale(times)));
  }
  return names;
}

function readExponent(reader: Reader): Result<Exponent, UnitFault> {
  const raised = take(reader, /^[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/u);
  if (raised !== undefined) return exponentFrom([...raised].map((digit) => plainDigit(digit)).join(""), "1");
  if (take(reader, /^\s*(\^|\*\*)\s*/u) === undefined) return ok(exponentOf(1n));
  const written = take(reader, /^\(\s*[-+]?[0-9]+(\s*\/\s*[0-9]+)?\s*\)|^[-+]?[0-9]+/u);
  if (written === undefined) return fail(badExponent(reader.text.slice(reader.place)));
  const [numerator = "", denominator = "1"] = written.replace(/[()\s]/gu, "").split("/");
  return exponentFrom(numerator, denominator);
}

function exponentFrom(numerator: string, denominator: string): Result<Exponent, UnitFault> {
  const [above, below] = [Number(numerator), Number(denominator)];
  const isSmall = Math.abs(above) <= MAXIMUM_EXPONENT && below <= MAXIMUM_EXPONENT;
  const isExponent = Number.isInteger(above) && Number.isInteger(below) && below > 0 && isSmall;
  if (!isExponent) return fail(badExponent(`${numerator}/${denominator}`));
  return ok(exponentOf(BigInt(above), BigInt(below)));
}

function badExponent(written: string): UnitFault {
  return {
    code: "units/exponent",
    message: `${quote(written)} is no exponent.`,
    hint: `write an integer, or a fraction in brackets as in m^(1/2), up to ${MAXIMUM_EXPONENT}`,
  };
}

function syntax(what: string): UnitFault {
  return { code: "units/syntax", message: `${what}.`, hint: "write a unit as in kg·m/s^2 or m^(1/2)" };
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  const found = pattern.exec(reader.text.slice(reader.place))?.[0];
  if (found === undefined) return undefined;
  reader.place += found.length;
  return found;
}
