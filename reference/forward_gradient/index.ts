export * from "./estimators.ts";
export * from "./formulas.ts";
export * from "./laws.ts";
export * from "./moments.ts";
export * from "./polynomial.ts";
export * from "./sloped.ts";
export * from "./survey.ts";
export * from "./vector.ts";
