import { isOperatorName, operatorNames, operators } from "../composites/index.ts";
import { broadcastShape } from "../construction/broadcast.ts";
import { acceptsCount, formatArity } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";
import { parseFloat64 } from "../wire/index.ts";
import { signs } from "./forms.ts";
import { attributesIn, GraphReading, withDefaults } from "./graph_reader.ts";
import type { Block, Bound, Call, Operand, Target } from "./program_block.ts";
import { calledOnce, derivedCall, hooked } from "./program_calls.ts";
import { drawn, received } from "./program_effects.ts";
import { seen } from "./program_views.ts";
import type { Declaration, Derivative, Expression, Place, Word } from "./tree.ts";

/** Statements that are written like a call of an operator. */
const statements = ["buffer", "detach", "draw", "hook", "index", "receive", "send"];

/**
 * Appends the statements that an expression means, and returns what it stands for. With a target something is
 * made that has its name: a number fills its shape, a name alone is read.
 */
export function operandOf(expression: Expression, block: Block, target?: Target): Operand {
  const { place } = expression;
  switch (expression.kind) {
    case "number":
      return literal(expression.text, place, block, target);
    case "name":
      return named(expression.name, place, block, target);
    case "negative":
      if (isNumber(expression)) return literal(`-${expression.operand.text}`, place, block, target);
      return applied("negative", [expression.operand], {}, place, block, target);
    case "infix": {
      const { sign, left, right } = expression;
      return applied(signs[sign] ?? sign, [left, right], {}, place, block, target);
    }
    case "call":
      return expression.isProcedure
        ? calledOnce(expression, block, target)
        : called(expression, block, target);
    case "slice":
    case "method":
      return seen(expression, block, target);
    case "derived_call":
      return derivedCall(expression, block, target);
    case "derivative":
      return derived(expression, block, target);
  }
}

/** The values of expressions, in order; `undefined` if one of them has none. */
function operandsOf(all: readonly Expression[], block: Block): NonNullable<Operand>[] | undefined {
  const operands = all.map((expression) => operandOf(expression, block));
  const known = operands.filter((operand) => operand !== undefined);
  return known.length < operands.length ? undefined : known;
}

/** A number with a sign before it; where it stands in brackets, its negative is computed. */
type Signed = Extract<Expression, { readonly kind: "negative" }> & {
  readonly operand: Extract<Expression, { readonly kind: "number" }>;
};

/** Tells whether an expression is a number with its sign. */
export function isNumber(expression: Expression): expression is Signed {
  if (expression.kind !== "negative") return false;
  return expression.operand.kind === "number" && expression.operand.isGrouped !== true;
}

function literal(text: string, place: Place, block: Block, target: Target | undefined): Operand {
  const value = parseFloat64(text);
  if (value === undefined || !Number.isFinite(value)) {
    const hint = "give it as an entry of Δ: given (c: [])";
    return block.refuse({ place }, "text/number", "a number in a line is finite.", hint);
  }
  return target === undefined
    ? { kind: "literal", value, place }
    : block.filled(value, target.shape ?? [], place, target.name);
}

/**
 * A name of the block, or of Δ, which is a constant. A name alone is read: a value with the same elements.
 */
function named(name: Word, place: Place, block: Block, target: Target | undefined): Operand {
  const isOfDelta = block.around.environment.has(name.text) && !block.isBound(name.text);
  if (isOfDelta) return block.apply("constant", [], { name: name.text }, place, target?.name);
  const bound = block.find(name);
  if (bound === undefined || target === undefined) return bound;
  return block.apply("reshape", [bound], { shape: [...bound.shape] }, place, target.name);
}

function called(call: Call, block: Block, target: Target | undefined): Operand {
  const { op, operands, attributes, place } = call;
  switch (op.text) {
    case "buffer":
    case "detach":
      return copied(op.text, call, block, target);
    case "hook":
      return hooked(call, only(call, block), block, target);
    case "index":
      return placed(call, block, target);
    case "draw":
      return drawn(call, block, target);
    case "receive":
      return received(call, block, target);
    case "send":
      return block.refuse(call, "text/statement", "send has no value.", "give it a line of its own");
    default:
  }
  if (!isOperatorName(op.text)) {
    block.faults.addUnknown("text/operator", "operator", op, [...operatorNames, ...statements]);
    return undefined;
  }
  const given = attributesIn(attributes, block.faults);
  return given && applied(op.text, operands, given, place, block, target);
}

