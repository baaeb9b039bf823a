/** A function with derivatives of its own as the question: what it is asked, and whether it is right. */
export { type FunctionAsking, questionOf } from "./asking.ts";
export { type Answered, askedHere, type HandWritten } from "./hand_written.ts";
export { type FunctionVerdict, judgeFunction, type Posed } from "./judge.ts";
export { type AskedFunction, drawnPoint } from "./question.ts";
