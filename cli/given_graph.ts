import {
  checkGraph,
  checkQuestion,
  type Graph,
  type Issue,
  isQuestion,
  ok,
  parseJson,
  type Result,
} from "../spec/index.ts";
import { readInput } from "./files.ts";

/** The graph that a file holds: a graph, or that of a case or vector. Fails: as reading and checking do. */
export async function graphIn(file: string): Promise<Result<Graph, Issue[]>> {
  const text = await readInput(file);
  const json = text.ok ? parseJson(text.value) : text;
  return json.ok ? graphOf(json.value) : json;
}

/** The graph of a document. */
export function graphOf(json: unknown): Result<Graph, Issue[]> {
  if (!isQuestion(json)) return checkGraph(json);
  const checked = checkQuestion(json);
  return checked.ok ? ok(checked.value.case.graph) : checked;
}
