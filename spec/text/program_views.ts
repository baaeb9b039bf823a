import { type Index, shapeSeen, type Transform } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";
import { integerOf, integersOf, wholeOf } from "./data.ts";
import type { Block, Operand, Target } from "./program_block.ts";
import type { Datum, Expression, Place, Slice } from "./tree.ts";

/** A location that is seen in some way. */
type Seen = Extract<Expression, { readonly kind: "slice" | "method" }>;

/** The parts of a slice along one axis. */
interface Axis {
  readonly start: Index;
  readonly size: number;
  readonly step: number;
  readonly place: Place;
}

/** The axes of a slice, if they were understood. */
type Axes = readonly (Axis | undefined)[] | undefined;

/** `b[0:6:2, i]`, `b.permute(1, 0)`: makes a view. Axes that a slice does not name are seen whole. */
export function seen(expression: Seen, block: Block, target?: Target): Operand {
  const { place } = expression;
  const of = block.operand(expression.of);
  if (of === undefined) return undefined;
  if (of.kind === "literal") {
    const hint = "make a location of it: b = buffer(x)";
    return block.refuse(of, "text/view", "a number has no views.", hint);
  }
  const axes = expression.kind === "slice" ? slicesOf(expression.axes, of.shape, place, block) : [];
  const how = expression.kind === "slice" ? sliced(axes) : methodOf(expression, block);
  if (how === undefined) return undefined;
  const shape = shapeSeen(of.shape, how);
  if (!shape.ok) {
    block.faults.addIssue(shape.error, place);
    return undefined;
  }
  const name = target?.name ?? block.around.fresh();
  const starts = axes?.map((axis) => axis ?? { place }) ?? [];
  block.push({ do: "view", name, of: of.name, how }, place, { of: of.place, starts });
  return { kind: "reference", name, shape: shape.value, place };
}

function sliced(axes: Axes): Transform | undefined {
  const known = axes?.filter((axis) => axis !== undefined);
  if (known === undefined || known.length !== axes?.length) return undefined;
  const [starts, sizes] = [known.map(({ start }) => start), known.map(({ size }) => size)];
  return { kind: "slice", starts, sizes, steps: known.map(({ step }) => step) };
}

function slicesOf(axes: readonly Slice[], shape: Shape, place: Place, block: Block): Axes {
  if (axes.length > shape.length) {
    const message = `${axes.length} axes are sliced, and the location has ${shape.length}.`;
    return block.refuse({ place }, "text/axes", message, "give one for each axis, outermost first");
  }
  return shape.map((extent, i) => {
    const slice = axes[i] ?? { isSpan: true };
    return axisOf(slice, extent, place, block);
  });
}

function axisOf(slice: Slice, extent: number, whole: Place, block: Block): Axis | undefined {
  const { start, end, step, isSpan } = slice;
  const place = start?.place ?? whole;
  const by = step === undefined ? 1 : integerOf(step);
  const isBackwards = by !== undefined && by < 0;
  const first = start === undefined ? (isBackwards ? extent - 1 : 0) : indexOf(start, block);
  if (first === undefined) return undefined;
  if (!isSpan) return { start: first, size: 1, step: 1, place };
  const length = end === undefined ? lengthTo(isBackwards ? -1 : extent, first) : lengthOf(end, first);
  const size = by === undefined || length === undefined ? Number.NaN : Math.ceil(length / by) + 0;
  if (by === undefined || by === 0 || !(size >= 0)) {
    const from = typeof first === "number" ? String(Math.max(2, first + 2)) : `${first} + 2`;
    const hint = `write start:end or start:end:step, such as ${first}:${from}; behind a counter, the end counts from it`;
    return block.refuse(end ?? step ?? { place }, "text/slice", "this is no slice of an axis.", hint);
  }
  return { start: first, size, step: by, place };
}

/** The length from a start to an extent, which is not known behind a counter. */
function lengthTo(extent: number, start: Index): number | undefined {
  return typeof start === "number" ? extent - start : undefined;
}

