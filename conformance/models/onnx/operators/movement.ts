import type { Value } from "../../../../spec/builder/index.ts";
import { formatShape, type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Call, Rule } from "../call.ts";
import { integers, known } from "../operand.ts";

/** Returns the shape with 0 taken from x and −1 from what is left, as Reshape reads it. */
function reshapedTo(call: Call, wanted: readonly number[]): Shape {
  const own = call.shape();
  const isZeroAllowed = call.flag("allowzero");
  const taken = wanted.map((extent, axis) => (extent === 0 && !isZeroAllowed ? (own[axis] ?? 0) : extent));
  if (!taken.includes(-1)) return taken;
  const rest = sizeOf(taken.filter((extent) => extent !== -1));
  const open = rest === 0 ? 0 : sizeOf(own) / rest;
  if (taken.filter((extent) => extent === -1).length > 1 || !Number.isInteger(open))
    return call.refuse(
      `${formatShape(own)} cannot become ${formatShape(wanted)}.`,
      "keep the number of elements",
    );
  return taken.map((extent) => (extent === -1 ? open : extent));
}

const reshape: Rule = {
  operands: [2, 2],
  folds: "always",
  apply: (call) => call.reshaped(call.value(0), call.fitting(reshapedTo(call, call.integers(1, "shape")))),
};

const flatten: Rule = {
  operands: [1, 1],
  folds: "always",
  apply(call) {
    const shape = call.shape();
    const axis = call.int("axis", 1);
    const cut = axis < 0 ? axis + shape.length : axis;
    if (cut < 0 || cut > shape.length)
      return call.refuse(`there is no axis ${axis}.`, "name one of its axes");
    return call.reshaped(call.value(0), [sizeOf(shape.slice(0, cut)), sizeOf(shape.slice(cut))]);
  },
};

const transpose: Rule = {
  operands: [1, 1],
  folds: "always",
  apply(call) {
    const order = call.ints("perm") ?? call.shape().map((_, axis) => call.rank - 1 - axis);
    const axes = call.axes(order);
    if (axes.length !== call.rank) return call.refuse("perm leaves axes out.", "name every axis once");
    return call.value(0).permute_dims({ axes });
  },
};

const squeeze: Rule = {
  operands: [1, 2],
  folds: "always",
  apply(call) {
    const shape = call.shape();
    const ones = shape.flatMap((extent, axis) => (extent === 1 ? [axis] : []));
    const axes = call.hasOperand(1) ? call.axes(call.integers(1, "axes")) : ones;
    if (axes.some((axis) => shape[axis] !== 1))
      return call.refuse(`${formatShape(shape)} has another extent than 1 there.`, "name axes of extent 1");
    return call.value(0).reshape({ shape: shape.filter((_, axis) => !axes.includes(axis)) });
  },
};

const unsqueeze: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const given = call.integers(1, "axes");
    const rank = call.rank + given.length;
    const axes = call.axes(given, rank);
    const own = [...call.shape()];
    const shape = Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? 1 : (own.shift() ?? 1)));
    return call.value(0).reshape({ shape });
  },
};

/** Expand broadcasts both ways. */
const expand: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const [own, wanted] = [call.shape(), call.integers(1, "shape")];
    const rank = Math.max(own.length, wanted.length);
    const shape = Array.from({ length: rank }, (_, axis) => {
      const [a = 1, b = 1] = [own[axis - rank + own.length], wanted[axis - rank + wanted.length]];
      return a === 1 ? b : a;
    });
    return call.value(0).broadcast_to({ shape: call.fitting(shape) });
  },
};

const tile: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const repetitions = call.integers(1, "repeats");
    if (repetitions.length !== call.rank || repetitions.some((count) => count < 0))
      return call.refuse("repeats has not a count for each axis.", "give one for each axis, from 0 on");
    call.fitting(call.shape().map((extent, axis) => extent * (repetitions[axis] ?? 1)));
    return call.value(0).tile({ repetitions: [...repetitions] });
  },
};

