import { at } from "../../../../spec/shapes/index.ts";
import { apply, literal, read } from "../expression.ts";
import { identity } from "./draft.ts";
import type { Lowering } from "./lowering.ts";

/** Sources do not move: they have no tangent, and hand nothing on. */
const still = { tangent: () => undefined, cotangents: () => [] } as const;

export const constant: Lowering<"constant"> = {
  ...still,
  forward: (draft, { attributes: { name }, shape, environment }) =>
    draft.move(environment.real(name), identity(shape), shape),
};

export const full: Lowering<"full"> = {
  ...still,
  forward: (draft, { attributes: { value }, shape }) => draft.fill(shape, value),
};

/** No axis may be longer, because float32 could not count its elements. */
const LONGEST_COUNT = 2 ** 24;

/** An iota is a running sum of ones, less one. Throws `RangeError` where float32 could not count so far. */
export const iota: Lowering<"iota"> = {
  ...still,
  forward(draft, { attributes: { axis }, shape }) {
    const extent = at(shape, axis);
    if (extent > LONGEST_COUNT) throw new RangeError(`an iota of ${extent} elements`);
    const counts = draft.append({
      kind: "scan",
      shape,
      axis,
      direction: 1,
      reads: [],
      expression: literal(1),
    });
    return draft.map(shape, [draft.whole(counts)], apply("subtract", read(0), literal(1)));
  },
};

export const bernoulliMask: Lowering<"bernoulli_mask"> = {
  ...still,
  forward: (draft, { attributes: { key, rate }, shape, environment }) =>
    draft.append({
      kind: "routine",
      shape,
      routine: { kind: "bernoulli", index: environment.index(key).number, rate },
      operands: [],
    }),
};
