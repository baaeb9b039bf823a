import {
  braced,
  bracketed,
  type Form,
  infix,
  LOOSE,
  measuredAs,
  negative,
  parameterSigns,
  SIGN,
  TIGHT,
  tight,
  typed,
} from "./forms.ts";
import { heads } from "./line_parser.ts";
import type {
  Assignment,
  Datum,
  Declaration,
  Derivative,
  DerivedCall,
  Directions,
  Expression,
  Let,
  Line,
  LineOf,
  Measure,
  Slice,
  Word,
} from "./tree.ts";

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
      return `${bracketed(partOf(target, indent), TIGHT)} ${sign} ${partOf(value, indent).text}`;
    }
    case "block":
      return blockText(line, indent);
    case "header":
      return headerText(line);
    case "state":
      return [
        `state ${line.locations.map(declarationText).join(", ")}`,
        ...(line.of === undefined ? [] : [partOf(line.of, indent).text]),
      ].join(" = ");
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
    return `${typed(names.map(wordText).join(", "), shape)} = ${text}${measureText(line)}`;
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
    return typed(text, shape);
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
      text: `${typed(wordText(one.name), one.shape)} = ${datumText(one.value, source)}`,
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
  const { name, shape, isIndex, kind, range } = declaration;
  const ends = range?.map((end) => datumText(end, ""));
  const own = typed(wordText(name), shape, isIndex);
  return `${parameterSigns[kind]}${own}${measureText(declaration, ends?.join(".."))}`;
}

function measureText({ unit, along }: Measure, range?: string): string {
  const axes = along?.map(({ axis, units }) => ({ axis, units: units.map(wordText) }));
  return measuredAs(range, unit === undefined ? undefined : wordText(unit), axes);
}

/** Prints an expression for places where nothing follows, and that it fills. */
function partOf(expression: Expression, indent: string): Form {
  switch (expression.kind) {
    case "number":
      return tight(expression.text);
    case "name":
      return tight(wordText(expression.name));
    case "call": {
      const { isProcedure, op, operands, attributes, by } = expression;
      const texts = operandTexts(operands, indent, attributes.length > 0);
      const given = [...texts, ...attributes.map(attributeText)].join(", ");
      const said = by === undefined ? "" : ` by ${wordText(by)}`;
      const call = `${isProcedure ? "call " : ""}${wordText(op)}(${given})${said}`;
      const { derived } = expression;
      return derived === undefined
        ? tight(call)
        : { text: `${call} ${directionsText(derived, indent)}`, bound: LOOSE };
    }
    case "infix": {
      const [left, right] = [partOf(expression.left, indent), partOf(expression.right, indent)];
      return infix(left, expression.sign, right, SIGN);
    }
    case "negative":
      return negative(partOf(expression.operand, indent));
    case "slice": {
      const axes = expression.axes.map((axis) => sliceText(axis, indent));
      return tight(`${bracketed(partOf(expression.of, indent), TIGHT)}[${axes.join(", ")}]`);
    }
    case "method": {
      const data = expression.given.map((datum) => datumText(datum, "")).join(", ");
      return tight(
        `${bracketed(partOf(expression.of, indent), TIGHT)}.${wordText(expression.name)}(${data})`,
      );
    }
    case "derivative":
      return { text: derivativeText(expression, indent), bound: LOOSE };
    case "derived_call":
      return { text: derivedCallText(expression, indent), bound: LOOSE };
  }
}

/** Prints what others follow: a derivative would take them. */
function alone(expression: Expression, indent: string): string {
  return bracketed(partOf(expression, indent), LOOSE + 1);
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
  return bracketed(partOf(expression, indent), endsInList(expression) ? TIGHT : LOOSE);
}

/** Tells whether an expression ends with the values at which a derivative is taken, or its directions. */
function endsInList(expression: Expression): boolean {
  if (expression.kind === "call") return expression.derived !== undefined;
  if (expression.kind !== "derivative" && expression.kind !== "derived_call") return false;
  if (expression.along !== undefined) return endsInList(expression.along);
  return expression.kind === "derivative";
}

function sliceText({ start, end, step, isSpan }: Slice, indent: string): string {
  const text = (one: Expression | undefined): string => (one === undefined ? "" : closed(one, indent));
  if (!isSpan) return text(start);
  return `${text(start)}:${text(end)}${step === undefined ? "" : `:${text(step)}`}`;
}

function derivedCallText({ mode, procedure, operands, ...asked }: DerivedCall, indent: string): string {
  const call = `${wordText(procedure)}(${operandTexts(operands, indent, false).join(", ")})`;
  return `${mode.text} call ${call}${askedText({ ...asked, at: [] }, indent)}`;
}

function directionsText({ mode, of, by, along }: Directions, indent: string): string {
  const directions = along.map((one, i) =>
    i === along.length - 1 ? partOf(one, indent).text : closed(one, indent),
  );
  const names = (words: readonly Word[]): string => words.map(wordText).join(", ");
  return `${mode.text} of ${names(of)} by ${names(by)} along ${directions.join(", ")}`;
}

function derivativeText({ mode, inputs, given, inner, ...asked }: Derivative, indent: string): string {
  const head = `${mode.text} ${declarationsText(inputs)}${givenText(given)} =>`;
  const what = askedText(asked, indent);
  const [only, second] = inner;
  if (only !== undefined && second === undefined && isBare(only))
    return `${head} ${alone(only.value, indent)}${what}`;
  const deeper = `${indent}    `;
  return braced(
    head,
    inner.map((line) => deeper + letText(line, deeper)),
    what.trimStart(),
    indent,
  );
}

/** Prints what is derived by what, at which values and in which direction. */
function askedText(
  { of, by, at, along }: Pick<Derivative, "of" | "by" | "at" | "along">,
  indent: string,
): string {
  return [
    of === undefined ? "" : ` of ${wordText(of)}`,
    by === undefined ? "" : ` by ${wordText(by)}`,
    at.length === 0 ? "" : ` at ${at.map((one) => alone(one, indent)).join(", ")}`,
    along === undefined ? "" : ` along ${partOf(along, indent).text}`,
  ].join("");
}

function isBare({ names, unit, along }: Let): boolean {
  return names.length === 0 && unit === undefined && along === undefined;
}
