/** This door writes texts, and loads no parser. */
export { headText, idText, nodeLines } from "./graph_writer.ts";
export { caseText, expectLines, graphText, measuredText, vectorText } from "./question_writer.ts";
export { owedLines, tapeCaseText, tapeVectorText } from "./tape_writer.ts";
export { generic, usualCotangent } from "./usual.ts";
export { folded, nameText, setsText, shapeText, tensorText } from "./words.ts";
