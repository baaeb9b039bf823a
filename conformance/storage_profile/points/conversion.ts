import fc from "fast-check";
import { evenly, keptTensors, scaledKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { asDue, drawnLaw, type Law } from "../law.ts";

const all: readonly StorageKind[] = ["float32", "int32", ...scaledKinds];

/** These laws state point 5: conversions between all types. */
export const conversionLaws: readonly Law[] = [
  drawnLaw(
    "a tensor is converted by its codes or its values, onto its grid or a fresh one, and keeps its shape",
    {
      over: (has) => {
        const types = typesOf(has, all);
        if (types.length === 0) return undefined;
        return fc.record({ tensor: keptTensors(types), type: evenly(types) });
      },
      holds: (framework, { tensor, type }) =>
        asDue(framework, "convert", { tensor, type, rounding: "half_away" }),
    },
  ),
  drawnLaw("what is kept anew in its place, in the same kind, is kept by its values", {
    over: (has) => {
      const types = typesOf(has, scaledKinds);
      if (types.length === 0) return undefined;
      const widths = [...new Set(types.map(({ kind }) => kind))].map((kind) => {
        const own = types.filter((type) => type.kind === kind);
        return fc.record({ tensor: keptTensors(own), type: fc.constantFrom(...own) });
      });
      return fc.oneof(...widths);
    },
    holds: (framework, { tensor, type }) =>
      asDue(framework, "requantise", { tensor, type, rounding: "half_away" }),
  }),
];
