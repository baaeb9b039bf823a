export type { Cotangents } from "./cotangents.ts";
export { askLaw } from "./laws_alone.ts";
export * from "./row.ts";
export { type Kill, searchedCase } from "./search.ts";
