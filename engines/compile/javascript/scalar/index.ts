// Other languages with the syntax of C take their statements from here, and what calls their code.
export { type Bodies, bodiesIn, type Take } from "./bodies.ts";
export * from "./executable.ts";
export type { Language } from "./text.ts";
