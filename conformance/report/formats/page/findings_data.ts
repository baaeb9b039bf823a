import { createHash } from "node:crypto";
import { visible } from "../../../../spec/shapes/index.ts";
import type { ReportJson, ReportSection, VerdictJson } from "../../../../spec/wire/index.ts";
import { quoteWord } from "../../../testees/index.ts";
import { type Finding, findingsOf, titleOf } from "../../findings.ts";
import { replayLine } from "../../replay_line.ts";
import { showCaseOf } from "../../show.ts";
import type { PageDetail, PageRow } from "./browser/data.ts";
import { drawingOf } from "./drawing.ts";
import type { LayOut } from "./layout.ts";
import { numbersOf } from "./numbers.ts";
import { policiesOf } from "./policies.ts";

/** A finding as the page holds it: a row of the list, and what it shows when opened. */
export interface PageFinding {
  readonly row: PageRow;
  readonly detail: PageDetail;
}

/** Returns a report's findings in their order. Cost: linear in the verdicts, a layout for each. */
export function pageFindings(report: ReportJson, layOut: LayOut): PageFinding[] {
  const ids = new Map<string, number>();
  return findingsOf(report).map((finding): PageFinding => {
    const id = unique(idOf(finding), ids);
    return { row: rowOf(report, finding, id), detail: detailOf(report, finding, id, layOut) };
  });
}

/** Names a fault of an engine, whatever else the report holds. */
function idOf({ shown, kind, title }: Finding): string {
  const told = JSON.stringify([shown.section.description.name, kind, title]);
  return `finding-${createHash("sha256").update(told).digest("hex").slice(0, 12)}`;
}

/** Numbers repeated names, since an engine may be asked twice, or a fault known for some cases alone. */
function unique(id: string, ids: Map<string, number>): string {
  const times = (ids.get(id) ?? 0) + 1;
  ids.set(id, times);
  return times === 1 ? id : `${id}-${times}`;
}

function rowOf({ engines }: ReportJson, finding: Finding, id: string): PageRow {
  const sections = engines.flatMap(({ label, dtype }, place) =>
    label === finding.label && finding.dtypes.includes(dtype) ? [place] : [],
  );
  return {
    id,
    title: visible(titleOf(finding)),
    kind: finding.isKnown ? "known" : finding.kind === "crashed" ? "crashed" : "new",
    engine: visible(`${finding.engine}, ${finding.dtypes.join(" and ")}`),
    sections,
    operator: finding.operator ?? "",
    questions: finding.questions,
    cases: finding.cases,
  };
}

function detailOf(
  report: ReportJson,
  { shown: { section, entry }, alike, cases }: Finding,
  id: string,
  layOut: LayOut,
): PageDetail {
  const { verdict } = entry;
  const common = {
    replays: alike.map((one) => visible(replayLine(one.section, report, one.entry.case))),
    more: cases - alike.length,
    ...reproductionOf(section, verdict, id),
  };
  if (verdict.kind !== "disagrees") {
    const sentence = verdict.kind === "crashed" ? visible(verdict.message) : verdict.kind;
    const crashed = verdict.kind === "crashed" ? verdict.case : undefined;
    const lines = crashed === undefined ? [] : showCaseOf(crashed).map((line) => visible(line));
    return { sentence, lines, policies: [], ...common };
  }
  const { witness } = verdict;
  const { graph } = witness.case;
  const drawing = drawingOf(graph, witness.blame.id, layOut);
  return {
    sentence: visible(witness.blame.sentence),
    ...(drawing === undefined ? {} : { drawing }),
    lines: showCaseOf(witness.case).map((line) => visible(line)),
    numbers: numbersOf(witness),
    policies: policiesOf(section, witness),
    ...common,
  };
}

function reproductionOf(
  { label, dtype }: ReportSection,
  verdict: VerdictJson,
  id: string,
): Pick<PageDetail, "reproduction"> {
  const question =
    verdict.kind === "disagrees"
      ? verdict.witness.case
      : verdict.kind === "crashed"
        ? verdict.case
        : undefined;
  if (question === undefined) return {};
  const file = `${id}.json`;
  const command = visible(`adjudge judge ${file} -e ${quoteWord(label)} --dtype ${dtype}`);
  return { reproduction: { file, command, case: question } };
}
