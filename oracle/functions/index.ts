/** A function with derivatives of its own as the question: what it is asked, and whether it is right. */
export { type FunctionVerdict, judgeFunction, type Posed } from "./judge.ts";
export type { AskedFunction } from "./question.ts";
