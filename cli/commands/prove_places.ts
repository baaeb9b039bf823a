import { join } from "node:path";

/** This file of the cache folder keeps answers between runs. */
export const ANSWERS = "obligations.jsonl";
/** This file of the cache folder keeps what runs told in which everything was proved. */
export const PROVED = "proved.json";
/** This folder of adjudge's own repository holds hashes and scripts. */
export const SCRIPTS: string = join("oracle", "obligations", "smt2");
/** This page explains obligations and counts them. */
export const PAGE: string = join("docs", "obligations.md");
/** This record lists operators with proved obligations: the reference makes graphs of no others. */
export const RECORD: string = join("reference", "operators", "discharged.ts");
