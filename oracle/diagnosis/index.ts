/** A graph's dimensions and memory are decided before it runs; what is refused comes with a certificate. */
export { type Certificate, certifies } from "./certificate.ts";
export * from "./coeffects/index.ts";
export * from "./explanation.ts";
export * from "./inference.ts";
export * from "./sheaf.ts";
export * from "./solve.ts";
export * from "./words.ts";
