/** A case of several calls asks each with something changed: its inputs, its seeds, an attribute of its graph. */
export { changed, siblingOf } from "./changed.ts";
