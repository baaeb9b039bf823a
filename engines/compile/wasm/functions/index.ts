export * from "./vector_functions.ts";
