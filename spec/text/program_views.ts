import { type Index, type Transform, transformed, wholeView } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";
import { wholeOf, wholesOf } from "./data.ts";
import type { Block, Operand, Target } from "./program_block.ts";
import type { Expression, Place, Slice } from "./tree.ts";

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
  const view = transformed(wholeView(of.shape), how, (index) => (typeof index === "number" ? index : 0));
  if (!view.ok) {
    block.faults.addIssue(view.error, place);
    return undefined;
  }
  const name = target?.name ?? block.around.fresh();
  const starts = axes?.map((axis) => axis ?? { place }) ?? [];
  block.push({ do: "view", name, of: of.name, how }, place, { of: of.place, starts });
  const shape = view.value?.shape ?? ("shape" in how ? how.shape : []);
  return { kind: "reference", name, shape, place };
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
  const first = start === undefined ? 0 : indexOf(start, block);
  if (first === undefined) return undefined;
  if (!isSpan) return { start: first, size: 1, step: 1, place };
  const by = step === undefined ? 1 : wholeOf(step);
  const length = end === undefined ? lengthTo(extent, first) : lengthOf(end, first);
  if (by === undefined || by === 0 || length === undefined || length < 0) {
    const from = typeof first === "number" ? String(Math.max(2, first + 2)) : `${first} + 2`;
    const hint = `write start:end or start:end:step, such as ${first}:${from}; behind a counter, the end counts from it`;
    return block.refuse(end ?? step ?? { place }, "text/slice", "this is no slice of an axis.", hint);
  }
  return { start: first, size: Math.ceil(length / by), step: by, place };
}

/** The length from a start to an extent, which is not known behind a counter. */
function lengthTo(extent: number, start: Index): number | undefined {
  return typeof start === "number" ? extent - start : undefined;
}

/** The length to an end; behind a counter the end is written `i + 4`, or `i` for nothing. */
function lengthOf(end: Expression, start: Index): number | undefined {
  if (typeof start === "number") {
    const last = wholeOf(end);
    return last === undefined ? undefined : last - start;
  }
  if (end.kind === "name") return end.name.text === start ? 0 : undefined;
  if (end.kind !== "infix" || end.sign !== "+" || end.left.kind !== "name") return undefined;
  return end.left.name.text === start ? wholeOf(end.right) : undefined;
}

/** A number from 0, or the name of a counter. */
function indexOf(expression: Expression, block: Block): Index | undefined {
  if (expression.kind === "name") return block.find(expression.name)?.name;
  const number = wholeOf(expression);
  const hint = "an index is a whole number from 0, or the counter of a loop around";
  return number ?? block.refuse(expression, "text/index", "this is no place along an axis.", hint);
}

function methodOf(
  expression: Extract<Seen, { readonly kind: "method" }>,
  block: Block,
): Transform | undefined {
  const { name, given } = expression;
  const numbers = wholesOf(given);
  const [shape] = given.map((datum) => (datum.kind === "list" ? wholesOf(datum.entries) : undefined));
  const refuse = (message: string, hint: string): undefined =>
    block.refuse(expression, "text/view", message, hint);
  switch (name.text) {
    case "permute":
      if (numbers !== undefined) return { kind: "permute", axes: numbers };
      return refuse("permute takes the axes in order.", "write .permute(1, 0)");
    case "diagonal":
      if (given.length === 0) return { kind: "diagonal" };
      return refuse("diagonal takes nothing.", "write .diagonal()");
    case "broadcast":
    case "reshape": {
      if (shape !== undefined && given.length === 1) return { kind: name.text, shape };
      return refuse(`${name.text} takes a shape.`, `write .${name.text}([2, 3])`);
    }
    default:
      block.faults.addUnknown("text/view", "view", name, ["permute", "diagonal", "broadcast", "reshape"]);
      return undefined;
  }
}