const concat: Rule = {
  operands: [1, 2 ** 16],
  folds: "always",
  apply(call) {
    const axis = call.axis(call.int("axis", 0));
    const [first = call.value(0), ...others] = call.operands.map((_, place) => call.value(place));
    return others.length === 0 ? first : first.concat(...others, { axis });
  },
};

/** Cuts x along an axis. */
export function cut(x: Value, axis: number, start: number, stop: number, step = 1): Value {
  return x.slice({
    starts: x.shape.map((_, other) => (other === axis ? start : 0)),
    stops: x.shape.map((extent, other) => (other === axis ? stop : extent)),
    steps: x.shape.map((_, other) => (other === axis ? step : 1)),
  });
}

const split: Rule = {
  operands: [1, 2],
  folds: "always",
  apply(call) {
    const axis = call.axis(call.int("axis", 0));
    const extent = call.shape()[axis] ?? 0;
    const parts = call.int("num_outputs", call.results);
    if (parts !== call.results) return call.refuse(`it has ${call.results} of ${parts} results.`, "name all");
    const size = Math.ceil(extent / parts);
    const sizes = call.hasOperand(1)
      ? call.integers(1, "split")
      : Array.from({ length: parts }, (_, part) => Math.max(0, Math.min(size, extent - part * size)));
    if (sizes.reduce((sum, one) => sum + one, 0) !== extent || sizes.some((one) => one < 0))
      return call.refuse(`parts of ${formatShape(sizes)} do not make ${extent}.`, "let the parts add up");
    const x = call.value(0);
    const ends = sizes.map((_, part) => sizes.slice(0, part + 1).reduce((sum, one) => sum + one, 0));
    return sizes.map((one, part) => cut(x, axis, (ends[part] ?? 0) - one, ends[part] ?? 0));
  },
};

const slice: Rule = {
  operands: [3, 5],
  folds: "always",
  apply(call) {
    const [starts, ends] = [call.integers(1, "starts"), call.integers(2, "ends")];
    const axes = call.hasOperand(3) ? call.axes(call.integers(3, "axes")) : starts.map((_, axis) => axis);
    const steps = call.hasOperand(4) ? call.integers(4, "steps") : starts.map(() => 1);
    if ([ends, axes, steps].some(({ length }) => length !== starts.length) || steps.includes(0))
      return call.refuse("starts, ends, axes and steps do not fit.", "give one for each axis; no step is 0");
    const shape = call.shape();
    const limit = Number.MAX_SAFE_INTEGER;
    const clamped = (x: number): number => Math.max(-limit, Math.min(limit, x));
    const pick = (list: readonly number[], axis: number, otherwise: number): number =>
      axes.includes(axis) ? clamped(list[axes.indexOf(axis)] ?? otherwise) : otherwise;
    const by = shape.map((_, axis) => pick(steps, axis, 1));
    // Where a step goes back, a start before the first element is the first, other than in Python.
    const least = (extent: number, axis: number): number => ((by[axis] ?? 1) < 0 ? -extent : -limit);
    return call.value(0).slice({
      starts: shape.map((extent, axis) => Math.max(pick(starts, axis, 0), least(extent, axis))),
      stops: shape.map((extent, axis) => pick(ends, axis, extent)),
      steps: by,
    });
  },
};

/** Puts blocks before and after an axis. */
function beside(call: Call, x: Value, axis: number, low: number, high: number, value: number): Value {
  const block = (extent: number): Value[] =>
    extent === 0
      ? []
      : [
          constantLike(
            call,
            x.shape.map((own, other) => (other === axis ? extent : own)),
            value,
          ),
        ];
  const [first = x, ...others] = [...block(low), x, ...block(high)];
  return others.length === 0 ? first : first.concat(...others, { axis });
}

