import type { Shape } from "../shapes/index.ts";
import { heads } from "./line_parser.ts";
import type {
  Assignment,
  Datum,
  Declaration,
  Derivative,
  DerivedCall,
  Expression,
  Let,
  Line,
  LineOf,
  Measure,
  Slice,
  Word,
} from "./tree.ts";
import { BRACES_WIDTH, binding, shapeText } from "./words.ts";

/** The text of an expression, and how tightly it holds together, as {@link binding} says of operators. */
interface Part {
  readonly text: string;
  readonly bound: number;
}

/**
 * A derivative goes on as far as it can, a sign holds tighter than a product; names and calls hold tightest.
 */
const [LOOSE, SIGN, TIGHT] = [0, 4, 9];

/**
 * Prints a line without those below it, with the fewest brackets that keep its tree. Where a derivative's
 * values take lines of their own, these are indented behind `indent`. Commas of clauses stand where `source`
 * has them.
 */
export function printedLine(line: Line, indent: string, source: string): string {
  switch (line.kind) {
    case "let":
      return letText(line, indent);
    case "update": {
      const { target, sign, value } = line;
      return `${tight(partOf(target, indent))} ${sign} ${partOf(value, indent).text}`;
    }
    case "block":
      return blockText(line, indent);
    case "header":
      return headerText(line);
    case "state":
      return `state ${line.locations.map(declarationText).join(", ")}`;
    case "return":
      return returnText(line, indent);
    case "clause":
      return clauseText(line, source);
  }
}

function letText(line: Let, indent: string): string {
  const { names, shape, value } = line;
  const { text } = partOf(value, indent);
  if (names.length > 0) {
    return `${names.map(wordText).join(", ")}${typeText(shape)} = ${text}${measureText(line)}`;
  }
  const [first = ""] = /^[\p{L}_][\p{L}\p{M}\p{N}_]*/u.exec(text) ?? [];
  // A line that begins so without a name before `=` is no expression.
  return (heads.has(first) ? `(${text})` : text) + measureText(line);
}

function blockText({ head, counter, condition, turns }: LineOf<"block">, indent: string): string {
  if (counter !== undefined) return `${head.text} ${wordText(counter)} in ${turns}:`;
  if (condition === undefined) return `${head.text}:`;
  const most = turns === undefined ? "" : `, at most ${turns}`;
  return `${head.text} ${closed(condition, indent)}${most}:`;
}

function returnText({ results }: LineOf<"return">, indent: string): string {
  const last = results.length - 1;
  const all = results.map(({ value, shape }, i) => {
    const text = i === last ? partOf(value, indent).text : closed(value, indent);
    return text + typeText(shape);
  });
  return `return ${all.join(", ")}`.trimEnd();
}

function headerText({ head, name, inputs, given }: LineOf<"header">): string {
  const isBare = inputs.length === 0 && head.text !== "graph" && head.text !== "procedure";
  const named = name === undefined ? "" : ` ${wordText(name)}`;
  return `${head.text}${named}${isBare ? "" : declarationsText(inputs)}${givenText(given)}`;
}

