/** What is decided of a graph before it runs, with a certificate of what is refused: dimensions. */
export { type Certificate, certifies } from "./certificate.ts";
export * from "./coeffects/index.ts";
export * from "./explanation.ts";
export * from "./inference.ts";
export * from "./sheaf.ts";
export * from "./solve.ts";
export * from "./words.ts";
