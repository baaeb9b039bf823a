/** These find smaller cases that an engine still fails. */
export { candidates } from "./candidates.ts";
export { idealCotangents } from "./ideal.ts";
export { shrink } from "./shrink.ts";
