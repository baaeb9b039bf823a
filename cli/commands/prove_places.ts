import { join } from "node:path";

/** Where answers are kept between runs; never in a repository. */
export const CACHE: string = join(".cache", "obligations.jsonl");
/** Where hashes and scripts are stored in adjudge's own repository. */
export const SCRIPTS: string = join("oracle", "obligations", "smt2");
/** The page that explains obligations and counts them. */
export const PAGE: string = join("docs", "obligations.md");
/** The record of the operators whose obligations are proved: the reference makes graphs of no others. */
export const RECORD: string = join("reference", "operators", "discharged.ts");