/** Applies an operator to expressions; elementwise operands get one shape, and numbers theirs. */
function applied(
  op: string,
  expressions: readonly Expression[],
  given: Readonly<Record<string, unknown>>,
  place: Place,
  block: Block,
  target: Target | undefined,
): Operand {
  const operands = operandsOf(expressions, block);
  if (operands === undefined || !isOperatorName(op)) return undefined;
  const { arity, isElementwise = false } = operators[op];
  if (!acceptsCount(arity, operands.length)) {
    const message = `${op} takes ${formatArity(arity)}, not ${operands.length}.`;
    return block.refuse({ place }, "text/operands", message, "docs/operators.md lists what each takes");
  }
  const shapes = operands.flatMap((operand) => (operand.kind === "literal" ? [] : [operand.shape]));
  const common = isElementwise ? broadcastShape(shapes) : undefined;
  if (common?.ok === false) {
    block.faults.addIssue(common.error, place);
    return undefined;
  }
  const known = operands.flatMap((operand) => block.shaped(operand, common?.value) ?? []);
  if (known.length < operands.length) return undefined;
  return block.apply(op, known, withDefaults(op, given, known[0]?.shape), place, target?.name);
}

/** `buffer(x)` is a new location with a copy, `detach(x)` the same value or view, constant. */
function copied(kind: "buffer" | "detach", call: Call, block: Block, target: Target | undefined): Operand {
  const operand = only(call, block);
  const from = operand && block.shaped(operand, operand.kind === "literal" ? target?.shape : undefined);
  if (from === undefined) return undefined;
  const name = target?.name ?? block.around.fresh();
  const part = kind === "buffer" ? "from" : "of";
  block.push({ do: kind, name, [part]: from.name }, call.place, { [part]: from.place });
  const result = kind === "buffer" ? "reference" : from.kind === "counter" ? "value" : from.kind;
  return { kind: result, name, shape: from.shape, place: call.place };
}

/** `index(n)` is a place: the whole number that a scalar is. */
function placed(call: Call, block: Block, target: Target | undefined): Operand {
  const operand = only(call, block);
  const of = operand && block.shaped(operand);
  if (of === undefined) return undefined;
  const name = target?.name ?? block.around.fresh();
  block.push({ do: "index", name, of: of.name }, call.place, { of: of.place });
  return { kind: "counter", name, shape: [], place: call.place };
}

/** The operand of a statement that has one, and no attributes. */
function only(call: Call, block: Block): Operand {
  const { op, operands, attributes } = call;
  const [operand, second] = operands;
  if (operand !== undefined && second === undefined && attributes.length === 0)
    return operandOf(operand, block);
  return block.refuse(call, "text/operands", `${op.text} takes one operand alone.`, `write ${op.text}(x)`);
}

/** The derivative of a graph that stands in the line, as an operator of values. */
function derived(expression: Derivative, block: Block, target: Target | undefined): Operand {
  const { at, along, place } = expression;
  const bound: Bound[] = [];
  const standIn = (operand: Expression): Expression => {
    // A number takes the shape that is due to it within.
    if (operand.kind === "number" || isNumber(operand)) return operand;
    const value = block.shaped(operandOf(operand, block));
    const name = { text: `%operand${bound.length}`, place: operand.place };
    if (value !== undefined) bound.push(value);
    return { kind: "name", name, place: operand.place };
  };
  const inner = {
    ...expression,
    at: at.map(standIn),
    ...(along === undefined ? {} : { along: standIn(along) }),
  };
  if (block.faults.all.length > 0) return undefined;
  const reading = new GraphReading(block.faults);
  const declared = (text: string, shape: Shape, isIndex: boolean): Declaration => ({
    ...{ name: { text, place }, shape, isIndex, kind: "value", place },
  });
  reading.declare(
    bound.map(({ shape }, i) => declared(`%operand${i}`, shape, false)),
    [...block.around.environment.values()].map(({ name, shape, kind }) =>
      declared(name, shape, kind === "index"),
    ),
  );
  reading.read({ kind: "let", names: [], value: inner, place });
  for (const [i, { op, parents, attributes }] of reading.nodes.entries()) {
    const operands = parents.flatMap((id) => bound[id] ?? []);
    const name = i === reading.nodes.length - 1 ? target?.name : undefined;
    const made = block.apply(op, operands, attributes, place, name);
    if (made !== undefined) bound.push(made);
  }
  return reading.nodes.length === 0 ? undefined : bound.at(-1);
}
