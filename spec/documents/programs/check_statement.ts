import { blocksOf, type Let, NameScope, type Statement, type StatementOf } from "../../programs/index.ts";
import { outlineOf, type Validator } from "../../schema/registry.ts";
import {
  formatShape,
  type Issue,
  isSameShape,
  MAXIMUM_ISSUES,
  quote,
  type Shape,
} from "../../shapes/index.ts";
import { checkApplication } from "../check.ts";
import {
  checkCall,
  checkCount,
  checkCustom,
  checkDerivedCall,
  checkDifferentiate,
  checkHook,
} from "./check_call.ts";
import { checkIndex, checkTransform } from "./check_view.ts";
import {
  bind,
  checkShape,
  type Known,
  lookUp,
  otherShape,
  readable,
  referenced,
  referenceTo,
  type Surroundings,
  writable,
} from "./known.ts";

/** Blocks stand in each other so deep at most. */
export const MAXIMUM_BLOCKS = 24;

/** The most statements of one program. */
export const MAXIMUM_STATEMENTS: number = 2 ** 16;

const readStatement: Validator<Statement> = outlineOf("program-outline.schema.json#/$defs/statement");

/** Checks the statements of a block, in order, and those within them. */
export function checkBlock(
  block: readonly unknown[],
  pointer: string,
  scope: NameScope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  if (depth > MAXIMUM_BLOCKS) {
    issues.push({
      code: "program/nesting",
      pointer,
      message: `the block stands within ${MAXIMUM_BLOCKS} others, and that is the most.`,
      hint: "make a procedure of an inner block, and call it",
    });
    return;
  }
  for (const [i, json] of block.entries()) {
    if (issues.length >= MAXIMUM_ISSUES) return;
    const isLast = i === block.length - 1;
    if (!checkNext(json, `${pointer}/${i}`, isLast, scope, depth, surroundings)) return;
  }
}

/** Checks the next statement of a block that stands so deep; false if the program is too long. */
export function checkNext(
  json: unknown,
  pointer: string,
  isLast: boolean,
  scope: NameScope<Known>,
  depth: number,
  surroundings: Surroundings,
): boolean {
  const statement = readStatement(json, pointer);
  if (statement.ok) return checkRead(statement.value, pointer, isLast, scope, depth, surroundings);
  surroundings.issues.push(...statement.error);
  return true;
}

/** Does so for a statement whose names and numbers have their kinds. */
export function checkRead(
  statement: Statement,
  pointer: string,
  isLast: boolean,
  scope: NameScope<Known>,
  depth: number,
  surroundings: Surroundings,
): boolean {
  const { issues, count } = surroundings;
  count.statements++;
  if (count.statements > MAXIMUM_STATEMENTS) {
    issues.push({
      code: "program/too-long",
      pointer,
      message: `the program has more than ${MAXIMUM_STATEMENTS} statements.`,
      hint: "write a loop, or cut the program in two",
    });
    return false;
  }
  checkPlace(statement, pointer, isLast, depth, surroundings);
  checkStatement(statement, pointer, scope, depth, surroundings);
  return true;
}

