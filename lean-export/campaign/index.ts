export { caseFile } from "./case_file.ts";
export { installedLean, type LeanChecker, noVerdict, showVerdict } from "./checker.ts";
export { type CampaignOptions, checkTraces } from "./suite.ts";
export { type SuiteTrace, suiteTrace, tallyOperators } from "./suite_traces.ts";
export type { Tally } from "./tally.ts";
export { verdictOf } from "./verdict_case.ts";
