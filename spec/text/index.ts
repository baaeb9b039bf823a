/**
 * The text of graphs, cases, vectors, programs and tapes: read, written, and shown where it is wrong. This
 * door loads the parser; whoever writes alone enters at `writer.ts`.
 */
export { setsOf, tensorOf } from "./data.ts";
export { Faults, frameOf, positionOf, type TextFault } from "./fault.ts";
export { formatText } from "./format.ts";
export { GraphReading } from "./graph_reader.ts";
export { type Tree, treeOf } from "./lines.ts";
export type { Beside } from "./measure_reader.ts";
export type { Places } from "./places.ts";
export { programText, statementLines } from "./program_writer.ts";
export type { Clause, TextDocument, WrongProgram } from "./question_reader.ts";
export { readText } from "./read.ts";
export { expectedLines, programCaseText, programVectorText, wrongText } from "./session_writer.ts";
export type * from "./tree.ts";
export * from "./writer.ts";
