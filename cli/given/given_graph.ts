import { recordedCase } from "../../oracle/programs/index.ts";
import { checkGraph, checkQuestion, isOfFormat, isQuestion } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { fail, type Issue, type NodeId, ok, type Result } from "../../spec/shapes/index.ts";
import { documentIn } from "../files/documents.ts";
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

/** A graph has its results here if they are known, as of a program's run. */
export interface GivenRun {
  readonly graph: Graph;
  readonly results?: readonly NodeId[];
}

/**
 * Reads the graph in a file; of a program case the graph of its run, whose results have cotangents there.
 * Fails: as reading, checking and recording do; `program/case` for a program without a case.
 */
export async function runIn(file: string): Promise<Result<GivenRun, Issue[]>> {
  const json = await documentIn(file);
  if (!json.ok) return json;
  const given = programOf(json.value);
  if (given === undefined) {
    const graph = graphOf(json.value);
    return graph.ok ? ok({ graph: graph.value }) : graph;
  }
  if (!given.ok) return given;
  if (given.value.question === undefined) return fail([noCase]);
  const recorded = recordedCase(given.value.question);
  if (!recorded.ok) return recorded;
  const { graph, seeds } = recorded.value;
  return ok(seeds.length === 0 ? { graph } : { graph, results: seeds.map(({ id }) => id) });
}
