/** Lists of failures that are known. */
export { notMet, readKnown, updatedKnown, withKnown } from "./known.ts";
