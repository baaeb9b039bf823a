import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import { fail, type Issue, MAXIMUM_ISSUES, ok, type Result, sizeOf } from "../shapes/index.ts";
import {
  type ComponentSet,
  type ComponentsAt,
  type MemberSet,
  parseFloat64,
  parseJson,
  sha256,
  type VectorJson,
} from "../wire/index.ts";
import { type CaseData, checkCase, encodeCase } from "./case.ts";
import { embeddedGraph, validateEmbedding } from "./embedded.ts";

/** A vector in memory: its case decoded, the rest as in the file. The case carries the note too. */
export interface VectorData
  extends Omit<VectorJson, "format" | "note" | "graph" | "point" | "tangents" | "seeds"> {
  readonly case: CaseData & { readonly note: string };
}

const readVector: Validator<VectorJson> = outlineOf("vector.schema.json");

/** Returns the vector that a JSON text denotes; see {@link checkVector}. Fails: `json/…` too. */
export function checkVectorText(text: string): Result<VectorData, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkVector(json.value) : json;
}

/**
 * Returns the vector that `json` denotes: its case by {@link checkCase}, a set for each component at existing
 * ids, ends of intervals in order, and the id of its content. Law: `checkVector(encodeVector(v))` is `v`.
 * Fails: as {@link checkCase} does; `vector/component`, `vector/interval`, `vector/id`.
 */
export function checkVector(json: unknown): Result<VectorData, Issue[]> {
  const valid = validateEmbedding(json, readVector, embeddedGraph);
  if (!valid.ok) return valid;
  const { format: _, note, graph, point, tangents, seeds, ...rest } = valid.value;
  const question = checkCase({ format: "adjudge.case.v1", graph, point, tangents, seeds, note });
  if (!question.ok) return question;
  const issues = [...expectedIssues(valid.value), ...idIssues(valid.value)];
  if (issues.length > 0) return fail(issues.slice(0, MAXIMUM_ISSUES));
  return ok({ ...rest, case: { ...question.value, note } });
}

/** A question to an engine, as a file gives it: a case, and the vector if it came in one. */
export interface QuestionData {
  readonly case: CaseData;
  readonly vector?: VectorData;
}

/** Says whether a document's format is that of a case or a vector. */
export function isQuestion(json: unknown): boolean {
  return isOfFormat(json, "adjudge.case.v1") || isOfFormat(json, "adjudge.vector.v1");
}

/** Returns the question in a document: a vector's, or one for {@link checkCase}. Fails as the two do. */
export function checkQuestion(json: unknown): Result<QuestionData, Issue[]> {
  if (isOfFormat(json, "adjudge.vector.v1")) {
    const vector = checkVector(json);
    return vector.ok ? ok({ case: vector.value.case, vector: vector.value }) : vector;
  }
  const question = checkCase(json);
  return question.ok ? ok({ case: question.value }) : question;
}

/** Returns the question that a JSON text denotes; see {@link checkQuestion}. Fails: `json/…` too. */
export function checkQuestionText(text: string): Result<QuestionData, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkQuestion(json.value) : json;
}

/** Says whether a document declares this format. */
export function isOfFormat(json: unknown, format: string): boolean {
  return typeof json === "object" && json !== null && "format" in json && json.format === format;
}

/** Returns the vector as JSON. Its id is computed; an id given is not looked at. */
export function encodeVector(vector: Omit<VectorData, "id">): VectorJson {
  const { format: _, note: __, ...question } = encodeCase(vector.case);
  const { clause, defects, links, dtype, policy, expected, flags } = vector;
  const content = {
    format: "adjudge.vector.v1",
    clause,
    note: vector.case.note,
    defects,
    links,
    ...question,
    dtype,
    ...(policy === undefined ? {} : { policy }),
  } as const;
  const { format, ...body } = content;
  return { format, id: vectorId(content), ...body, expected, flags };
}

/**
 * Returns the SHA-256, in hexadecimal, of a vector without its id and the derived `expected` and `flags`, as
 * JSON without spaces and with keys in the order of their UTF-16 code units (RFC 8785).
 */
export function vectorId(content: Omit<VectorJson, "id" | "expected" | "flags">): string {
  const { format, clause, note, defects, links, graph, point, tangents, seeds, dtype, policy } = content;
  const own = { format, clause, note, defects, links, graph, point, tangents, seeds, dtype };
  return sha256(canonicalJson(policy === undefined ? own : { ...own, policy }));
}

/** Returns JSON text of one form for one value (RFC 8785). It nests as deep as the value. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries: [string, unknown][] = Object.entries(value);
  const members = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function idIssues(vector: VectorJson): Issue[] {
  const id = vectorId(vector);
  if (id === vector.id) return [];
  return [
    {
      code: "vector/id",
      pointer: "/id",
      message: "the id is not the hash of the content.",
      hint: `the content has the id ${id}`,
    },
  ];
}

function expectedIssues({ graph, expected }: VectorJson): Issue[] {
  return (["values", "tangents", "cotangents"] as const).flatMap((part) => {
    const seen = new Set<number>();
    return expected[part].flatMap((at, position) => {
      const pointer = `/expected/${part}/${position}`;
      const isTwice = seen.has(at.id);
      seen.add(at.id);
      return [...componentIssues(graph, at, isTwice, pointer), ...intervalIssues(at, pointer)];
    });
  });
}

function componentIssues(graph: Graph, at: ComponentsAt, isTwice: boolean, pointer: string): Issue[] {
  const shape = shapesOf(graph)[at.id];
  if (shape !== undefined && !isTwice && sizeOf(shape) === at.sets.length) return [];
  const message =
    shape === undefined
      ? `there is no id ${at.id}.`
      : isTwice
        ? `the id ${at.id} has sets already.`
        : `there are ${at.sets.length} sets for ${sizeOf(shape)} components.`;
  return [
    { code: "vector/component", pointer, message, hint: "give each id once, with a set for each component" },
  ];
}

function intervalIssues({ sets }: ComponentsAt, pointer: string): Issue[] {
  return sets.flatMap((set, position) =>
    membersOf(set).some(isReversed)
      ? [
          {
            code: "vector/interval",
            pointer: `${pointer}/sets/${position}`,
            message: "the interval's low end is above its high end.",
            hint: "write the lower end under low",
          },
        ]
      : [],
  );
}

/** The sets without alternatives that a set is made of. */
export function membersOf(set: ComponentSet): readonly MemberSet[] {
  switch (set.kind) {
    case "one_of":
    case "hull":
      return set.members;
    case "any":
    case "undecided":
      return [];
    default:
      return [set];
  }
}

function isReversed(set: MemberSet): boolean {
  if (set.kind !== "enclosure") return false;
  const [low = Number.NaN, high = Number.NaN] = [parseFloat64(set.low), parseFloat64(set.high)];
  return low > high;
}
