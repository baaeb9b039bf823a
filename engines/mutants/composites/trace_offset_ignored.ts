import { soundParts } from "../../interpreter/index.ts";
import { type Mutant, plant, withExpansion } from "../mutant.ts";

const { trace } = soundParts.composites;

export const traceOffsetIgnored: Mutant = plant(
  {
    name: "trace_offset_ignored",
    fault: "trace sums the main diagonal, whatever the offset.",
    source: "B17",
  },
  withExpansion("trace", (scope, _attributes, x) => trace.expand(scope, { offset: 0 }, x)),
);
