export { approximateRational } from "./centre.ts";
export type { Component, Judgement } from "./component.ts";
export * from "./profile.ts";
export * from "./sharpness.ts";
export * from "./truth.ts";
