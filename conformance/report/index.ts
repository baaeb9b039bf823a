/** Reports: what was asked and found, as text, JSON, JUnit, SARIF and pages. */
export { type Change, type Comparison, changeLines, compareReports } from "./compare.ts";
export { engineTable, titleOfSection, verdictLines } from "./engine_table.ts";
export { showExplanation } from "./explanation.ts";
export {
  type Finding,
  failureOf,
  findingLines,
  findingsOf,
  headline,
  kindsTold,
} from "./findings.ts";
export { COLUMNS, counted, folded, listed } from "./fold.ts";
export { cut, narrowed } from "./folded.ts";
export { type Group, reasonGroups } from "./groups.ts";
export { reportJson, type Section, unaskedOperators, verdictJson } from "./json.ts";
export { type ShownLifetimes, showLifetimes } from "./lifetimes.ts";
export { lifetimesJson } from "./lifetimes_json.ts";
export { alike, joined, mergeReports } from "./merge.ts";
export { operatorTable } from "./operator_table.ts";
export { wrapped } from "./prose.ts";
export { replayLine } from "./replay_line.ts";
export { representationPlot } from "./representation_plot.ts";
export { introduction } from "./section_notes.ts";
export { checkReport, sectionOf } from "./section_of.ts";
export { showCase, showExact, showGraph, showId, showTensor } from "./show.ts";
export { effectsJson, showEffects } from "./show_effects.ts";
export { showProgramWitness, type WriteProgram } from "./show_program_witness.ts";
export { sharingJson, showSharing } from "./show_sharing.ts";
export { showSsa } from "./show_ssa.ts";
export { showTapeCase } from "./show_tape.ts";
export { showTapeEntries, tapeEntriesJson } from "./show_tape_entries.ts";
export { type PlanName, planNames, storageOf } from "./storage.ts";
export { showStored, storedJson } from "./stored.ts";
export { type Palette, selectionLines, sharesLines } from "./terminal.ts";
export { givenOf, indexOf, witnessLines, wrongNumber } from "./witness_lines.ts";
