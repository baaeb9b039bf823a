import { formatShape, isSameShape, type Shape } from "../shapes/index.ts";
import type { Block, Bound, Operand, StatementText } from "./program_block.ts";
import { calledAs, calledDerived } from "./program_calls.ts";
import { sent } from "./program_effects.ts";
import { isNumber } from "./program_values.ts";
import { startOf } from "./program_views.ts";
import type { Expression, Let, Line, LineOf, Place, Returned } from "./tree.ts";

/** The operator of each sign that updates a location. */
export const updateSigns: Readonly<Record<string, string>> = {
  "+=": "add",
  "-=": "subtract",
  "*=": "multiply",
  "/=": "divide",
  "max=": "maximum",
  "min=": "minimum",
};

/** Appends the statements that lines mean. */
export function readLines(lines: readonly Line[], block: Block): void {
  for (const [i, line] of lines.entries()) readLine(line, lines[i - 1], lines[i + 1], block);
}

function readLine(line: Line, before: Line | undefined, next: Line | undefined, block: Block): void {
  switch (line.kind) {
    case "let":
      bound(line, block);
      return;
    case "update":
      updated(line, block);
      return;
    case "block":
      if (line.head.text !== "else") opened(line, isHeaded(next, "else") ? next.body : [], block);
      else if (!isHeaded(before, "if"))
        block.refuse(line, "text/else", "no if stands before this else.", "put it below the lines of an if");
      return;
    case "clause":
      if (line.head.text === "break") left(line, block);
      else kept(line, block);
      return;
    case "return":
      if (block.isInner) returned(line, block);
      else {
        const hint = "put lines above it, or the return within an if";
        block.refuse(line, "text/statement", "lines stand behind the procedure's return.", hint);
      }
      return;
    default: {
      const word = line.kind === "header" ? line.head.text : line.kind;
      const hint = "return is the last line of a procedure; state and procedure stand below program";
      block.refuse(line, "text/statement", `${word} does not stand among statements.`, hint);
    }
  }
}

function isHeaded(line: Line | undefined, head: string): line is LineOf<"block"> {
  return line?.kind === "block" && line.head.text === head;
}

/** `y = x * 2`, `p, q = call f(x)`, `send("out", y)`. */
function bound({ names, shape, value, place, unit, along }: Let, block: Block): void {
  const [name, second] = names;
  const measured = unit ?? along?.[0];
  if (measured !== undefined) {
    const hint = "units stand beside the inputs of graphs";
    block.refuse(measured, "text/unit", "a statement has no unit.", hint);
  }
  if (value.kind === "call" && value.derived !== undefined) {
    const shapes = calledDerived(names, { ...value, place }, value.derived, block);
    for (const [i, { text, place: own }] of names.entries())
      block.bind(text, valueBound(text, shapes[i], own));
    return;
  }
  if (value.kind === "call" && value.isProcedure && names.length !== 1) {
    const signature = calledAs(names, { ...value, place }, block)?.signature;
    for (const [i, { text, place: own }] of names.entries())
      block.bind(text, valueBound(text, signature?.results[i]?.shape, own));
    return;
  }
  if (name === undefined) {
    if (value.kind === "call" && value.op.text === "send") sent(value, block);
    else block.refuse({ place }, "text/statement", "nothing has this value.", "give it a name: y = …");
    return;
  }
  if (second !== undefined)
    block.refuse(second, "text/names", "a line has one value, unless it is a call.", "give each a line");
  const made = block.operand(value, { name: name.text, ...(shape === undefined ? {} : { shape }) });
  if (
    made !== undefined &&
    made.kind !== "literal" &&
    shape !== undefined &&
    !isSameShape(made.shape, shape)
  ) {
    const message = `the value has the shape ${formatShape(made.shape)}.`;
    block.refuse({ place }, "text/shape", message, "correct the shape, or leave it out");
  }
  block.locateName(name.place);
  block.bind(name.text, made);
}

function valueBound(name: string, shape: Shape | undefined, place: Bound["place"]): Operand {
  return shape && { kind: "value", name, shape, place };
}

