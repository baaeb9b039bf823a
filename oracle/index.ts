export type * from "./case/case.ts";
export { type ReferenceRun, runReference } from "./case/reference_run.ts";
export * from "./diagnosis/index.ts";
export * from "./forward_gradient/index.ts";
export * from "./generate/index.ts";
export {
  admit,
  type DigitCounts,
  type Digits,
  type Finding,
  type Heard,
  type Histogram,
  isOfNoNode,
  type Law,
  type LawCounts,
  type Laws,
  MOST_DIGITS,
  nothingHeard,
  type Probe,
  plusHeard,
  type Varied,
} from "./hearing/index.ts";
export type * from "./hearing/verdict.ts";
export * from "./judge/index.ts";
export * from "./laws/index.ts";
export * from "./programs/index.ts";
export * from "./representations/index.ts";
export * from "./tapes/index.ts";
export {
  accumulating,
  approximateRational,
  type Component,
  compositeUlps,
  declaredExcess,
  derivativeUlps,
  enclosuresOf,
  formatOf,
  forwardUlps,
  type Interval,
  isKeptByReference,
  type Judgement,
  judgedBy,
  type Part,
  referenceStandard,
  type Standard,
  standardOf,
  type Truth,
  truthOf,
} from "./truth/index.ts";
export * from "./widths/index.ts";
