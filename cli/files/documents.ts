import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { Beside, TextDocument, TextFault } from "../../spec/text/index.ts";
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
  /** The ids that lines of a text's graph name. */
  readonly names?: ReadonlyMap<string, number>;
  /** Units and ranges of a text's values. */
  readonly beside?: Beside;
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
export async function oneDocumentIn(path: string): Promise<Result<GivenDocument, Issue[]>> {
  const all = await documentsIn(path);
  if (!all.ok) return all;
  const [first, second] = all.value;
  return first === undefined || second !== undefined ? fail([severalDocuments(path, all.value)]) : ok(first);
}

/** Reads the one document of a file as JSON. Fails: as {@link oneDocumentIn} does. */
export async function documentIn(path: string): Promise<Result<unknown, Issue[]>> {
  const one = await oneDocumentIn(path);
  return one.ok ? ok(one.value.json) : one;
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
  const texts = await import("../../spec/text/index.ts");
  const told = (fault: TextFault): FramedIssue => issueOf(file, text, fault, texts);
  const { readText } = texts;
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
      beside: besideOf(document),
      ...(document.graph === undefined ? {} : { names: namesOf(document.graph) }),
      framed: framed(document),
    })),
  );
}

/** Returns what is wrong with a text as an issue. */
export function issueOf(
  file: string,
  text: string,
  fault: TextFault,
  { frameOf, positionOf }: Pick<typeof import("../../spec/text/index.ts"), "frameOf" | "positionOf">,
): FramedIssue {
  const { code, place, message, hint } = fault;
  return { code, pointer: positionOf(text, place), message, hint, frame: frameOf(file, text, fault) };
}

function besideOf({ units, ranges }: TextDocument): Beside {
  return { ...(units === undefined ? {} : { units }), ...(ranges === undefined ? {} : { ranges }) };
}

function namesOf({ names }: NonNullable<TextDocument["graph"]>): ReadonlyMap<string, number> {
  return new Map([...names].flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])));
}

function noSuchName(file: string, name: string, all: readonly GivenDocument[]): Issue {
  const names = all.map((one) => nameIn(file, one));
  const near = nearestName(name, names);
  return {
    code: "text/name",
    pointer: "",
    message: `${file} has no ${quote(name)}.`,
    hint: near === undefined ? `it has ${listed(names)}` : `did you mean ${near}?`,
  };
}

/** The name behind the file's and `#`. */
function nameIn(file: string, { place }: GivenDocument): string {
  return place.slice(file.length + 1);
}

/** Returns the issue of a file with several documents where one is meant. */
export function severalDocuments(file: string, all: readonly GivenDocument[]): Issue {
  return {
    code: "text/which",
    pointer: "",
    message: `${file} has ${all.length} documents, and one is meant.`,
    hint: `name one, as in ${all[0]?.place ?? ""}; there are ${listed(all.map((one) => nameIn(file, one)))}`,
  };
}

/** So many names show how they are written. */
const SHOWN_NAMES = 20;

function listed(names: readonly string[]): string {
  return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ["…"] : [])].join(", ");
}
