export { Draft, identity } from "./draft.ts";
export * from "./lower.ts";
export type * from "./lowering.ts";
export { matmul } from "./sums.ts";
export * from "./table.ts";
export { conv } from "./whole/conv.ts";
export { max } from "./whole/extremes.ts";
