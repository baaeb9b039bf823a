import { at } from "../../../spec/shapes/index.ts";
import { keptTensors, looseNumbers, scaledKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { answered, asDue, drawnLaw, held, type Law } from "../law.ts";

const all: readonly StorageKind[] = ["float32", ...scaledKinds];

/** These laws state point 3: zero stays zero. */
export const zeroLaws: readonly Law[] = [
  drawnLaw("a zero that is kept comes back as zero", {
    over: (has) => {
      const types = typesOf(has, scaledKinds);
      return types.length === 0 ? undefined : looseNumbers(types);
    },
    holds: (framework, { type, shape, values }) => {
      const some = values.map((x, i) => (i % 2 === 1 ? 0 : x));
      return answered(framework, "encode", { type, shape, values: some, rounding: "half_away" }, (tensor) =>
        answered(framework, "decode", { tensor }, (back, breaks) => {
          const place = some.findIndex((x, i) => x === 0 && at(back, i) !== 0);
          return place < 0 ? held : breaks(`0 at element ${place}`);
        }),
      );
    },
  }),
  drawnLaw("a gradient that is forgotten is zero, on the grid that it begins on", {
    over: (has) => {
      const types = typesOf(has, all);
      return types.length === 0 ? undefined : keptTensors(types);
    },
    holds: (framework, tensor) => asDue(framework, "zero", { tensor }),
  }),
];
