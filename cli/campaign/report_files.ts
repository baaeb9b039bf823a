import { basename } from "node:path";
import {
  checkDocument,
  formatOfFile,
  formatterOf,
  type PageDocument,
  type ReportFormatter,
  type WorkingTree,
} from "../../conformance/report/formats/index.ts";
import { checkReport } from "../../conformance/report/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { checkWritable, readJson, writeText } from "../files/files.ts";

/** A file that a report goes to, and who writes it there. */
export interface ReportFile {
  readonly path: string;
  readonly format: ReportFormatter;
}

/**
 * Returns the files of these names, each with the writer that its ending asks for, and the HTML page; what
 * they say of files is of this tree. Fails: `file/unwritable`, before anything is done.
 */
export async function reportFilesOf(
  paths: readonly string[],
  page: string | undefined,
  tree: WorkingTree,
): Promise<Result<ReportFile[], Issue[]>> {
  const files = paths.map((path) => ({ path, form: formatOfFile(path) }));
  const all = page === undefined ? files : [...files, { path: page, form: "html" as const }];
  const checked = await Promise.all(all.map(({ path }) => checkWritable(path)));
  const issues = checked.flatMap((one) => (one.ok ? [] : one.error));
  if (issues.length > 0) return fail(issues);
  return ok(
    await Promise.all(
      all.map(async ({ path, form }) => ({ path, format: await formatterOf(form, { tree }) })),
    ),
  );
}

/** Reads a report. Fails, naming the file: `file/unreadable`, `json/…`, and as `checkReport` does. */
export async function readReport(path: string): Promise<Result<ReportJson, Issue[]>> {
  const json = await readJson(path);
  const read = json.ok ? checkReport(json.value) : json;
  return read.ok ? read : named(path, read.error);
}

/** Reads a page's document. Fails: `file/unreadable`, `json/…`, `document/format`, `schema/…`. */
export async function readDocument(path: string): Promise<Result<PageDocument, Issue[]>> {
  const json = await readJson(path);
  const document = json.ok ? checkDocument(json.value) : json;
  return document.ok ? ok({ name: basename(path), document: document.value }) : named(path, document.error);
}

function named<T>(path: string, issues: readonly Issue[]): Result<T, Issue[]> {
  return fail(issues.map((issue) => ({ ...issue, message: `${path}: ${issue.message}` })));
}

/** Writes a report to every file that can be written. Fails: `file/unwritable` for each of the others. */
export async function writeReports(
  report: ReportJson,
  files: readonly ReportFile[],
): Promise<Result<void, Issue[]>> {
  const written = await Promise.all(files.map(({ path, format }) => writeText(path, format(report))));
  const issues = written.flatMap((one) => (one.ok ? [] : one.error));
  return issues.length > 0 ? fail(issues) : ok(undefined);
}