/** Prints words and assignments in the order in which they are written. */
function clauseText({ head, words, assignments }: LineOf<"clause">, source: string): string {
  const items = [
    ...words.map((word) => ({ text: wordText(word), place: word.place, isWord: true })),
    ...assignments.map((one) => ({
      text: `${wordText(one.name)}${typeText(one.shape)} = ${datumText(one.value, source)}`,
      place: { start: one.name.place.start, end: one.value.place.end },
      isWord: false,
    })),
  ].toSorted((a, b) => a.place.start - b.place.start);
  return items.reduce((text, item, i) => {
    const before = items[i - 1];
    if (before === undefined) return `${text} ${item.text}`;
    const between = source.slice(before.place.end, item.place.start).replace(/#.*/g, "");
    const isListed = between.includes(",") || (!before.isWord && !item.isWord);
    return `${text}${isListed ? "," : ""} ${item.text}`;
  }, head.text);
}

function typeText(shape: Shape | undefined): string {
  return shape === undefined ? "" : `: ${shapeText(shape)}`;
}

function wordText({ text, isQuoted }: Word): string {
  return isQuoted === true ? JSON.stringify(text) : text;
}

function datumText(datum: Datum, source: string): string {
  const all = (data: readonly Datum[]): string => data.map((one) => datumText(one, source)).join(", ");
  switch (datum.kind) {
    case "list":
      return `[${all(datum.entries)}]`;
    case "span":
      return `${datum.low}..${datum.high}`;
    case "quoted":
      return JSON.stringify(datum.text);
    case "number":
      return datum.text;
    case "word":
      return source.startsWith("?", datum.place.start) ? "?" : datum.text;
    case "one_of":
      if (datum.members.length > 1) return datum.members.map((one) => memberText(one, source)).join(" | ");
      return memberText(datum, source);
    default:
      return `${datum.kind}(${all(datum.members)})`;
  }
}

/** Prints a choice within a choice by its name. */
function memberText(datum: Datum, source: string): string {
  if (datum.kind !== "one_of") return datumText(datum, source);
  return `one_of(${datum.members.map((one) => datumText(one, source)).join(", ")})`;
}

function attributeText({ name, value }: Assignment): string {
  // Without blanks, `max=` would be an update.
  const sign = name.text === "max" || name.text === "min" ? " = " : "=";
  return `${wordText(name)}${sign}${datumText(value, "")}`;
}

function declarationsText(all: readonly Declaration[]): string {
  return `(${all.map(declarationText).join(", ")})`;
}

function givenText(all: readonly Declaration[]): string {
  return all.length === 0 ? "" : ` given ${declarationsText(all)}`;
}

function declarationText(declaration: Declaration): string {
  const { name, shape, isIndex, isReference, range } = declaration;
  const parts = [...(isIndex ? ["index"] : []), ...(shape === undefined ? [] : [shapeText(shape)])];
  const typed = parts.length === 0 ? "" : `: ${parts.join(" ")}`;
  const ends = range?.map((end) => datumText(end, ""));
  return `${isReference ? "&" : ""}${wordText(name)}${typed}${measureText(declaration, ends?.join(".."))}`;
}

/** Prints ` in 0..1 kg along 0 [m, m/s]`, or nothing. */
function measureText({ unit, along = [] }: Measure, range?: string): string {
  const axes = along.map(({ axis, units }) => `along ${axis} [${units.map(wordText).join(", ")}]`);
  const parts = [range ?? [], unit === undefined ? [] : wordText(unit), axes].flat();
  return parts.length === 0 ? "" : ` in ${parts.join(" ")}`;
}

/** Prints an expression for places where nothing follows, and that it fills. */
function partOf(expression: Expression, indent: string): Part {
  switch (expression.kind) {
    case "number":
      return { text: expression.text, bound: TIGHT };
    case "name":
      return { text: wordText(expression.name), bound: TIGHT };
    case "call":
      return { text: callText(expression, indent), bound: TIGHT };
    case "infix":
      return infix(expression, indent);
    case "negative": {
      const operand = partOf(expression.operand, indent);
      return { text: `-${grouped(operand, operand.bound <= SIGN)}`, bound: SIGN };
    }
    case "slice": {
      const axes = expression.axes.map((axis) => sliceText(axis, indent));
      return { text: `${tight(partOf(expression.of, indent))}[${axes.join(", ")}]`, bound: TIGHT };
    }
    case "method": {
      const { of, name, given } = expression;
      const data = given.map((datum) => datumText(datum, ""));
      return {
        text: `${tight(partOf(of, indent))}.${wordText(name)}(${data.join(", ")})`,
        bound: TIGHT,
      };
    }
    case "derivative":
      return { text: derivativeText(expression, indent), bound: LOOSE };
    case "derived_call":
      return { text: derivedCallText(expression, indent), bound: LOOSE };
  }
}

function grouped({ text }: Part, isLoose: boolean): string {
  return isLoose ? `(${text})` : text;
}

/** Prints what is seen in some way, or updated. */
function tight(part: Part): string {
  return grouped(part, part.bound < TIGHT);
}

/** Prints what others follow: a derivative would take them. */
function alone(part: Part): string {
  return grouped(part, part.bound === LOOSE);
}

function callText(
  { isProcedure, op, operands, attributes }: Extract<Expression, { readonly kind: "call" }>,
  indent: string,
): string {
  const given = [...operandTexts(operands, indent, attributes.length > 0), ...attributes.map(attributeText)];
  return `${isProcedure ? "call " : ""}${wordText(op)}(${given.join(", ")})`;
}

/** Prints operands between commas; the last one is followed by a comma if there are attributes. */
function operandTexts(
  operands: readonly Expression[],
  indent: string,
  isFollowed: boolean,
): readonly string[] {
  const last = isFollowed ? operands.length : operands.length - 1;
  return operands.map((one, i) => (i === last ? partOf(one, indent).text : closed(one, indent)));
}

/** Prints an expression that a comma follows, which must be no comma of its own. */
function closed(expression: Expression, indent: string): string {
  return grouped(partOf(expression, indent), endsInList(expression));
}

/** Tells whether an expression ends with the values at which a derivative is taken. */
function endsInList(expression: Expression): boolean {
  if (expression.kind !== "derivative" && expression.kind !== "derived_call") return false;
  if (expression.along !== undefined) return endsInList(expression.along);
  return expression.kind === "derivative";
}

/** Joins two operands; a power binds to the right, all else to the left. */
function infix({ sign, left, right }: Extract<Expression, { readonly kind: "infix" }>, indent: string): Part {
  const bound = binding[sign] ?? 0;
  const isPower = sign === "**";
  const [first, second] = [partOf(left, indent), partOf(right, indent)];
  const before = grouped(first, isPower ? first.bound <= bound : first.bound < bound);
  const behind = grouped(second, isPower ? second.bound < SIGN : second.bound <= bound);
  return { text: `${before} ${sign} ${behind}`, bound };
}

function sliceText({ start, end, step, isSpan }: Slice, indent: string): string {
  const text = (one: Expression | undefined): string => (one === undefined ? "" : closed(one, indent));
  if (!isSpan) return text(start);
  return `${text(start)}:${text(end)}${step === undefined ? "" : `:${text(step)}`}`;
}

function derivedCallText({ mode, procedure, operands, of, by, along }: DerivedCall, indent: string): string {
  const asked = [
    of === undefined ? [] : `of ${wordText(of)}`,
    by === undefined ? [] : `by ${wordText(by)}`,
    along === undefined ? [] : `along ${partOf(along, indent).text}`,
  ].flat();
  const call = `${wordText(procedure)}(${operandTexts(operands, indent, false).join(", ")})`;
  return [`${mode.text} call ${call}`, ...asked].join(" ");
}

function derivativeText(derivative: Derivative, indent: string): string {
  const { mode, inputs, given, inner, of, by, at, along } = derivative;
  const head = `${mode.text} ${declarationsText(inputs)}${givenText(given)} =>`;
  const asked = [
    of === undefined ? [] : `of ${wordText(of)}`,
    by === undefined ? [] : `by ${wordText(by)}`,
    at.length === 0 ? [] : `at ${at.map((one) => alone(partOf(one, indent))).join(", ")}`,
    along === undefined ? [] : `along ${partOf(along, indent).text}`,
  ]
    .flat()
    .join(" ");
  const [only, second] = inner;
  if (only !== undefined && second === undefined && isBare(only))
    return `${head} ${alone(partOf(only.value, indent))} ${asked}`;
  const lines = inner.map((line) => letText(line, `${indent}    `));
  const flat = `${head} { ${lines
    .map((line) => `${line}; `)
    .join("")
    .replace(/; $/, " ")}} ${asked}`;
  if (indent.length + flat.length <= BRACES_WIDTH && !flat.includes("\n")) return flat;
  return `${head} {\n${lines.map((line) => `${indent}    ${line}`).join(";\n")}\n${indent}  } ${asked}`;
}

function isBare({ names, unit, along }: Let): boolean {
  return names.length === 0 && unit === undefined && along === undefined;
}
