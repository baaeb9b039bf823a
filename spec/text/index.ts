/** The text of graphs, cases, vectors, programs and tapes: read, written, and shown where it is wrong. */

export { setsOf, tensorOf } from "./data.ts";
export { Faults, type TextFault } from "./fault.ts";
export { formatText } from "./format.ts";
export { frameOf } from "./frame.ts";
export { GraphReading } from "./graph_reader.ts";
export { headText, idText, nodeLines } from "./graph_writer.ts";
export { treeOf } from "./lines.ts";
export type { Beside } from "./measure_reader.ts";
export { programText, statementLines } from "./program_writer.ts";
export type { Clause, TextDocument, WrongProgram } from "./question_reader.ts";
export { caseText, expectLines, graphText, measuredText, vectorText } from "./question_writer.ts";
export { readText } from "./read.ts";
export { expectedLines, programCaseText, programVectorText, wrongText } from "./session_writer.ts";
export { owedLines, tapeCaseText, tapeVectorText } from "./tape_writer.ts";
export type * from "./tree.ts";
export { folded, nameText, tensorText } from "./words.ts";
