import { at } from "../../spec/shapes/index.ts";
import { formats, type LifetimesJson } from "../../spec/wire/index.ts";
import { nameOfValue, type ShownLifetimes } from "./lifetimes.ts";
import { placesIn } from "./storage.ts";

/** Returns lifetimes and storage of a run as `spec/schema/lifetimes.schema.json` has them. */
export function lifetimesJson({ graph, lifetimes, storage, dtype }: ShownLifetimes): LifetimesJson {
  const { bytes } = formats[dtype];
  const sized = (elements: number): { elements: number; bytes: number } => ({
    elements,
    bytes: elements * bytes,
  });
  const places = placesIn(storage);
  return {
    format: "adjudge.lifetimes.v1",
    dtype,
    ...lifetimes.wanted,
    turn: lifetimes.turn,
    steps: lifetimes.steps,
    values: lifetimes.values.map((value, n) => ({
      ...value,
      says: nameOfValue(graph, value),
      ...sized(value.elements),
      place: at(places, n),
    })),
    lowerBound: { ...sized(storage.need.elements), step: storage.need.step },
    plan: storage.chosen,
    peaks: Object.fromEntries(
      [...storage.plans].map(([name, { plan, isProved }]) => [name, { ...sized(plan.peak), isProved }]),
    ),
  };
}