/** A constant of one number, which may be infinite. */
function constantLike(call: Call, shape: Shape, value: number): Value {
  if (Number.isFinite(value)) return call.builder.full({ shape: [...shape], value });
  const scalar = call.workshop.value(known(call.type(), [], [value]));
  return scalar.broadcast_to({ shape: [...shape] });
}

/** The index that each place of a padded axis shows. */
function shown(mode: string, extent: number, low: number, high: number): number[] {
  return Array.from({ length: Math.max(0, extent + low + high) }, (_, place) => {
    const index = place - low;
    if (mode === "edge") return Math.max(0, Math.min(extent - 1, index));
    if (mode === "wrap") return ((index % extent) + extent) % extent;
    const period = Math.max(1, 2 * (extent - 1));
    const folded = ((index % period) + period) % period;
    return folded < extent ? folded : period - folded;
  });
}

const pad: Rule = {
  operands: [2, 4],
  folds: "always",
  apply(call) {
    const mode = call.text("mode", "constant");
    const axes = call.hasOperand(3)
      ? call.axes(call.integers(3, "axes"))
      : call.shape().map((_, axis) => axis);
    const pads = call.integers(1, "pads");
    if (pads.length !== 2 * axes.length)
      return call.refuse(
        `pads has ${pads.length} numbers for ${axes.length} axes.`,
        "give two for each axis",
      );
    const value = call.hasOperand(2) ? call.number(2, "constant_value") : 0;
    if (!["constant", "edge", "reflect", "wrap"].includes(mode))
      return call.refuse(`there is no mode ${JSON.stringify(mode)}.`, "use constant, edge, reflect or wrap");
    let x = call.value(0);
    for (const [place, axis] of axes.entries()) {
      const [low = 0, high = 0] = [pads[place], pads[place + axes.length]];
      const extent = x.shape[axis] ?? 0;
      call.fitting(x.shape.map((own, other) => (other === axis ? Math.max(0, own + low + high) : own)));
      if (low === 0 && high === 0) continue;
      if (mode === "constant") {
        const kept =
          low < 0 || high < 0 ? cut(x, axis, Math.max(0, -low), Math.max(0, extent + Math.min(0, high))) : x;
        x = padded(call, kept, axis, Math.max(0, low), Math.max(0, high), value);
      } else {
        if (extent === 0) return call.refuse("there is nothing to repeat.", "pad tensors with elements");
        call.listing(extent + low + high);
        const places = shown(mode, extent, low, high);
        x = x.take({ axis, indices: call.index([places.length], places) });
      }
    }
    return x;
  },
};

function padded(call: Call, x: Value, axis: number, low: number, high: number, value: number): Value {
  if (!Object.is(value, 0)) return beside(call, x, axis, low, high, value);
  const only = (extent: number): number[] => x.shape.map((_, other) => (other === axis ? extent : 0));
  return x.pad({ low: only(low), high: only(high), interior: only(0) });
}

/** DepthToSpace and SpaceToDepth move blocks between channels and places. */
const depthToSpace: Rule = {
  operands: [1, 1],
  folds: "always",
  apply(call) {
    const [n = 0, c = 0, h = 0, w = 0] = call.shape();
    const b = call.int("blocksize", 1);
    const isFirst = call.text("mode", "DCR") === "DCR";
    if (call.rank !== 4 || b < 1 || c % (b * b) !== 0)
      return call.refuse("its channels are no blocks.", "x is [N, C, H, W], and blocksize² divides C");
    const d = c / (b * b);
    const shape = isFirst ? [n, b, b, d, h, w] : [n, d, b, b, h, w];
    const axes = isFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3];
    const moved = call.value(0).reshape({ shape }).permute_dims({ axes });
    return moved.reshape({ shape: [n, d, h * b, w * b] });
  },
};

