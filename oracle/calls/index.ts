/** A case of several calls asks each with something changed: its inputs, seeds, or an attribute. */
export { changed, siblingOf } from "./changed.ts";
