/** Ends, with a word and a code, instead of answering. */
import process from "node:process";
import { hostile } from "./honest.ts";

hostile("evaluate", () => {
  console.error("segment 7 of the tape is missing");
  process.exit(3);
});
