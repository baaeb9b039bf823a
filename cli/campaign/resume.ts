import { alike, type Section, sectionOf } from "../../conformance/report/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { readReport } from "./report_files.ts";

/** These must be alike in both runs, so that the cases left are those of the earlier run. */
const settled: readonly ((typeof alike)[number] | "shard")[] = [...alike, "shard"];

/**
 * Returns the sections of an earlier run's report, from where this run goes on; none without a report. Fails:
 * as `readReport` and `sectionOf` do, and `resume/different` if that was another run.
 */
export async function earlierSections(
  path: string | undefined,
  run: Pick<ReportJson, (typeof settled)[number]>,
): Promise<Result<Section[], Issue[]>> {
  if (path === undefined) return ok([]);
  const read = await readReport(path);
  if (!read.ok) return read;
  const issues = settled.flatMap((name): Issue[] => {
    const [before, now] = [JSON.stringify(read.value[name]), JSON.stringify(run[name])];
    if (before === now) return [];
    const message = `${path}: the earlier run has ${name} ${before ?? "of all"}, and this one ${now ?? "of all"}.`;
    return [
      { code: "resume/different", pointer: `/${name}`, message, hint: "resume with the flags of that run" },
    ];
  });
  const sections = read.value.engines.map(sectionOf);
  const all = [...issues, ...sections.flatMap((section) => (section.ok ? [] : section.error))];
  return all.length > 0 ? fail(all) : ok(sections.flatMap((section) => (section.ok ? [section.value] : [])));
}
