export * from "./accuracy.ts";
export * from "./vector_functions.ts";