/** The length to an end; behind a counter the end is written `i + 4` or `i - 4`, or `i` for nothing. */
function lengthOf(end: Expression, start: Index): number | undefined {
  if (typeof start === "number") {
    const last = wholeOf(end);
    return last === undefined ? undefined : last - start;
  }
  if (end.kind === "name") return end.name.text === start ? 0 : undefined;
  if (end.kind !== "infix" || (end.sign !== "+" && end.sign !== "-") || end.left.kind !== "name")
    return undefined;
  const length = end.left.name.text === start ? wholeOf(end.right) : undefined;
  return length === undefined || end.sign === "+" ? length : -length;
}

/** A number from 0, or the name of a counter. */
function indexOf(expression: Expression, block: Block): Index | undefined {
  if (expression.kind === "name") return block.find(expression.name)?.name;
  const number = wholeOf(expression);
  const hint = "an index is a whole number from 0, or the counter of a loop around";
  return number ?? block.refuse(expression, "text/index", "this is no place along an axis.", hint);
}

/** Returns what a view's brackets hold as a list of lists of integers, where all are some. */
function listsOf(given: readonly Datum[]): readonly (readonly number[])[] | undefined {
  const lists = given.map((datum) => (datum.kind === "list" ? integersOf(datum.entries) : undefined));
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known : undefined;
}

function methodOf(
  expression: Extract<Seen, { readonly kind: "method" }>,
  block: Block,
): Transform | undefined {
  const { name, given } = expression;
  const numbers = integersOf(given);
  const refuse = (message: string, hint: string): undefined =>
    block.refuse(expression, "text/view", message, hint);
  switch (name.text) {
    case "permute":
      if (numbers !== undefined) return { kind: "permute", axes: numbers };
      return refuse("permute takes the axes in order.", "write .permute(1, 0)");
    case "diagonal": {
      const [offset, row = 0, column = 1] = numbers ?? [];
      if (given.length === 0) return { kind: "diagonal" };
      if (offset !== undefined && (given.length === 1 || given.length === 3))
        return { kind: "diagonal", offset, axes: [row, column] };
      return refuse("diagonal takes an offset and two axes, if anything.", "write .diagonal(1, 0, 1)");
    }
    case "unfold": {
      const [axis, size, step] = numbers ?? [];
      if (axis !== undefined && size !== undefined && step !== undefined && given.length === 3)
        return { kind: "unfold", axis, size, step };
      return refuse("unfold takes an axis, a size and a step.", "write .unfold(0, 3, 1)");
    }
    case "strided": {
      const [first, ...others] = given;
      const [shape, strides] = listsOf(others) ?? [];
      const start = first && startOf(first, block);
      if (start !== undefined && shape !== undefined && strides !== undefined && given.length === 3)
        return { kind: "strided", start, shape, strides };
      return refuse("strided takes a start, a shape and strides.", "write .strided(0, [2, 3], [1, 2])");
    }
    case "broadcast":
    case "reshape": {
      const [shape] = listsOf(given) ?? [];
      if (shape !== undefined && given.length === 1) return { kind: name.text, shape };
      return refuse(`${name.text} takes a shape.`, `write .${name.text}([2, 3])`);
    }
    case "rows":
    case "where":
    case "scatter":
      return refuse(`${name.text} is written, and not seen.`, `write b.${name.text}(k) <- x`);
    default:
      block.faults.addUnknown("text/view", "view", name, [...methods]);
      return undefined;
  }
}

/** These make views, beside slices. */
const methods = [
  "permute",
  "diagonal",
  "unfold",
  "strided",
  "broadcast",
  "reshape",
  "rows",
  "where",
  "scatter",
] as const;

/** A number from 0, or the name of a counter, among data. */
export function startOf(datum: Datum, block: Block): Index | undefined {
  if (datum.kind === "word" || datum.kind === "quoted") return block.find(datum)?.name;
  return wholeOf(datum);
}
