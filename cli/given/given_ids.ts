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

/** This is known of a graph beside itself, where it was read. */
export interface KnownIds {
  /** These are its results, unless others are named. */
  readonly results?: readonly NodeId[];
  /** A text gives these ids names. */
  readonly names?: ReadonlyMap<string, number>;
}

/**
 * Returns the ids of `--of` (default: `results`, or the last id) and `--wrt` (default: all inputs).
 * Digits are an id, as in `41` and `%41`; anything else is the name of an input, or of a line of a text.
 * Fails: `AREA/id`, `AREA/name`.
 */
export function askedIds(
  graph: Graph,
  { of, wrt }: IdFlags,
  area: string,
  { results, names }: KnownIds = {},
): Result<AskedIds, Issue[]> {
  const last = idCount(graph) - 1;
  if (last < 0) return fail([nothingThere(area)]);
  const all = new Map([...(names ?? []), ...graph.inputs.map(({ name }, id) => [name, id] as const)]);
  const found = (texts: readonly string[], pointer: string) => idsOf(last, texts, all, area, pointer);
  const named = [
    of === undefined ? ok(results ?? [nodeId(last)]) : found(of, "/of"),
    wrt === undefined ? ok(graph.inputs.map((_, id) => nodeId(id))) : found(wrt, "/wrt"),
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
  last: number,
  texts: readonly string[],
  names: ReadonlyMap<string, number>,
  area: string,
  pointer: string,
): Result<NodeId[], Issue[]> {
  const issues: Issue[] = [];
  const ids = texts.map((text, place) => {
    const id = names.get(text) ?? (/^%?[0-9]+$/.test(text) ? Number(text.replace("%", "")) : -1);
    if (id < 0) issues.push(noSuchName(area, `${pointer}/${place}`, text, [...names.keys()]));
    if (id > last) issues.push(noSuchId(area, `${pointer}/${place}`, last));
    return nodeId(id);
  });
  return issues.length === 0 ? ok(ids) : fail(issues);
}

function noSuchId(area: string, pointer: string, last: number): Issue {
  return {
    code: `${area}/id`,
    pointer,
    message: `there is no such id: the last is ${last}.`,
    hint: "ids count the inputs first, then the nodes, from 0",
  };
}

function noSuchName(area: string, pointer: string, name: string, names: readonly string[]): Issue {
  const near = nearestName(name, names);
  return {
    code: `${area}/name`,
    pointer,
    message: `nothing has the name ${quote(name)}.`,
    hint:
      near === undefined
        ? "give an id, or the name of an input, or of a line of a text"
        : `did you mean ${quote(near)}?`,
  };
}