/** `b <- x`, `b[0] += x`, `y := x`. A view is made first, and the value takes its shape. */
function updated({ sign, target, value, place }: LineOf<"update">, block: Block): void {
  if (sign === ":=" && target.kind !== "name") {
    const hint = "write <- to change what a location holds";
    block.refuse(target, "text/rebind", "a name alone changes what it stands for.", hint);
    return;
  }
  if (sign === ":=" && target.kind === "name" && !block.isBound(target.name.text)) {
    const hint = "write = where a name stands for something for the first time";
    block.refuse(target, "text/rebind", "the name stands for nothing yet.", hint);
    return;
  }
  if (target.kind === "method" && ["rows", "where", "scatter"].includes(target.name.text)) {
    partly(sign, target, value, place, block);
    return;
  }
  const to = target.kind === "name" ? block.find(target.name) : block.operand(target);
  const given = block.operand(value);
  const from = to === undefined || to.kind === "literal" ? undefined : block.shaped(given, to.shape);
  if (to?.kind === "literal") block.refuse(to, "text/write", "a number is no location.", "name a location");
  if (to === undefined || to.kind === "literal" || from === undefined) return;
  const op = updateSigns[sign];
  if (sign === ":=")
    block.push({ do: "rebind", name: to.name, to: from.name }, place, { name: to.place, to: from.place });
  else
    block.push(
      { do: op === undefined ? "write" : "update", to: to.name, ...(op && { op }), from: from.name },
      place,
      { to: to.place, from: from.place },
    );
}

/** `break`. */
function left({ words, assignments, body, place }: LineOf<"clause">, block: Block): void {
  const extra = [...words, ...assignments.map(({ name }) => name), ...body].at(0);
  if (extra !== undefined)
    block.refuse(extra, "text/statement", "a break has nothing beside it or below.", "write break alone");
  block.push({ do: "break" }, place);
}

/** `return y, 2 * x`, within a block. */
function returned({ results, place }: LineOf<"return">, block: Block): void {
  const operands = resultsOf(results, block);
  const names = operands.map((operand) => operand?.name);
  if (!names.includes(undefined))
    block.push({ do: "return", operands: names }, place, { operands: operands.flatMap((one) => one ?? []) });
}

/** Returns what a procedure returns, as operands; a number has the shape that is written beside it. */
export function resultsOf(results: readonly Returned[], block: Block): readonly (Bound | undefined)[] {
  return results.map(({ value, shape }) =>
    block.shaped(block.operand(value), shape === undefined || value.kind === "name" ? undefined : shape),
  );
}

/** `b.rows(2, k) += x`, `b.where(m) += x` and `b.scatter(m) += x` write a part of a location. */
function partly(
  sign: string,
  { of, name, given, place: at }: Extract<Expression, { readonly kind: "method" }>,
  value: Expression,
  place: Place,
  block: Block,
): void {
  const to = of.kind === "name" ? block.find(of.name) : block.operand(of);
  const from = block.operand(value);
  if (to === undefined || from === undefined) return;
  if (to.kind === "literal") {
    block.refuse(to, "text/write", "a number is no location.", "name a location");
    return;
  }
  const op = updateSigns[sign];
  if (name.text === "rows") {
    const rows = given.map((datum) => startOf(datum, block));
    const known = rows.filter((row) => row !== undefined);
    const written = block.shaped(from, [rows.length, ...to.shape.slice(1)]);
    if (known.length < rows.length)
      block.refuse(
        { place: at },
        "text/index",
        "rows takes places along the first axis.",
        "write .rows(2, k)",
      );
    else if (written !== undefined) {
      const how = { to: to.name, rows: known, ...(op && { op }), from: written.name };
      block.push({ do: "write_rows", ...how }, place, { to: to.place, from: written.place });
    }
    return;
  }
  const [first] = given;
  const mask = first?.kind === "word" || first?.kind === "quoted" ? block.find(first) : undefined;
  const kind = name.text === "where" ? "write_where" : "write_scatter";
  const isScalar = from.kind === "literal" || from.shape.length === 0;
  const own = kind === "write_scatter" && from.kind !== "literal" ? from.shape : to.shape;
  const written = block.shaped(from, isScalar ? [] : own);
  if (mask === undefined || given.length !== 1)
    block.refuse({ place: at }, "text/write", `${name.text} takes a mask.`, `write b.${name.text}(m) <- x`);
  else if (written !== undefined) {
    const how = { to: to.name, mask: mask.name, ...(op && { op }), from: written.name };
    block.push({ do: kind, ...how }, place, {
      to: to.place,
      mask: mask.place,
      from: written.place,
    });
  }
}