const spaceToDepth: Rule = {
  operands: [1, 1],
  folds: "always",
  apply(call) {
    const [n = 0, c = 0, h = 0, w = 0] = call.shape();
    const b = call.int("blocksize", 1);
    if (call.text("mode", "DCR") !== "DCR") return call.refuse("its mode is not DCR.", "leave the mode out");
    if (call.rank !== 4 || b < 1 || h % b !== 0 || w % b !== 0)
      return call.refuse("its places are no blocks.", "x is [N, C, H, W], and blocksize divides H and W");
    const blocks = call.value(0).reshape({ shape: [n, c, h / b, b, w / b, b] });
    return blocks.permute_dims({ axes: [0, 3, 5, 1, 2, 4] }).reshape({ shape: [n, c * b * b, h / b, w / b] });
  },
};

const trilu: Rule = {
  operands: [1, 2],
  folds: "always",
  apply(call) {
    const offset = call.hasOperand(1) ? call.number(1, "k") : 0;
    return call.flag("upper", 1) ? call.value(0).triu({ offset }) : call.value(0).tril({ offset });
  },
};

const reverseSequence: Rule = {
  operands: [2, 2],
  folds: "always",
  apply(call) {
    const [batch, time] = [call.axis(call.int("batch_axis", 1)), call.axis(call.int("time_axis", 0))];
    const lengths = call.integers(1, "sequence_lens");
    const [rows = 0, steps = 0] = [call.shape()[batch], call.shape()[time]];
    if (lengths.length !== rows || lengths.some((length) => length < 0 || length > steps))
      return call.refuse("the lengths do not fit.", "give one for each row, at most the extent of time");
    call.listing(rows * steps);
    const shape = call.shape();
    const order = [batch, time];
    const axes = [...order, ...shape.map((_, axis) => axis).filter((axis) => !order.includes(axis))];
    const rowsOf = lengths.flatMap((length, row) =>
      Array.from({ length: steps }, (_, step) => [row, step < length ? length - 1 - step : step]),
    );
    const front = call.value(0).permute_dims({ axes });
    const moved = front.gather({ indices: call.index([rows, steps, 2], rowsOf.flat()) });
    return moved.permute_dims({ axes: shape.map((_, axis) => axes.indexOf(axis)) });
  },
};

/** What follows from the shape of an operand alone. */
const shapes: Rule = {
  operands: [1, 1],
  apply(call) {
    const own = call.shape();
    const bound = (at: number): number => Math.max(0, Math.min(own.length, at < 0 ? at + own.length : at));
    return integers(own.slice(bound(call.int("start", 0)), bound(call.int("end", own.length))));
  },
};

const centerCropPad: Rule = {
  operands: [2, 2],
  since: 18,
  folds: "always",
  apply(call) {
    const wanted = call.integers(1, "shape");
    const axes = call.axes(call.ints("axes") ?? call.shape().map((_, axis) => axis));
    let x = call.value(0);
    for (const [place, axis] of axes.entries()) {
      const [extent = 0, to = 0] = [x.shape[axis], wanted[place]];
      call.fitting([to]);
      if (to < extent) {
        const start = Math.floor((extent - to) / 2);
        x = cut(x, axis, start, start + to);
      } else if (to > extent) {
        const low = Math.floor((to - extent) / 2);
        x = padded(call, x, axis, low, to - extent - low, 0);
      }
    }
    return x;
  },
};

/** Operators that move elements, and compute nothing. */
export const movement: Readonly<Record<string, Rule>> = {
  CenterCropPad: centerCropPad,
  Concat: concat,
  DepthToSpace: depthToSpace,
  Expand: expand,
  Flatten: flatten,
  Pad: pad,
  Reshape: reshape,
  ReverseSequence: reverseSequence,
  Shape: shapes,
  Size: {
    operands: [1, 1],
    apply: (call) => known(7, [], [sizeOf(call.shape())]),
  },
  Slice: slice,
  SpaceToDepth: spaceToDepth,
  Split: split,
  Squeeze: squeeze,
  Tile: tile,
  Transpose: transpose,
  Trilu: trilu,
  Unsqueeze: unsqueeze,
};
