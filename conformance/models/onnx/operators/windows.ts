import type { Value } from "../../../../spec/builder/index.ts";
import type { Call, Rule } from "../call.ts";

type Padding = readonly (readonly [number, number])[];

/** Windows as an operator's attributes give them. */
interface Windows {
  readonly window: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly padding: Padding;
}

/** Padding on both sides of each axis, from pads, or from auto_pad and the extents. */
function paddingOf(
  call: Call,
  spatial: readonly number[],
  { window, strides, dilations }: Omit<Windows, "padding">,
): Padding {
  const auto = call.text("auto_pad", "NOTSET");
  const pads = call.ints("pads");
  if (auto === "NOTSET" || auto === "") {
    if (pads?.some((pad) => pad < 0)) call.refuse("its pads are negative.", "slice the operand instead");
    return spatial.map((_, axis) => [pads?.[axis] ?? 0, pads?.[axis + spatial.length] ?? 0]);
  }
  if (auto === "VALID") return spatial.map(() => [0, 0]);
  if (auto !== "SAME_UPPER" && auto !== "SAME_LOWER")
    return call.refuse(`there is no auto_pad ${JSON.stringify(auto)}.`, "use pads");
  return spatial.map((extent, axis) => {
    const [size = 1, stride = 1, dilation = 1] = [window[axis], strides[axis], dilations[axis]];
    const count = Math.ceil(extent / stride);
    const total = Math.max(0, (count - 1) * stride + (size - 1) * dilation + 1 - extent);
    const [less, more] = [Math.floor(total / 2), Math.ceil(total / 2)];
    return auto === "SAME_UPPER" ? [less, more] : [more, less];
  });
}

function windowsOf(call: Call, window: readonly number[]): Windows {
  const spatial = call.shape().slice(2);
  const each = (name: string): readonly number[] => {
    const list = call.ints(name) ?? spatial.map(() => 1);
    if (list.length === spatial.length && list.every((one) => one > 0)) return list;
    return call.refuse(`its ${name} do not fit.`, "give a positive number for each spatial axis");
  };
  const [strides, dilations] = [each("strides"), each("dilations")];
  const kernel = call.ints("kernel_shape") ?? window;
  if (kernel.length !== spatial.length || (window.length > 0 && kernel.join() !== window.join()))
    return call.refuse("its kernel_shape does not fit.", "it has the kernel's extents");
  const parts = { window: kernel, strides, dilations };
  return { ...parts, padding: paddingOf(call, spatial, parts) };
}

/** Adds a bias to each channel. */
function biased(call: Call, x: Value, place: number): Value {
  if (!call.hasOperand(place)) return x;
  call.expectShape(place, [x.shape[1] ?? 0]);
  const shape = x.shape.map((extent, axis) => (axis === 1 ? extent : 1));
  return x.add(call.value(place).reshape({ shape }));
}

const conv: Rule = {
  operands: [2, 3],
  apply(call) {
    const { strides, dilations, padding } = windowsOf(call, call.shape(1).slice(2));
    const groups = call.int("group", 1);
    const made = call.float_(0).conv(call.value(1), { strides, dilations, padding, groups });
    return biased(call, made, 2);
  },
};

