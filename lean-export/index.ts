/** Traces as theorems, and what Lean's kernel says of them. Nothing here loads Lean before it is asked. */

export { cacheFolder } from "../spec/cache_folder.ts";
export { type Asked, seenAgainst } from "./against.ts";
export * from "./check.ts";
export * from "./emit/export.ts";
export type * from "./emit/flat.ts";
export { type ExportedFile, leanFile } from "./emit/lean_file.ts";
export { type CertifiedSystem, leanObstruction } from "./emit/obstruction.ts";
export { type AskedQuestion, hashesOf, measuredHash, questionOfTrace } from "./emit/question.ts";
export { checkTrace } from "./emit/read.ts";
export { tabled } from "./emit/tabled.ts";
export {
  exportableOperators,
  ringOperators,
  roundedOperators,
  tabledOperators,
} from "./emit/translate.ts";
export { type AnswerGiven, accuracyFile, verdictFile } from "./emit/verdict_file.ts";
export { subjectOf } from "./exact.ts";
export { type Claim, claimsNamespace, claimsPrefix, formatLine } from "./run/admissible.ts";
export { type ChallengeMet, compareChallenge } from "./run/challenge.ts";
export { findLean, type Search } from "./run/find.ts";
export type { Lean, LeanJob, LeanRun } from "./run/lean.ts";
export {
  type BuiltLibrary,
  buildLibrary,
  type LibraryAudit,
  type LibraryOptions,
  statementOf,
} from "./run/library.ts";
export type { LeanModule } from "./run/modules.ts";
export { showSeen } from "./show_seen.ts";
export { torchLeanEnclosure } from "./torchlean/enclosure.ts";
export { readTorchLean, readTorchLeanText, type TorchLeanModel } from "./torchlean/read.ts";
export { torchLeanWitness } from "./torchlean/witness.ts";
export { writeTorchLean } from "./torchlean/write.ts";
export type * from "./verdict.ts";
