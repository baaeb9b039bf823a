/** The suites of vectors, and how they are built. */
export { floatBelow } from "./round.ts";
