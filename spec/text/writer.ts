/** This door writes texts, and loads no parser. */
export { idText, nodeLines } from "./graph_writer.ts";
export { caseText, graphText, vectorText } from "./question_writer.ts";
export { setsText, shapeText } from "./words.ts";