/** `retain y`, `release b`: one statement for each name. */
function kept({ head, words, assignments, body, place }: LineOf<"clause">, block: Block): void {
  const kind = head.text;
  const [inner] = body;
  if ((kind !== "retain" && kind !== "release") || assignments.length > 0) {
    const hint = "lines about the program stand behind it, without indentation";
    block.refuse(head, "text/statement", `${kind} is no statement.`, hint);
    return;
  }
  if (words.length === 0) block.refuse(head, "text/operands", `${kind} names nothing.`, `write ${kind} x`);
  if (inner !== undefined)
    block.refuse(inner, "text/statement", `${kind} has no lines below.`, "put it beside");
  for (const word of words) {
    const found = block.find(word);
    if (found !== undefined) block.push({ do: kind, of: found.name }, place, { of: word.place });
  }
}

function opened(line: LineOf<"block">, otherwise: readonly Line[], block: Block): void {
  const { head, body, place, condition, counter } = line;
  switch (head.text) {
    case "if":
      branched(line, otherwise, block);
      return;
    case "for":
      repeated(line, block);
      return;
    case "while":
      conditioned(line, block);
      return;
    default: {
      const extra = condition ?? counter;
      if (extra !== undefined)
        block.refuse(extra, "text/statement", `${head.text} has no condition.`, `write ${head.text}:`);
      const kind = head.text === "checkpoint" ? "checkpoint" : "no_grad";
      block.push({ do: kind, body: statementsOf(body, block) }, place);
    }
  }
}

function statementsOf(lines: readonly Line[], block: Block, property: string = "body"): StatementText[] {
  const inner = block.within(property);
  readLines(lines, inner);
  return inner.statements;
}

function branched(line: LineOf<"block">, otherwise: readonly Line[], block: Block): void {
  const { body, place, turns } = line;
  if (turns !== undefined) block.refuse({ place }, "text/if", "a branch has no turns.", "write if c:");
  const holds = conditionOf(line, block);
  const own = { body: statementsOf(body, block), otherwise: statementsOf(otherwise, block, "otherwise") };
  block.push({ do: "if", condition: holds?.name, ...own }, place, { condition: holds?.place ?? place });
}

function repeated({ counter, turns, body, place }: LineOf<"block">, block: Block): void {
  if (counter === undefined || turns === undefined || !/^[0-9]+$/.test(turns)) {
    const message = "a loop has a whole number of turns.";
    block.refuse(counter ?? { place }, "text/for", message, "write for i in 3:");
    return;
  }
  const inner = block.within("body");
  inner.bind(counter.text, { kind: "counter", name: counter.text, shape: [], place: counter.place });
  readLines(body, inner);
  const statement = { counter: counter.text, times: Number(turns), body: inner.statements };
  block.push({ do: "for", ...statement }, place, { counter: counter.place });
}

/** A condition that is computed is computed again at the end of each turn. */
function conditioned(line: LineOf<"block">, block: Block): void {
  const { condition, turns, body, place } = line;
  const message = "a loop says how many turns it has at most.";
  if (turns === undefined || !/^[0-9]+$/.test(turns))
    block.refuse({ place }, "text/while", message, "write while c, at most 9:");
  const holds = conditionOf(line, block);
  const inner = block.within("body");
  readLines(body, inner);
  const last = inner.statements.at(-1)?.do;
  const isLeft = last === "break" || last === "return";
  if (condition !== undefined && holds?.kind === "value" && isComputed(condition) && !isLeft) {
    const again = inner.shaped(inner.operand(condition));
    const to = { do: "rebind" as const, name: holds.name, to: again?.name };
    inner.push(to, condition.place, { name: condition.place, to: condition.place });
  }
  const statement = { condition: holds?.name, fuel: Number(turns), body: inner.statements };
  block.push({ do: "while", ...statement }, place, { condition: holds?.place ?? place });
}

function isComputed(expression: Expression): boolean {
  return expression.kind !== "name" && expression.kind !== "number" && !isNumber(expression);
}

function conditionOf({ condition, head, place }: LineOf<"block">, block: Block): Bound | undefined {
  if (condition !== undefined) return block.shaped(block.operand(condition));
  const hint = `write ${head.text} c:`;
  return block.refuse({ place }, `text/${head.text}`, "the condition is missing.", hint);
}
