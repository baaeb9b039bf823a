/** Campaigns that go on for hours: a store that outlives every process, workers, and what is told of them. */
import type { Issue, Result } from "../../../spec/shapes/index.ts";
import { joinedSections } from "./outcome.ts";
import { CampaignStore } from "./store.ts";

export { type SeriesKind, seriesKinds } from "./job.ts";
export { campaignOf } from "./reports.ts";
export { durationOf, type Ended, Runner } from "./runner.ts";
export type { CampaignStore } from "./store.ts";
export { deadLines, LiveTable, paceText, reportLines, summaryLine, tableLines } from "./table.ts";
export { forkedWorkers } from "./worker_process.ts";

/** Opens a store of campaigns, and makes it if `isNew` allows that. Fails: `store/…`. */
export function openStore(path: string, isNew: boolean): Result<CampaignStore, Issue[]> {
  return CampaignStore.open(path, isNew, { join: joinedSections });
}
