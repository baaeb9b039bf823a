export * from "./ball.ts";
export * from "./centre.ts";
export * from "./degree.ts";
export * from "./enclosure.ts";
export * from "./growth.ts";
