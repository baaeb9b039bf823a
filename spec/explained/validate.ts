import { outlineOf, type Validator } from "../schema/registry.ts";
import type { ExplanationJson } from "./explanation.ts";
import type { RangesJson, StatisticsJson, TargetJson } from "./representations.ts";

/** The ranges that `json` is by its schema. Names are not checked. Fails: `schema/…`. */
export const validateRanges: Validator<RangesJson> = outlineOf("ranges.schema.json");

/** The statistics that `json` is by its schema. Whose they are is not checked. Fails: `schema/…`. */
export const validateStatistics: Validator<StatisticsJson> = outlineOf(
  "ranges.schema.json#/$defs/statistics",
);

/** The target that `json` is by its schema. Which formats exist is not checked. Fails: `schema/…`. */
export const validateTarget: Validator<TargetJson> = outlineOf("target.schema.json");

/** The explanation that `json` is, by its schema. Fails: `schema/…`. */
export const validateExplanation: Validator<ExplanationJson> = outlineOf("explanation.schema.json");
