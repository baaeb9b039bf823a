import { join } from "node:path";

/** Where answers are kept between runs; never in a repository. */
export const CACHE: string = join(".cache", "obligations.jsonl");
/** Where hashes and scripts are stored in adjudge's own repository. */
export const SCRIPTS: string = join("oracle", "obligations", "smt2");
/** The pages about obligations, and what they are called: one page, and a folder of further ones. */
export const PAGES: string = join("docs", "obligations");
/** The record of the operators whose obligations are proved: the reference makes graphs of no others. */
export const RECORD: string = join("reference", "operators", "discharged.ts");
