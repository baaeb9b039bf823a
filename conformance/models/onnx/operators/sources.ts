import { sizeOf } from "../../../../spec/shapes/index.ts";
import type { Call, Rule } from "../call.ts";
import { isFloat, type Known, known } from "../operand.ts";
import { readTensor } from "../tensor.ts";
import { elementTypes } from "../wire/model.ts";

/** The value is in one of these attributes. */
function constantOf(call: Call): Known {
  const tensor = call.tensor("value");
  if (tensor !== undefined) return readTensor(tensor, call.workshop.limits);
  if (call.has("value_float")) return known(elementTypes.float, [], [call.float("value_float", 0)]);
  if (call.has("value_int")) return known(elementTypes.int64, [], [call.int("value_int", 0)]);
  const floats = call.has("value_floats") ? call.floats("value_floats") : undefined;
  if (floats !== undefined) return known(elementTypes.float, [floats.length], floats);
  const ints = call.has("value_ints") ? call.ints("value_ints") : undefined;
  if (ints !== undefined) return known(elementTypes.int64, [ints.length], ints);
  return call.refuse("it has no value of numbers.", "give it value, value_float or value_int");
}

/** Operators that make constants. */
export const sources: Readonly<Record<string, Rule>> = {
  Constant: { operands: [0, 0], apply: constantOf },
  ConstantOfShape: {
    operands: [1, 1],
    apply(call) {
      const shape = call.fitting(call.integers(0, "shape"));
      const tensor = call.tensor("value");
      const filler =
        tensor === undefined ? known(elementTypes.float, [1], [0]) : readTensor(tensor, call.workshop.limits);
      if (sizeOf(shape) > call.workshop.limits.left())
        return call.refuse("it is too large.", "use smaller extents");
      return known(filler.type, shape, new Float64Array(sizeOf(shape)).fill(filler.data[0] ?? 0));
    },
  },
  EyeLike: {
    operands: [1, 1],
    apply(call) {
      const [rows = 0, columns = 0] = call.shape();
      const offset = call.int("k", 0);
      const type = call.int("dtype", call.type());
      if (rows * columns > call.workshop.limits.left())
        return call.refuse("it is too large.", "use smaller extents");
      const data = Array.from({ length: rows * columns }, (_, place) =>
        (place % columns) - Math.floor(place / columns) === offset ? 1 : 0,
      );
      return known(type, [rows, columns], data);
    },
  },
  Range: {
    operands: [3, 3],
    apply(call) {
      const [start, limit, delta] = ["start", "limit", "delta"].map((what, place) =>
        call.number(place, what),
      );
      if (start === undefined || limit === undefined || delta === undefined || delta === 0)
        return call.refuse("its delta is 0.", "use another");
      if (call.has("stash_type")) call.int("stash_type", 1);
      const count = Math.max(0, Math.ceil((limit - start) / delta));
      if (!(count <= call.workshop.limits.left()))
        return call.refuse("it is too long.", "use a nearer limit");
      const data = Array.from({ length: count }, (_, place) => start + place * delta);
      if (isFloat(call.type()) && data.some((x) => Math.fround(x) !== x))
        return call.refuse("its numbers round.", "use a start and a delta that are short in binary");
      return known(call.type(), [count], data);
    },
  },
};
