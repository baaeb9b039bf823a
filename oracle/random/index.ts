/** Random numbers: a generator for each seed and index, and the draws that cases are made of. */
export * from "./random_at.ts";
export * from "./values.ts";
