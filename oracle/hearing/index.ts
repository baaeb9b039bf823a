/** Hearings compare what one engine answers to one question with the truth. */
export { admit, contradicts } from "./admit.ts";
export { truthAfter } from "./answered.ts";
export {
  ask,
  compareCotangentAt,
  compareCotangents,
  excusing,
  inOrder,
  type Law,
  mayTell,
  operatorsOf,
} from "./ask.ts";
export { type Declaration, openDeclarations, zeroDeclarations } from "./conventional.ts";
export { type DigitCounts, type Digits, type Histogram, MOST_DIGITS } from "./digits.ts";
export { type Finding, isOfNoNode, isOverwritten, type Probe } from "./finding.ts";
export { type Heard, type LawCounts, type Laws, nothingHeard, plusHeard, type Varied } from "./heard.ts";
export {
  type Answer,
  answerOf,
  answersOf,
  copied,
  type Hearing,
  lent,
  lentPoint,
  lentSeeds,
  partOf,
  release,
} from "./hearing.ts";
export type { ImpreciseNumbers } from "./imprecise.ts";
export {
  agrees,
  asVerdict,
  compareTensor,
  ERROR_PREFIX,
  fromReply,
  isErrorReply,
  type Outcome,
  worse,
} from "./outcome.ts";
export type { Blame, Verdict, Witness } from "./verdict.ts";
