/** Checks of untrusted documents: graphs, programs, cases and vectors. */
export { type CaseData, checkCase, encodeCase } from "./case.ts";
export { checkApplication, checkGraph, checkGraphText } from "./check.ts";
export { embeddedGraph, validateEmbedding } from "./embedded.ts";
export {
  checkFunctionQuestion,
  encodeFunctionQuestion,
  type FunctionQuestion,
  type Range,
} from "./function_question.ts";
export { checkGivenCase, fitted } from "./given_case.ts";
export { decodePoint, decodeSeeds, decodeTangents, encodePoint, encodeSeeds } from "./point.ts";
export {
  type CallJson,
  checkProgramCase,
  decodeCall,
  decodeProgramPoint,
  decodeReceived,
  type EntryCall,
  encodeProgramCase,
  entryOf,
  type ProgramCase,
} from "./program_case.ts";
export {
  checkProgramVector,
  type ExpectedCall,
  encodeProgramVector,
  type ProgramVector,
  type ProgramVectorJson,
} from "./program_vector.ts";
export { checkProgram } from "./programs/index.ts";
export { checkTapeCase, decodeGivenSeeds, encodeTapeCase } from "./tape_case.ts";
export {
  checkTapeVector,
  type ExpectedSweep,
  encodeTapeVector,
  graphOfStep,
  recordOfStep,
  type TapeVector,
  type TapeVectorJson,
} from "./tape_vector.ts";
export {
  validateConfig,
  validateKnown,
  validateLeanVerdict,
  validateLifetimes,
  validateProgramReport,
  validateReply,
  validateReport,
  validateRequest,
  validateTorchLean,
  validateTrace,
} from "./validate.ts";
export {
  checkQuestion,
  checkVector,
  encodeVector,
  isOfFormat,
  isQuestion,
  membersOf,
  type QuestionData,
  type VectorData,
} from "./vector.ts";
