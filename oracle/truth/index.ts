export { enclosuresOf, truthOf } from "./case_truth.ts";
export { approximateRational, isKeptByReference } from "./centre/index.ts";
export type { Part } from "./nodes/bounds.ts";
export type { Answered } from "./singular/answered.ts";
export {
  accumulating,
  compositeUlps,
  declaredExcess,
  derivativeUlps,
  formatOf,
  forwardUlps,
  referenceStandard,
  type Standard,
  standardOf,
  standardOfFunction,
  withAccurateSlopesOf,
} from "./standard/index.ts";
export type { Truth } from "./truth.ts";
export { type Component, type Interval, type Judgement, judgedBy } from "./verdicts/component.ts";
export { slopesTakenFromValue } from "./whole/from_value.ts";
