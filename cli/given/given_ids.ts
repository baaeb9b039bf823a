import { type Graph, idCount } from "../../spec/graph/index.ts";
import {
  fail,
  type Issue,
  type NodeId,
  nearestName,
  nodeId,
  ok,
  quote,
  type Result,
} from "../../spec/shapes/index.ts";

/** These are the words behind `--of` and `--wrt`. */
export interface IdFlags {
  readonly of?: readonly string[];
  readonly wrt?: readonly string[];
}

/** These ids say what is differentiated, and with respect to what. */
export interface AskedIds {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
}

/**
 * Returns the ids of `--of` (default: `results`, or the last id) and `--wrt` (default: all inputs).
 * Digits are an id, anything else the name of an input. Fails: `AREA/id`, `AREA/name`.
 */
export function askedIds(
  graph: Graph,
  { of, wrt }: IdFlags,
  area: string,
  results?: readonly NodeId[],
): Result<AskedIds, Issue[]> {
  const last = idCount(graph) - 1;
  if (last < 0) return fail([nothingThere(area)]);
  const named = [
    of === undefined ? ok(results ?? [nodeId(last)]) : idsOf(graph, of, area, "/of"),
    wrt === undefined ? ok(graph.inputs.map((_, id) => nodeId(id))) : idsOf(graph, wrt, area, "/wrt"),
  ] as const;
  const issues = named.flatMap((ids) => (ids.ok ? [] : ids.error));
  const [ofIds, wrtIds] = named;
  return ofIds.ok && wrtIds.ok ? ok({ of: ofIds.value, wrt: wrtIds.value }) : fail(issues);
}

function nothingThere(area: string): Issue {
  return {
    code: `${area}/id`,
    pointer: "",
    message: "the graph has neither inputs nor nodes, so nothing has a derivative.",
    hint: "give a graph that computes something",
  };
}

function idsOf(
  graph: Graph,
  texts: readonly string[],
  area: string,
  pointer: string,
): Result<NodeId[], Issue[]> {
  const names = graph.inputs.map(({ name }) => name);
  const count = idCount(graph);
  const issues: Issue[] = [];
  const ids = texts.map((text, place) => {
    const id = /^[0-9]+$/.test(text) ? Number(text) : names.indexOf(text);
    if (id < 0) issues.push(noSuchName(area, `${pointer}/${place}`, text, names));
    if (id >= count) issues.push(noSuchId(area, `${pointer}/${place}`, count));
    return nodeId(id);
  });
  return issues.length === 0 ? ok(ids) : fail(issues);
}

function noSuchId(area: string, pointer: string, count: number): Issue {
  return {
    code: `${area}/id`,
    pointer,
    message: `there is no such id: the last is ${count - 1}.`,
    hint: "ids count the inputs first, then the nodes, from 0",
  };
}

function noSuchName(area: string, pointer: string, name: string, names: readonly string[]): Issue {
  const near = nearestName(name, names);
  return {
    code: `${area}/name`,
    pointer,
    message: `no input has the name ${quote(name)}.`,
    hint: near === undefined ? "give an id, or the name of an input" : `did you mean ${quote(near)}?`,
  };
}
