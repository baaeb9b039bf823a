export * from "./case_truth.ts";
export { approximateRational } from "./centre/centre.ts";
export { enclosuresOf } from "./enclosed.ts";
export type { Part } from "./nodes/bounds.ts";
export { accumulating } from "./standard/accumulation.ts";
export * from "./standard/standard.ts";
export type { Truth } from "./truth.ts";
export { type Component, type Interval, type Judgement, judgedBy } from "./verdicts/component.ts";
