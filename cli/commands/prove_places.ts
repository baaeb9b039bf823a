import { join } from "node:path";

/** The cache keeps answers between runs; no repository holds it. */
export const CACHE: string = join(".cache", "obligations.jsonl");
/** This folder of adjudge's own repository holds hashes and scripts. */
export const SCRIPTS: string = join("oracle", "obligations", "smt2");
/** The pages about obligations: `obligations.md`, and a folder of the same name for the others. */
export const PAGES: string = join("docs", "obligations");
/** The record of the operators whose obligations are proved: the reference makes graphs of no others. */
export const RECORD: string = join("reference", "operators", "discharged.ts");
