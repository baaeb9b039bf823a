/** This door loads the parser; whoever writes alone enters at `writer.ts`. */
export type { TextFault } from "./fault.ts";
export { frameOf, positionOf } from "./frame.ts";
export { type Tree, treeOf } from "./lines.ts";
export type { Places } from "./places.ts";
export type { TextDocument } from "./question_reader.ts";
export { readText } from "./read.ts";
export type * from "./tree.ts";
export * from "./writer.ts";
