import type { ParameterKind } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";
import { attributeText, BRACES_WIDTH, nameText, numberText, shapeText } from "./words.ts";

/** A written expression, and how tightly its outermost sign binds. */
export interface Form {
  readonly text: string;
  readonly bound: number;
}

/** A derivative goes on as far as it can. */
export const LOOSE = 0;

/** A sign before a value binds between the products and the powers. */
export const SIGN = 4;

/** Names and calls need no brackets. */
export const TIGHT = 9;

/** The operators that have a sign between their operands. */
export const signs: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "@": "matmul",
  "**": "pow",
  "<": "less",
  "<=": "less_equal",
  ">": "greater",
  ">=": "greater_equal",
  "==": "equal",
  "!=": "not_equal",
};

/** The sign of each operator that has one. */
const signOf: ReadonlyMap<string, string> = new Map(Object.entries(signs).map(([sign, op]) => [op, sign]));

/** Tells how tightly an infix operator binds; as in Python, where a sign binds looser than a power. */
export function boundOf(sign: string): number {
  if (sign === "**") return 5;
  if (sign === "*" || sign === "/" || sign === "@") return 3;
  return sign === "+" || sign === "-" ? 2 : 1;
}

/** Makes the form of what needs no brackets. */
export function tight(text: string): Form {
  return { text, bound: TIGHT };
}

/** Makes the form of a number. */
export function numeral(value: number): Form {
  return { text: numberText(value), bound: value < 0 || Object.is(value, -0) ? SIGN : TIGHT };
}

/** Returns the text of an operand, in brackets if it binds less tightly than it must. */
export function bracketed({ text, bound }: Form, least: number): string {
  return bound < least ? `(${text})` : text;
}

/** Joins two operands; a power binds to the right, all else to the left. */
export function infix(left: Form, sign: string, right: Form, exponent: number = boundOf("**")): Form {
  const bound = boundOf(sign);
  const [before, behind] = sign === "**" ? [bound + 1, exponent] : [bound, bound + 1];
  return { text: `${bracketed(left, before)} ${sign} ${bracketed(right, behind)}`, bound };
}

/** Puts a sign before an operand. */
export function negative(operand: Form): Form {
  return { text: `-${bracketed(operand, SIGN + 1)}`, bound: SIGN };
}

/** Writes what an operator makes of operands. */
export function applied(op: string, operands: readonly Form[], attributes: object): Form {
  const [left, right] = operands;
  const sign = signOf.get(op);
  if (sign !== undefined && left !== undefined && right !== undefined) return infix(left, sign, right);
  if (op === "negative" && left !== undefined) return negative(left);
  const named = Object.entries(attributes).map(([name, value]) => `${name}=${attributeText(value)}`);
  return tight(`${op}(${[...operands.map(({ text }) => text), ...named].join(", ")})`);
}

/** Writes a derivative, whose inner lines stand in braces: in one line, or where it is long in their own. */
export function braced(head: string, lines: readonly string[], asked: string, indent: string): string {
  const flat = `${head} {${lines.map((line) => ` ${line.trimStart()}`).join(";")} } ${asked}`;
  if (indent.length + flat.length <= BRACES_WIDTH && !flat.includes("\n")) return flat;
  return `${head} {\n${lines.join(";\n")}\n${indent}  } ${asked}`;
}

/** What is declared: an input, an entry of Δ, a parameter or a location. */
interface Declared {
  readonly name: string;
  readonly shape: Shape;
  readonly kind?: string;
}

/** Stands before a parameter's name. */
export const parameterSigns: Readonly<Record<ParameterKind, string>> = {
  value: "",
  reference: "&",
  donated: "&&",
};

/** Writes a declaration, in which a scalar has no shape. */
export function declarationText({ name, shape, kind }: Declared, textOf: (name: string) => string): string {
  const isIndex = kind === "index";
  return typed(textOf(name), shape.length === 0 && !isIndex ? undefined : shape, isIndex);
}

/** Writes a name with its type, if it has one. */
export function typed(name: string, shape: Shape | undefined, isIndex: boolean = false): string {
  const type = [...(isIndex ? ["index"] : []), ...(shape === undefined ? [] : [shapeText(shape)])];
  return type.length === 0 ? name : `${name}: ${type.join(" ")}`;
}

/** Writes entries of Δ, which may have units and ranges behind them. */
export function givenText(environment: readonly Declared[], behind?: (name: string) => string): string {
  const entries = environment.map((one) => declarationText(one, nameText) + (behind?.(one.name) ?? ""));
  return entries.length === 0 ? "" : ` given (${entries.join(", ")})`;
}

/** Writes ` in 0..1 kg along 0 [m, m/s]`, or nothing. */
export function measuredAs(
  range: string | undefined,
  unit: string | undefined,
  along: readonly { readonly axis: number | string; readonly units: readonly string[] }[] = [],
): string {
  const axes = along.map(({ axis, units }) => `along ${axis} [${units.join(", ")}]`);
  const parts = [range ?? [], unit ?? [], axes].flat();
  return parts.length === 0 ? "" : ` in ${parts.join(" ")}`;
}
