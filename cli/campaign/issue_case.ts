import { findingsOf, headline } from "../../conformance/report/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import { drawingNamed, drawnAt } from "../../oracle/generate/index.ts";
import type { JudgeOptions } from "../../oracle/judge/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import { checkCase } from "../../spec/documents/index.ts";
import { defaultBudget } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { documentIn } from "../files/documents.ts";
import { readTrueSuite } from "../given/expectations.ts";
import { choicesOf } from "./agenda.ts";
import { readReport } from "./report_files.ts";

/** An engine is asked this case again. */
export interface IssueCase {
  /** The files have this name. */
  readonly name: string;
  /** The command line names the engine so, if a report says so. */
  readonly engine?: string;
  readonly dtype?: DataType;
  /** This file can be replayed, if the case lies in one. */
  readonly file?: string;
  /** Returns the case; a random one is drawn from the operators that the engine offers. */
  asked(description: Description): Case;
  readonly choices?: Partial<JudgeOptions>;
}

const notOfGraph = issueOf(
  "issue/case",
  "that is a script for tapes, or no case.",
  "give a case or a vector of a graph; adjudge report --as markdown tells of every finding",
);

/**
 * Returns the case of a file, or of a report's finding of that number, from 1; by default its only one.
 * Fails: `issue/which` where there are several, which the hint lists; and as reading does.
 */
export async function issueCase(
  path: string,
  number: number | undefined,
): Promise<Result<IssueCase, Issue[]>> {
  const json = await documentIn(path);
  if (!json.ok) return json;
  const { value } = json;
  const isReport = typeof value === "object" && value !== null && "engines" in value;
  return isReport ? fromReport(path, number) : fromCase(path);
}

async function fromCase(path: string): Promise<Result<IssueCase, Issue[]>> {
  const suite = await readTrueSuite([path], defaultBudget);
  if (!suite.ok) return suite;
  const [first] = suite.value;
  if (first === undefined || first.tapes !== undefined) return fail([notOfGraph]);
  return ok({ name: nameOf(path), file: path, asked: () => first.case, choices: choicesOf(first.vector) });
}

async function fromReport(path: string, number: number | undefined): Promise<Result<IssueCase, Issue[]>> {
  const report = await readReport(path);
  if (!report.ok) return report;
  const found = findingsOf(report.value);
  const chosen = found[(number ?? (found.length === 1 ? 1 : 0)) - 1];
  if (chosen === undefined) {
    const listed = found.map((finding, i) => `${i + 1} ${headline(finding)}`);
    const hint =
      found.length === 0
        ? "give the report of a run that found something"
        : `say with --finding which: ${listed.join("; ")}`;
    return fail([issueOf("issue/which", `${path} has ${found.length} findings.`, hint)]);
  }
  const { section, entry } = chosen.shown;
  const { verdict, case: place } = entry;
  if (verdict.kind === "disagrees" && verdict.witness.script !== undefined) return fail([notOfGraph]);
  const common = { name: `${section.label}-${number ?? 1}`, engine: section.label, dtype: section.dtype };
  const json =
    verdict.kind === "disagrees"
      ? verdict.witness.case
      : verdict.kind === "crashed"
        ? verdict.case
        : undefined;
  if (json !== undefined) {
    const decoded = checkCase(json);
    return decoded.ok ? ok({ ...common, asked: () => decoded.value }) : decoded;
  }
  if (typeof place === "string") {
    const read = await fromCase(place);
    return read.ok ? ok({ ...read.value, ...common }) : read;
  }
  const { kind, profile, seed } = report.value;
  if (kind === "tapes") return fail([notOfGraph]);
  const drawing = drawingNamed(profile);
  if (drawing === undefined) return fail([issueOf("issue/case", `nothing draws ${profile}.`, "judge again")]);
  return ok({
    ...common,
    asked: (description) => drawnAt(drawing, description.operators, seed, place, description),
  });
}

function issueOf(code: string, message: string, hint: string): Issue {
  return { code, pointer: "", message, hint };
}

function nameOf(path: string): string {
  const name = path.replace(/^.*\.adj#/s, "");
  return name.replace(/^.*[/\\]/, "").replace(/\.(json|adj)$/, "");
}
