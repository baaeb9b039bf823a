export * from "./executable.ts";