function checkStatement(
  statement: Statement,
  pointer: string,
  scope: NameScope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const shapeOf = (property: string, name: string): Shape | undefined =>
    readable(name, `${pointer}/${property}`, scope, issues);
  const bindTo = (name: string, known: Known): void => bind(scope, name, known, `${pointer}/name`, issues);
  const known = (shape: Shape | undefined): Known =>
    shape === undefined ? { kind: "unknown" } : { kind: "value", shape };
  switch (statement.do) {
    case "let":
      bindTo(statement.name, known(checkLet(statement, pointer, scope, surroundings)));
      return;
    case "rebind":
      checkRebind(statement, pointer, scope, issues);
      return;
    case "buffer": {
      const shape = shapeOf("from", statement.from);
      bindTo(statement.name, shape === undefined ? { kind: "unknown" } : referenceTo(shape));
      return;
    }
    case "view": {
      const found = referenced(statement.of, `${pointer}/of`, scope, issues);
      const seen = found && checkTransform(found, statement.how, `${pointer}/how`, scope, issues);
      bindTo(statement.name, seen ?? { kind: "unknown" });
      return;
    }
    case "write":
    case "update": {
      const [shape, target] = [
        shapeOf("from", statement.from),
        writable(statement.to, pointer, scope, issues),
      ];
      if (shape !== undefined && target !== undefined && !isSameShape(shape, target.shape))
        issues.push(otherShape(statement.from, shape, target.shape, `${pointer}/from`));
      return;
    }
    case "write_rows": {
      const [shape, target] = [
        shapeOf("from", statement.from),
        referenced(statement.to, `${pointer}/to`, scope, issues),
      ];
      checkRows(statement, shape, target?.shape, pointer, scope, issues);
      return;
    }
    case "write_where":
    case "write_scatter": {
      const [mask, shape] = [shapeOf("mask", statement.mask), shapeOf("from", statement.from)];
      const target = writable(statement.to, pointer, scope, issues)?.shape;
      if (target === undefined) return;
      if (mask !== undefined && !isSameShape(mask, target))
        issues.push(otherShape(statement.mask, mask, target, `${pointer}/mask`));
      if (statement.do === "write_scatter") checkRow(statement.from, shape, `${pointer}/from`, issues);
      else if (shape !== undefined && shape.length > 0 && !isSameShape(shape, target))
        issues.push(otherShape(statement.from, shape, target, `${pointer}/from`));
      return;
    }
    case "index": {
      const shape = shapeOf("of", statement.of);
      if (shape !== undefined && !isSameShape(shape, []))
        issues.push(otherShape(statement.of, shape, [], `${pointer}/of`));
      bindTo(statement.name, { kind: "counter", shape: [] });
      return;
    }
    case "detach": {
      const found = lookUp(statement.of, `${pointer}/of`, scope, issues);
      bindTo(statement.name, found.kind === "counter" ? known(found.shape) : found);
      return;
    }
    case "if":
    case "while": {
      const shape = shapeOf("condition", statement.condition);
      if (shape !== undefined && !isSameShape(shape, []))
        issues.push(otherShape(statement.condition, shape, [], `${pointer}/condition`));
      const isInLoop = surroundings.isInLoop || statement.do === "while";
      checkBlocks(statement, pointer, scope, depth, { ...surroundings, isInLoop });
      return;
    }
    case "for": {
      const inner = new NameScope(scope);
      const counter: Known = { kind: "counter", shape: [], times: statement.times };
      bind(inner, statement.counter, counter, `${pointer}/counter`, issues);
      checkBlock(statement.body, `${pointer}/body`, inner, depth + 1, { ...surroundings, isInLoop: true });
      return;
    }
    case "break":
      return;
    case "no_grad":
    case "checkpoint":
      checkBlocks(statement, pointer, scope, depth, surroundings);
      return;
    case "call":
      checkCall(statement, pointer, scope, surroundings);
      return;
    case "custom":
      checkCustom(statement, pointer, scope, surroundings);
      return;
    case "hook":
      bindTo(statement.name, known(checkHook(statement, pointer, scope, surroundings)));
      return;
    case "return":
      checkReturn(statement, pointer, scope, surroundings);
      return;
    case "draw": {
      for (const [i, index] of (statement.key ?? []).entries())
        checkIndex(index, `${pointer}/key/${i}`, scope, issues);
      const isRight = checkShape(statement.shape, `${pointer}/shape`, issues);
      bindTo(statement.name, known(isRight ? statement.shape : undefined));
      return;
    }
    case "receive": {
      const isRight = checkShape(statement.shape, `${pointer}/shape`, issues);
      bindTo(statement.name, known(isRight ? statement.shape : undefined));
      return;
    }
    case "send":
      shapeOf("from", statement.from);
      return;
    case "retain":
      checkRetained(statement.of, `${pointer}/of`, scope, issues);
      return;
    case "release":
      referenced(statement.of, `${pointer}/of`, scope, issues);
      return;
    case "differentiate":
      bindTo(statement.name, known(checkDifferentiate(statement, pointer, scope, surroundings)));
      return;
    case "differentiate_call":
      checkDerivedCall(statement, pointer, scope, surroundings);
      return;
  }
}

/** A loop or a procedure is left from within, by the last statement of a block. */
export function checkPlace(
  { do: kind }: Statement,
  pointer: string,
  isLast: boolean,
  depth: number,
  { isInLoop, issues }: Surroundings,
): void {
  if (kind !== "break" && kind !== "return") return;
  const add = (message: string, hint: string): void => {
    issues.push({ code: "program/leave", pointer, message, hint });
  };
  if (!isLast) add(`nothing behind a ${kind} is executed.`, "leave out what stands behind it in its block");
  if (kind === "break" && !isInLoop) add("no loop stands around this break.", "put it in a for or a while");
  if (kind === "return" && depth === 0)
    add("a return stands within a block.", "name what a procedure returns at its end among its results");
}

