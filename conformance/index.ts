export { catalogue } from "./corpus/catalogue.ts";
export { corpusPage } from "./corpus/corpus_page.ts";
export { refreshed } from "./corpus/derived.ts";
export { type FindingText, findings } from "./corpus/findings.ts";
export {
  programVectors,
  type SuiteText,
  suiteTexts,
  suiteVectors,
  tapeVectors,
} from "./corpus/suite.ts";
export * from "./issue/index.ts";
export * from "./known/known.ts";
export * from "./protocol/lines.ts";
export * from "./report/compare.ts";
export * from "./report/declared.ts";
export * from "./report/engine_table.ts";
export * from "./report/explanation.ts";
export {
  type FaultKind,
  type Finding as ReportFinding,
  findingLines,
  findingsOf,
  headline,
} from "./report/findings.ts";
export * from "./report/fold.ts";
export {
  checkDocument,
  comparisonPage,
  type ExplanationPictures,
  explanationPage,
  formatOfFile,
  formatterOf,
  type PageDocument,
  type ReportFormat,
  type ReportFormatter,
  reportFormats,
} from "./report/formats/index.ts";
export * from "./report/groups.ts";
export * from "./report/json.ts";
export { type ShownLifetimes, showLifetimes } from "./report/lifetimes.ts";
export { lifetimesJson } from "./report/lifetimes_json.ts";
export * from "./report/merge.ts";
export * from "./report/needs_page.ts";
export * from "./report/operator_table.ts";
export * from "./report/operators_page.ts";
export * from "./report/plot.ts";
export { wrapped } from "./report/prose.ts";
export * from "./report/replay_line.ts";
export * from "./report/representation_plot.ts";
export * from "./report/section_of.ts";
export * from "./report/show.ts";
export * from "./report/show_program_witness.ts";
export * from "./report/show_ssa.ts";
export * from "./report/show_tape.ts";
export * from "./report/storage.ts";
export * from "./report/stored.ts";
export * from "./report/terminal.ts";
export type { TensorForm } from "./runner/asking.ts";
export * from "./runner/engine.ts";
export * from "./runner/limits.ts";
export type { Command } from "./runner/process.ts";
export * from "./runner/smoke.ts";
export * from "./storage_profile/index.ts";
export * from "./testees/bundled.ts";
export { chooseEngine, type EngineChoice, everyEngine } from "./testees/choice.ts";
export * from "./testees/kit.ts";
export * from "./testees/shell_words.ts";
