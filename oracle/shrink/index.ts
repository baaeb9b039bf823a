/** These find smaller cases that an engine still fails. */
export { candidates } from "./candidates.ts";
export { idealCotangents } from "./ideal.ts";
export { isSmaller, measure, shrink } from "./shrink.ts";
export { simplifications } from "./simplify.ts";
