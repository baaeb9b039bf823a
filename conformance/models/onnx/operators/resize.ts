import type { Value } from "../../../../spec/builder/index.ts";
import type { Call, Rule } from "../call.ts";
import { known } from "../operand.ts";

/** One axis as it is resized. */
interface Resized {
  readonly axis: number;
  readonly from: number;
  readonly to: number;
  readonly scale: number;
}

/** Returns where a place of the result lies on the operand's axis. */
function sourceOf(call: Call, mode: string, { from, to, scale }: Resized, place: number): number {
  switch (mode) {
    case "half_pixel":
      return (place + 0.5) / scale - 0.5;
    case "half_pixel_symmetric": {
      const adjustment = to / (scale * from);
      return (from / 2) * (1 - adjustment) + (place + 0.5) / scale - 0.5;
    }
    case "pytorch_half_pixel":
      return to > 1 ? (place + 0.5) / scale - 0.5 : 0;
    case "align_corners":
      return to === 1 ? 0 : (place * (from - 1)) / (to - 1);
    case "asymmetric":
      return place / scale;
    default:
      return call.refuse(`its coordinates are ${JSON.stringify(mode)}.`, "use half_pixel or align_corners");
  }
}

function nearest(call: Call, mode: string, x: number): number {
  switch (mode) {
    case "round_prefer_floor":
      return Math.ceil(x - 0.5);
    case "round_prefer_ceil":
      return Math.floor(x + 0.5);
    case "floor":
      return Math.floor(x);
    case "ceil":
      return Math.ceil(x);
    default:
      return call.refuse(`its nearest_mode is ${JSON.stringify(mode)}.`, "use floor or round_prefer_floor");
  }
}

function resizedAxes(call: Call): Resized[] {
  const shape = call.shape();
  const axes = call.axes(call.ints("axes") ?? shape.map((_, axis) => axis));
  const isSized = call.hasOperand(3) && call.constant(3, "sizes").data.length > 0;
  const numbers = isSized ? call.integers(3, "sizes") : Array.from(call.constant(2, "scales").data);
  if (numbers.length !== axes.length || numbers.some((one) => !(one > 0)))
    return call.refuse("its scales or sizes do not fit.", "give a positive number for each axis");
  return axes.map((axis, place) => {
    const [from = 0, number = 1] = [shape[axis], numbers[place]];
    const to = isSized ? number : Math.floor(from * number);
    call.listing(to);
    return { axis, from, to, scale: isSized ? to / from : number };
  });
}

const resize: Rule = {
  operands: [1, 4],
  apply(call) {
    const mode = call.text("mode", "nearest");
    const coordinates = call.text("coordinate_transformation_mode", "half_pixel");
    const rounding = call.text("nearest_mode", "round_prefer_floor");
    call.float("cubic_coeff_a", -0.75);
    call.float("extrapolation_value", 0);
    if (call.flag("antialias") || call.flag("exclude_outside"))
      return call.refuse("it is antialiased or leaves places outside out.", "leave these attributes out");
    if (call.text("keep_aspect_ratio_policy", "stretch") !== "stretch")
      return call.refuse("it keeps the aspect ratio.", "give the sizes that come out of it");
    let x = call.value(0);
    for (const resized of resizedAxes(call)) {
      const { from, to, axis } = resized;
      if (from === to && resized.scale === 1) continue;
      const sources = Array.from({ length: to }, (_, place) => sourceOf(call, coordinates, resized, place));
      const inside = (place: number): number => Math.max(0, Math.min(from - 1, place));
      if (mode === "nearest") {
        const at = sources.map((source) => inside(nearest(call, rounding, source)));
        x = x.take({ axis, indices: call.index([to], at) });
      } else if (mode === "linear") x = interpolated(call, x, axis, sources.map(inside));
      else return call.refuse(`its mode is ${JSON.stringify(mode)}.`, "nearest and linear are read");
    }
    return x;
  },
};

/** Mixes the two nearest places by their distance; the weights are constants. */
function interpolated(call: Call, x: Value, axis: number, sources: readonly number[]): Value {
  const from = x.shape[axis] ?? 1;
  const low = sources.map((source) => Math.min(Math.floor(source), Math.max(0, from - 2)));
  const shape = x.shape.map((_, other) => (other === axis ? sources.length : 1));
  const parts = sources.map((source, place) => source - (low[place] ?? 0));
  const type = call.type();
  const weight = call.workshop.value(known(type, shape, parts, "resize_weights"));
  const rest = call.workshop.value(
    known(
      type,
      shape,
      parts.map((part) => 1 - part),
      "resize_rest",
    ),
  );
  const at = (places: readonly number[]): Value =>
    x.take({ axis, indices: call.index([places.length], places) });
  if (from === 1) return at(low);
  return at(low)
    .multiply(rest)
    .add(at(low.map((place) => place + 1)).multiply(weight));
}

/** Operators that resize. */
export const resizes: Readonly<Record<string, Rule>> = { Resize: resize };
