export { approximateRational } from "./centre.ts";
export * from "./expanded.ts";
export * from "./profile.ts";
export type { Component, Truth } from "./truth.ts";
