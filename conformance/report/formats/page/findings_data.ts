import { createHash } from "node:crypto";
import type { Witness } from "../../../../oracle/hearing/index.ts";
import { encodeCase, encodeTapeCase } from "../../../../spec/documents/index.ts";
import { visible } from "../../../../spec/shapes/index.ts";
import { caseText, tapeCaseText } from "../../../../spec/text/writer.ts";
import type { ReportJson, ReportSection } from "../../../../spec/wire/index.ts";
import { quoteWord } from "../../../testees/index.ts";
import { codeOf, type Finding, findingsOf, kindsTold, titleOf } from "../../findings.ts";
import { replayLine } from "../../replay_line.ts";
import { verdictOf } from "../../section_of.ts";
import { showTapeCase } from "../../show_tape.ts";
import { givenOf } from "../../witness_lines.ts";
import { annotationsOf, givenTo } from "./annotations.ts";
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

/** A finding, the report that has it, and where the list shows it if that is not with its operator. */
export interface Placed {
  readonly finding: Finding;
  readonly report: ReportJson;
  readonly group?: string;
  readonly kind?: string;
}

/** At most so many kinds of a fault are told, and so many characters of a line. */
const [KINDS_TOLD, LONGEST] = [12, 4000];

/** Returns a report's findings as they are listed: by operator, in the order of their first findings. */
export function reportFindings(report: ReportJson, layOut: LayOut): PageFinding[] {
  return pageFindings(
    findingsOf(report).map((finding) => ({ finding, report })),
    report.engines,
    layOut,
  );
}

/** Returns findings as they are listed: by group, with places among `engines`. Cost: a layout for each. */
export function pageFindings(
  placed: readonly Placed[],
  engines: readonly ReportSection[],
  layOut: LayOut,
): PageFinding[] {
  const ids = new Map<string, number>();
  const found = placed.map((one): PageFinding => {
    const id = unique(idOf(one.finding), ids);
    return { row: rowOf(one, id, engines), detail: detailOf(one, id, layOut) };
  });
  return [...Map.groupBy(found, ({ row }) => row.group).values()].flat();
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

function rowOf({ finding, group, kind }: Placed, id: string, engines: readonly ReportSection[]): PageRow {
  const sections = engines.flatMap(({ label, dtype }, place) =>
    label === finding.label && finding.dtypes.includes(dtype) ? [place] : [],
  );
  const { operator } = finding;
  const title = titleOf(finding);
  const isOfOperator = group === undefined && operator !== undefined && title.startsWith(`${operator} `);
  return {
    id,
    group: group ?? operator ?? "crashes",
    title: visible(title),
    short: visible(isOfOperator ? title.slice(operator.length + 1) : title),
    code: codeOf(finding),
    kind: kind ?? (finding.isKnown ? "known" : finding.kind === "crashed" ? "crashed" : "new"),
    engine: visible(`${finding.engine}, ${finding.dtypes.join(" and ")}`),
    sections,
    operator: operator ?? "",
    questions: finding.questions,
    cases: finding.cases,
  };
}

function detailOf({ finding, report }: Placed, id: string, layOut: LayOut): PageDetail {
  const { shown, alike, cases, kinds, rule } = finding;
  const { section, entry } = shown;
  const common = {
    policies: [],
    kinds: kinds.length > 1 ? visible(kindsTold(finding, KINDS_TOLD)) : "",
    replays: alike.map((one) => visible(replayLine(one.section, report, one.entry.case), LONGEST)),
    more: cases - alike.length,
    ...(rule === undefined ? {} : { rule: { why: sentenceOf(rule.why), link: rule.link } }),
  };
  const read = verdictOf(entry.verdict);
  // A report that was not checked may hold what is no case.
  if (!read.ok || (read.value.kind !== "disagrees" && read.value.kind !== "crashed"))
    return { given: [], sentence: "The report holds no case of this.", ...common };
  if (read.value.kind === "crashed") {
    const { case: asked, message } = read.value;
    const sentence = visible(message, LONGEST);
    if (asked === undefined) return { given: [], sentence, ...common };
    const drawing = drawingOf(asked.graph, { notes: givenTo(asked, "evaluate") }, layOut);
    return {
      given: [],
      sentence,
      ...(drawing === undefined ? {} : { drawing }),
      ...common,
      ...reproductionOf(section, { case: asked }, id),
    };
  }
  const { witness } = read.value;
  const { graph } = witness.case;
  const drawing = drawingOf(graph, { blamed: witness.blame.id, notes: annotationsOf(witness) }, layOut);
  return {
    ...common,
    given: askedIn(witness).map((line) => visible(line, LONGEST)),
    numbers: numbersOf(witness),
    ...(drawing === undefined ? {} : { drawing }),
    sentence: visible(witness.blame.sentence),
    policies: policiesOf(section, witness),
    ...reproductionOf(section, witness, id),
  };
}

/** Returns what was asked: the numbers given, or a tape's script with a mark at the wrong step. */
function askedIn(witness: Witness): string[] {
  const { script } = witness;
  return script === undefined ? givenOf(witness) : showTapeCase(script.case, script.step);
}

function reproductionOf(
  { label, dtype }: ReportSection,
  { case: asked, script }: Pick<Witness, "case" | "script">,
  name: string,
): Required<Pick<PageDetail, "reproduction">> {
  const kind = script === undefined ? "" : " --kind tapes";
  const words = `adjudge judge ${name}.adj -e ${quoteWord(label)} --dtype ${dtype}${kind}`;
  const command = visible(words, LONGEST);
  const files =
    script === undefined
      ? { text: caseText(asked, undefined, "lines", undefined, { isWhole: true }), case: encodeCase(asked) }
      : { text: tapeCaseText(script.case), case: encodeTapeCase(script.case) };
  return { reproduction: { name, command, ...files } };
}

function sentenceOf(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
