export { accumulating } from "./accumulation.ts";
export type { Part } from "./bounds.ts";
export { approximateRational } from "./centre.ts";
export { type Component, type Interval, type Judgement, judgedBy } from "./component.ts";
export { enclosuresOf } from "./enclosed.ts";
export * from "./expanded.ts";
export * from "./standard.ts";
export type { Truth } from "./truth.ts";
