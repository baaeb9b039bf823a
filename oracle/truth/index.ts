export { approximateRational } from "./centre.ts";
export * from "./profile.ts";
export * from "./truth.ts";
