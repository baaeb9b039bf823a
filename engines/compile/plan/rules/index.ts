export * from "./pointwise.ts";
export type * from "./rule.ts";
