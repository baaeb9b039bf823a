import { fail, ok, type Result } from "../shapes/index.ts";
import { Faults, type TextFault } from "./fault.ts";
import { treeOf } from "./lines.ts";
import { type Chapter, type Clause, readQuestion, type TextDocument } from "./question_reader.ts";
import { readProgram } from "./session_reader.ts";
import { readTapes } from "./tape_reader.ts";
import type { Line } from "./tree.ts";

/** The longest text that is read, in UTF-16 code units. */
const MAXIMUM_LENGTH = 2 ** 26;

/**
 * Reads the documents of a text [SEMANTICS 8.8]: graphs, cases, vectors, programs and tapes, each of which
 * was checked as its JSON is. A mistake in one line hides none in another. Cost: linear in the text, and what
 * the checks of the documents take. Fails: `text/…`, and as those checks do.
 */
export function readText(text: string): Result<readonly TextDocument[], readonly TextFault[]> {
  const faults = new Faults();
  if (text.length > MAXIMUM_LENGTH) {
    const hint = "divide it, or write large tensors as JSON, in base64";
    const message = `the text is longer than ${MAXIMUM_LENGTH} characters.`;
    faults.add("text/too-long", { start: 0, end: 0 }, message, hint);
    return fail(faults.all);
  }
  const tree = treeOf(text);
  const documents: TextDocument[] = [];
  const chapters = chaptersOf(tree.lines, tree.faults);
  for (const chapter of chapters) {
    const own = new Faults();
    const document = documentOf(chapter, own);
    for (const { code, place, message, hint } of own.all) tree.faults.add(code, place, message, hint);
    if (document === undefined) continue;
    const { name } = chapter.header;
    if (name !== undefined && documents.some((other) => other.name === name.text))
      tree.faults.add("text/twice", name.place, "this name is taken already.", "give each document its own");
    documents.push(document);
  }
  if (chapters.length === 0 && tree.faults.all.length === 0) {
    const hint = "begin with graph and a name, as docs/text.md shows";
    tree.faults.add("text/empty", { start: 0, end: 0 }, "the text has no graph, program or tapes.", hint);
  }
  const all = withoutFollowers(text, tree.faults.all).toSorted((a, b) => a.place.start - b.place.start);
  return all.length === 0 ? ok(documents) : fail(all);
}

/** Leaves out that a name is not known where the line that should give it was not understood. */
function withoutFollowers(text: string, all: readonly TextFault[]): readonly TextFault[] {
  const missing = new Set(
    all.flatMap(({ code, place }) => {
      if (code !== "text/syntax") return [];
      const line = text.slice(text.lastIndexOf("\n", place.start - 1) + 1);
      return /^\s*([^\s=:]+)\s*[=:]/.exec(line)?.[1] ?? [];
    }),
  );
  return all.filter(
    ({ code, place }) => code !== "text/name" || !missing.has(text.slice(place.start, place.end)),
  );
}

function chaptersOf(lines: readonly Line[], faults: Faults): readonly Chapter[] {
  const chapters: (Chapter & { readonly clauses: Clause[] })[] = [];
  for (const line of lines) {
    if (line.kind === "header") chapters.push({ header: line, clauses: [] });
    else if (line.kind === "clause" && chapters.length > 0) chapters.at(-1)?.clauses.push(line);
    else {
      const message = `the line ${line.kind === "clause" ? "is about no graph yet" : "belongs to no graph"}.`;
      const hint = "graph, program or tapes come first; lines of theirs are indented";
      faults.add("text/place", line.place, message, hint);
    }
  }
  return chapters;
}

function documentOf(chapter: Chapter, faults: Faults): TextDocument | undefined {
  const { header } = chapter;
  switch (header.head.text) {
    case "graph":
      return readQuestion(chapter, faults);
    case "tapes":
      return readTapes(chapter, faults);
    case "program":
      return readProgram(chapter, faults);
    default: {
      const message = `${header.head.text} stands within a program.`;
      faults.add("text/header", header.place, message, "indent it below one");
      return undefined;
    }
  }
}
