import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { TextDocument, TextFault } from "../../spec/text/index.ts";
import { parseJson } from "../../spec/wire/index.ts";
import { readInput } from "./files.ts";

/** What is wrong with a text is shown in its frame: the line, with marks below the place. */
export interface FramedIssue extends Issue {
  /** The place in the text is `line:column`. */
  readonly pointer: string;
  readonly frame: readonly string[];
}

/** A document of a file. */
export interface GivenDocument {
  /** The file, or `FILE.adj#name` for a document of a text. */
  readonly place: string;
  /** Its name in the text, or that of a file of JSON. */
  readonly name?: string;
  readonly json: unknown;
  /** Frames an issue about a part of a text's document; a document of JSON has none. */
  readonly framed?: (issue: Issue) => FramedIssue;
}

/** Tells whether an issue is about a text. */
export function isFramed(issue: Issue): issue is FramedIssue {
  return "frame" in issue;
}

/**
 * Reads the documents of a file, or of standard input for `-`: the one of JSON, all of a text, or the one
 * that `FILE.adj#name` names; a document without a name goes by its number. A text is what ends in `.adj`,
 * or begins like no JSON and does not end in `.json`.
 * Fails: `file/…`, `json/…`, `text/…`, with `text/name` where there is no such document.
 */
export async function documentsIn(path: string): Promise<Result<readonly GivenDocument[], Issue[]>> {
  const [file, name] = fileAndName(path);
  const text = await readInput(file);
  if (!text.ok) return text;
  if (name === undefined && !isText(file, text.value)) {
    const json = parseJson(text.value);
    const own = file === "-" ? {} : { name: basename(file).replace(/\.json$/, "") };
    return json.ok ? ok([{ place: file, ...own, json: json.value }]) : json;
  }
  const all = await documentsOf(file, text.value.replace(/^\uFEFF/, ""));
  if (!all.ok || name === undefined) return all;
  const one = all.value.find(({ place }) => place === path);
  return one === undefined ? fail([noSuchName(file, name, all.value)]) : ok([one]);
}

/** Reads the one document of a file. Fails: as {@link documentsIn}; `text/which` where there are several. */
export async function documentIn(path: string): Promise<Result<unknown, Issue[]>> {
  const all = await documentsIn(path);
  if (!all.ok) return all;
  const [first, second] = all.value;
  return second === undefined ? ok(first?.json) : fail([severalDocuments(path, all.value)]);
}

/** Divides `FILE.adj#name`, unless a file has that very name. */
function fileAndName(path: string): readonly [file: string, name?: string] {
  const [, file, name] = /^(-|.*?\.adj)#(.*)$/su.exec(path) ?? [];
  return file === undefined || name === undefined || existsSync(path) ? [path] : [file, name];
}

function isText(file: string, text: string): boolean {
  return file.endsWith(".adj") || (!file.endsWith(".json") && /^[\s\uFEFF]*[^\s\uFEFF[{]/.test(text));
}

/** Reads a text's documents; the parser is loaded now, since most commands read JSON alone. */
async function documentsOf(file: string, text: string): Promise<Result<readonly GivenDocument[], Issue[]>> {
  const { readText, frameOf, positionOf } = await import("../../spec/text/index.ts");
  const told = (fault: TextFault): FramedIssue => ({
    code: fault.code,
    pointer: positionOf(text, fault.place),
    message: fault.message,
    hint: fault.hint,
    frame: frameOf(file, text, fault),
  });
  const documents = readText(text);
  if (!documents.ok) return fail(documents.error.map(told));
  const framed =
    ({ places, place }: TextDocument) =>
    ({ pointer, ...issue }: Issue): FramedIssue =>
      told({ ...issue, place: places?.of(pointer) ?? place });
  return ok(
    documents.value.map((document, i) => ({
      place: `${file}#${document.name ?? i + 1}`,
      ...(document.name === undefined ? {} : { name: document.name }),
      json: document.json,
      framed: framed(document),
    })),
  );
}

function noSuchName(file: string, name: string, all: readonly GivenDocument[]): Issue {
  const names = all.map(({ place }) => place.slice(file.length + 1));
  const near = nearestName(name, names);
  return {
    code: "text/name",
    pointer: "",
    message: `${file} has no ${quote(name)}.`,
    hint: near === undefined ? `it has ${listed(names)}` : `did you mean ${near}?`,
  };
}

function severalDocuments(file: string, all: readonly GivenDocument[]): Issue {
  return {
    code: "text/which",
    pointer: "",
    message: `${file} has ${all.length} documents, and one is meant.`,
    hint: `name it: ${listed(all.map(({ place }) => place))}`,
  };
}

/** So many names show how they are written. */
const SHOWN_NAMES = 20;

function listed(names: readonly string[]): string {
  return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ["…"] : [])].join(", ");
}