const convTranspose: Rule = {
  operands: [2, 3],
  apply(call) {
    const spatial = call.shape().slice(2);
    const window = call.shape(1).slice(2);
    const strides = call.ints("strides") ?? spatial.map(() => 1);
    const dilations = call.ints("dilations") ?? spatial.map(() => 1);
    const kernel = call.ints("kernel_shape");
    const groups = call.int("group", 1);
    const outputPadding = call.ints("output_padding") ?? spatial.map(() => 0);
    const wanted = call.ints("output_shape");
    const auto = call.text("auto_pad", "NOTSET");
    const pads = call.ints("pads");
    if (kernel !== undefined && kernel.join() !== window.join())
      return call.refuse("its kernel_shape does not fit.", "it has the kernel's extents");
    const full = spatial.map((extent, axis) => {
      const reach = ((window[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
      return (strides[axis] ?? 1) * (extent - 1) + (outputPadding[axis] ?? 0) + reach;
    });
    const isSame = auto === "SAME_UPPER" || auto === "SAME_LOWER";
    const target =
      wanted ?? (isSame ? spatial.map((extent, axis) => extent * (strides[axis] ?? 1)) : undefined);
    const padding = spatial.map((_, axis): readonly [number, number] => {
      if (target === undefined) return [pads?.[axis] ?? 0, pads?.[axis + spatial.length] ?? 0];
      const total = Math.max(0, (full[axis] ?? 0) - (target[axis] ?? 0));
      const [less, more] = [Math.floor(total / 2), Math.ceil(total / 2)];
      return auto === "SAME_UPPER" ? [less, more] : [more, less];
    });
    if (target?.some((extent, axis) => extent > (full[axis] ?? 0)))
      return call.refuse("its output is larger than what it makes.", "use output_padding");
    const attributes = { strides, dilations, padding, groups, output_padding: outputPadding };
    return biased(call, call.float_(0).conv_transpose(call.value(1), attributes), 2);
  },
};

/** A pool's windows; with ceil_mode one more may begin within the padding before the end. */
function poolOf(call: Call): Windows & { readonly isLonger: boolean } {
  const windows = windowsOf(call, []);
  if (windows.dilations.some((dilation) => dilation !== 1))
    return call.refuse("its windows have dilations.", "only windows without gaps are pooled");
  if (!call.flag("ceil_mode")) return { ...windows, isLonger: false };
  const spatial = call.shape().slice(2);
  const padding = windows.padding.map(([low, high], axis): readonly [number, number] => {
    const [extent = 0, size = 1, stride = 1] = [spatial[axis], windows.window[axis], windows.strides[axis]];
    const whole = Math.ceil((extent + low + high - size) / stride);
    // A window that would begin behind the operand and its first padding is left out.
    const count = whole * stride >= extent + low ? whole : whole + 1;
    return [low, Math.max(high, (count - 1) * stride + size - extent - low)];
  });
  return {
    ...windows,
    padding,
    isLonger: padding.some(([, high], axis) => high > (windows.padding[axis]?.[1] ?? 0)),
  };
}

const maxPool: Rule = {
  operands: [1, 1],
  apply(call) {
    const { window, strides, padding } = poolOf(call);
    call.int("storage_order", 0);
    const why =
      "the indices of MaxPool depend on the inputs' numbers, and nothing in a graph reads such indices.";
    return [call.float_(0).max_pool({ window, strides, padding }), call.absent(why)];
  },
};

const averagePool: Rule = {
  operands: [1, 1],
  apply(call) {
    const { window, strides, padding, isLonger } = poolOf(call);
    const count_include_pad = call.flag("count_include_pad");
    if (isLonger && count_include_pad)
      return call.refuse("ceil_mode makes a window longer whose padding counts.", "pad the operand instead");
    return call.float_(0).avg_pool({ window, strides, padding, count_include_pad });
  },
};

const lpPool: Rule = {
  operands: [1, 1],
  apply(call) {
    const { window, strides, padding, isLonger } = poolOf(call);
    if (isLonger) return call.refuse("ceil_mode makes a window longer.", "pad the operand instead");
    const size = window.reduce((product, extent) => product * extent, 1);
    const pooled = (powers: Value): Value =>
      powers.avg_pool({ window, strides, padding, count_include_pad: true }).multiply(size);
    return rooted(call, call.float_(0), pooled);
  },
};

/** Takes the p-th root of what is made of p-th powers. */
function rooted(call: Call, x: Value, total: (powers: Value) => Value): Value {
  const p = call.int("p", 2);
  if (p < 1) return call.refuse(`its p is ${p}.`, "use 1 or more");
  if (p === 1) return total(x.abs());
  if (p === 2) return total(x.square()).sqrt();
  return total(x.abs().pow(p)).pow(call.builder.full({ shape: [], value: 1 }).divide(p));
}

/** Reduces over all places. */
function globally(apply: (x: Value, over: { axes: number[]; keepdims: true }, call: Call) => Value): Rule {
  return {
    operands: [1, 1],
    apply(call) {
      const axes = call.shape().flatMap((_, axis) => (axis < 2 ? [] : [axis]));
      return apply(call.float_(0), { axes, keepdims: true }, call);
    },
  };
}

/** Convolutions and pools. */
export const windows: Readonly<Record<string, Rule>> = {
  AveragePool: averagePool,
  Conv: conv,
  ConvTranspose: convTranspose,
  GlobalAveragePool: globally((x, over) => x.mean(over)),
  GlobalLpPool: globally((x, over, call) => rooted(call, x, (powers) => powers.sum(over))),
  GlobalMaxPool: globally((x, over) => x.max(over)),
  LpPool: lpPool,
  MaxPool: maxPool,
};
