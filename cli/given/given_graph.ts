import { recordedCase } from "../../oracle/programs/index.ts";
import { checkGraph, checkQuestion, isOfFormat, isQuestion } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentIn, type GivenDocument, oneDocumentIn } from "../files/documents.ts";
import type { KnownIds } from "./given_ids.ts";
import { noCase, programOf } from "./given_program.ts";

/** Reads the graph in a file: that of a case or vector too. Fails: as reading and checking do. */
export async function graphIn(file: string): Promise<Result<Graph, Issue[]>> {
  const json = await documentIn(file);
  return json.ok ? graphOf(json.value) : json;
}

/** Returns the graph of a document: that of a case or vector too. Fails: as checking does. */
export function graphOf(json: unknown): Result<Graph, Issue[]> {
  if (formats.some((format) => isOfFormat(json, format))) return fail([noGraph]);
  if (!isQuestion(json)) return checkGraph(json);
  const checked = checkQuestion(json);
  return checked.ok ? ok(checked.value.case.graph) : checked;
}

/** Documents of these formats have no graph of their own, but runs that write some. */
const formats: readonly string[] = [
  ...["adjudge.program.v1", "adjudge.program-case.v1", "adjudge.program-vector.v1"],
  ...["adjudge.tape-case.v1", "adjudge.tape-vector.v1"],
];

const noGraph: Issue = {
  code: "graph/format",
  pointer: "/format",
  message: "this is a program or a script of tapes, not a graph.",
  hint: "adjudge record makes the graph of a program's run; judge, programs and show take it as it is",
};

/** A graph has its results here if they are known, as of a program's run, and the names of a text. */
export interface GivenRun extends KnownIds {
  readonly graph: Graph;
}

/** Reads the graph in a file, with the names that a text gives ids. Fails: as {@link graphIn} does. */
export async function namedGraphIn(file: string): Promise<Result<GivenRun, Issue[]>> {
  const document = await oneDocumentIn(file);
  return document.ok ? namedGraphOf(document.value) : document;
}

function namedGraphOf({ json, names }: GivenDocument): Result<GivenRun, Issue[]> {
  const graph = graphOf(json);
  return graph.ok ? ok({ graph: graph.value, ...(names === undefined ? {} : { names }) }) : graph;
}

/**
 * Reads the graph in a file; of a program case the graph of its run, whose results have cotangents there.
 * Fails: as reading, checking and recording do; `program/case` for a program without a case.
 */
export async function runIn(file: string): Promise<Result<GivenRun, Issue[]>> {
  const document = await oneDocumentIn(file);
  if (!document.ok) return document;
  const given = programOf(document.value.json);
  if (given === undefined) return namedGraphOf(document.value);
  if (!given.ok) return given;
  if (given.value.question === undefined) return fail([noCase]);
  const recorded = recordedCase(given.value.question);
  if (!recorded.ok) return recorded;
  const { graph, seeds } = recorded.value;
  return ok(seeds.length === 0 ? { graph } : { graph, results: seeds.map(({ id }) => id) });
}