function checkReturn(
  { operands }: StatementOf<"return">,
  pointer: string,
  scope: NameScope<Known>,
  { results, issues }: Surroundings,
): void {
  checkCount("operand", operands.length, results.length, `${pointer}/operands`, issues);
  for (const [i, name] of operands.entries()) {
    const place = `${pointer}/operands/${i}`;
    const [found, wanted] = [readable(name, place, scope, issues), results[i]?.shape];
    if (found !== undefined && wanted !== undefined && !isSameShape(found, wanted))
      issues.push(otherShape(name, found, wanted, place));
  }
}

function checkBlocks(
  statement: Statement,
  pointer: string,
  scope: NameScope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  for (const [property, block] of blocksOf(statement))
    checkBlock(block, `${pointer}/${property}`, new NameScope(scope), depth + 1, surroundings);
}

/** Returns the shape of what a `let` computes; `undefined` where it cannot be known because of an issue. */
function checkLet(
  { op, attributes, operands }: Let,
  pointer: string,
  scope: NameScope<Known>,
  { environment, isEnvironmentPartial, issues }: Surroundings,
): Shape | undefined {
  const shapes = operands.map((name, i) => readable(name, `${pointer}/operands/${i}`, scope, issues));
  if (shapes.includes(undefined)) return undefined;
  const known = shapes.filter((shape) => shape !== undefined);
  const checked = checkApplication({ op, attributes }, known, { environment, isEnvironmentPartial });
  if (checked.ok) return checked.value;
  for (const issue of checked.error) {
    const place = issue.pointer.replace(/^\/parents/, "/operands");
    issues.push({ ...issue, pointer: `${pointer}${place}` });
  }
  return undefined;
}

/** A row is taken from the front, which is there where the mask is 0 everywhere too. */
function checkRow(name: string, shape: Shape | undefined, pointer: string, issues: Issue[]): void {
  const [extent = 0, ...others] = shape ?? [1];
  if (extent > 0 && others.length === 0) return;
  issues.push({
    code: "program/shape",
    pointer,
    message: `${quote(name)} has shape ${formatShape(shape ?? [])}, and a row of elements is wanted.`,
    hint: "one axis, with an element for each place where the mask is not 0",
  });
}

/** Rows are below the first extent, whatever a counter is; those that are computed are left to the run. */
function checkRows(
  { rows, from }: StatementOf<"write_rows">,
  shape: Shape | undefined,
  target: Shape | undefined,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): void {
  const counts = rows.map((row, i) => checkIndex(row, `${pointer}/rows/${i}`, scope, issues));
  const [extent, ...rest] = target ?? [];
  if (target === undefined) return;
  if (extent === undefined) {
    issues.push({
      code: "shape/rank",
      pointer: `${pointer}/to`,
      message: "a scalar has no rows.",
      hint: "write to it, or to the rows of a reference with an axis",
    });
    return;
  }
  for (const [i, row] of rows.entries()) {
    const count = counts[i];
    const last = typeof row === "number" ? row : typeof count === "number" ? count - 1 : 0;
    if (last < extent) continue;
    issues.push({
      code: "program/index",
      pointer: `${pointer}/rows/${i}`,
      message: `there is no row ${last}: the first extent is ${extent}.`,
      hint: "rows count from 0 and are below the first extent",
    });
  }
  const due = [rows.length, ...rest];
  if (shape !== undefined && !isSameShape(shape, due))
    issues.push(otherShape(from, shape, due, `${pointer}/from`));
}

function checkRebind(
  { name, to }: StatementOf<"rebind">,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): void {
  const [old, next] = [
    lookUp(name, `${pointer}/name`, scope, issues),
    lookUp(to, `${pointer}/to`, scope, issues),
  ];
  if (old.kind === "unknown" || next.kind === "unknown") return;
  const isValue = next.kind !== "reference";
  if (old.kind === "counter" || (old.kind === "value") !== isValue) {
    issues.push({
      code: "program/kind",
      pointer: `${pointer}/name`,
      message: `${quote(name)} is a ${old.kind}, and ${quote(to)} a ${next.kind}.`,
      hint: "a name keeps its kind, and the counter of a loop is the loop's alone",
    });
  } else if (!isSameShape(old.shape, next.shape)) {
    issues.push(otherShape(to, next.shape, old.shape, `${pointer}/to`));
  } else if (old.kind === "reference") {
    // From here on it may see another location.
    scope.rebind(name, { ...old, view: undefined });
  }
}

/** A value has one cotangent; a location another one after each write. */
function checkRetained(name: string, pointer: string, scope: NameScope<Known>, issues: Issue[]): void {
  const { kind } = lookUp(name, pointer, scope, issues);
  if (kind === "value" || kind === "unknown") return;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(name)} is a ${kind}, and a value is wanted.`,
    hint: "retain what an operator made of it",
  });
}
