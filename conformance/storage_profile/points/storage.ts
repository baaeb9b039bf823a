import fc from "fast-check";
import { codeBits, groupSizeOf, isComputeType } from "../../../reference/numerics/storage/index.ts";
import { keptTensors, looseNumbers, scaledKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { answered, asDue, drawnLaw, held, isSame, type Law, listedLaw, shown } from "../law.ts";
import type { Kept } from "../words.ts";

const learnt: readonly StorageKind[] = ["float32", ...scaledKinds];

/** These laws state point 6: what outlives a sweep has a storage type, and operands are left unchanged. */
export const storageLaws: readonly Law[] = [
  listedLaw(
    "no gradient is kept in the format of computing unless somebody asks for it",
    (has) => typesOf(has, learnt).map((parameter) => ({ parameter })),
    (framework, asked) =>
      answered(framework, "gradient_type", asked, (type, breaks) =>
        isComputeType(type) ? breaks("another than sym_int32") : held,
      ),
  ),
  listedLaw(
    "a type that is asked for is the gradient's",
    (has) => typesOf(has, ["float32", ...scaledKinds]).map((asked) => ({ parameter: asked, asked })),
    (framework, asked) => asDue(framework, "gradient_type", asked),
  ),
  drawnLaw("a step reads its gradient and leaves it as it is, to the bit", {
    over: (has) => {
      const types = typesOf(has, learnt);
      if (types.length === 0) return undefined;
      return fc.record({
        parameter: keptTensors(types),
        gradient: keptTensors(types),
        hasMomentum: fc.boolean(),
      });
    },
    holds: (framework, { parameter, gradient, hasMomentum }) => {
      const count = Math.min(parameter.codes.length, gradient.codes.length);
      const [p, g] = [firstOf(parameter, count), firstOf(gradient, count)];
      return answered(
        framework,
        "step",
        {
          rate: 0.125,
          decay: 0,
          rounding: "half_away",
          parameter: p,
          gradient: g,
          ...(hasMomentum ? { momentum: { factor: 0.5, velocity: p } } : {}),
        },
        (stepped, breaks) =>
          isSame(stepped.gradient, g) ? held : breaks(`the gradient as it was: ${shown(g)}`),
      );
    },
  }),
  drawnLaw("a cotangent is handed back in the type of the layer that it comes to", {
    over: (has) => {
      const types = typesOf(has, learnt);
      if (types.length === 0) return undefined;
      return fc.record({ loose: looseNumbers(types), consumer: fc.constantFrom(...types) });
    },
    holds: (framework, { loose: { type, shape, values }, consumer }) =>
      asDue(framework, "hand_back", { producer: type, consumer, shape, cotangent: values }),
  }),
  drawnLaw(
    "a quantiser behind a producer of the same configuration does nothing, and by drawing at most a step",
    {
      over: (has) => {
        const types = typesOf(has, ["sym", "sym_int32"]).filter((type) => codeBits(type) <= 16);
        return types.length === 0 ? undefined : looseNumbers(types);
      },
      holds: (framework, { type, shape, values }) =>
        answered(framework, "encode", { type, shape, values, rounding: "half_away" }, (tensor) =>
          answered(framework, "requantise", { type, tensor, rounding: "half_away" }, (still, breaks) =>
            isSame(still, tensor)
              ? answered(framework, "requantise", { type, tensor, rounding: { seed: 5 } }, (drawn, cries) =>
                  isNextTo(drawn.codes, tensor.codes)
                    ? held
                    : cries(`codes at most 1 from ${shown(tensor.codes)}`),
                )
              : breaks(`the tensor as it was: ${shown(tensor)}`),
          ),
        ),
    },
  ),
];

function isNextTo(codes: readonly number[], others: readonly number[]): boolean {
  return (
    codes.length === others.length && codes.every((code, i) => Math.abs(code - (others[i] ?? code)) <= 1)
  );
}

/** Returns a vector of a tensor's first elements. */
function firstOf(tensor: Kept, count: number): Kept {
  const { type, codes, grids } = tensor;
  const groups = grids.length === 0 ? 0 : Math.ceil(count / groupSizeOf(type, count));
  return { type, shape: [count], codes: codes.slice(0, count), grids: grids.slice(0, groups) };
}
