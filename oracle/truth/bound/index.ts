export * from "./algebra.ts";
export * from "./bounded.ts";
export * from "./history.ts";
export { loosenedOrigin, sharpened } from "./noted.ts";
export { type Factors, rowsOf, sumsOfProducts } from "./products.ts";
export * from "./radius.ts";
