import { shapesOf } from "../expansion/index.ts";
import type { Graph, Point, Seed } from "../graph/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import { fail, type Issue, MAXIMUM_ISSUES, ok, type Result } from "../shapes/index.ts";
import { type Call, type CaseJson, encodeTensor, type FlatTensor, parseJson } from "../wire/index.ts";
import { embeddedGraph, validateEmbedding } from "./embedded.ts";
import { decodePoint, decodeSeeds, decodeTangents, encodePoint, encodeSeeds } from "./point.ts";

/** A case file has one question to an engine, and a sentence about it. */
export interface CaseData {
  readonly graph: Graph;
  readonly point: Point;
  /** There is one tangent for each input. */
  readonly tangents: readonly FlatTensor[];
  /** There is at most one seed for each id; ids without one start at zero. */
  readonly seeds: readonly Seed[];
  /** The calls that the case is asked, at least one; each mode once, unless it has some. */
  readonly calls?: readonly Call[];
  readonly note?: string;
}

const readCase: Validator<CaseJson> = outlineOf("case.schema.json");

/** Returns the case that a JSON text denotes; see {@link checkCase}. Fails: `json/…` too. */
export function checkCaseText(text: string): Result<CaseData, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkCase(json.value) : json;
}

/**
 * Returns the case that `json` denotes, its tensors decoded and known to fit its graph; or what is wrong with
 * it. Throws on no JSON. Law: `checkCase(encodeCase(c))` is `c`.
 * Fails: as {@link checkGraph}, {@link decodePoint} and {@link decodeSeeds} do.
 */
export function checkCase(json: unknown): Result<CaseData, Issue[]> {
  const valid = validateEmbedding(json, readCase, embeddedGraph);
  if (!valid.ok) return valid;
  const { graph, calls, note } = valid.value;
  const point = decodePoint(graph, valid.value.point, "/point");
  const tangents = decodeTangents(graph, valid.value.tangents, "/tangents");
  const seeds = decodeSeeds(shapesOf(graph), valid.value.seeds, "/seeds");
  if (point.ok && tangents.ok && seeds.ok) {
    const parts = { graph, point: point.value, tangents: tangents.value, seeds: seeds.value };
    return ok({
      ...parts,
      ...(calls === undefined ? {} : { calls }),
      ...(note === undefined ? {} : { note }),
    });
  }
  const issues = [point, tangents, seeds].flatMap((part) => (part.ok ? [] : part.error));
  return fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns the case as JSON, its tensors as text unless `base64` is asked for. */
export function encodeCase(data: CaseData, form: "text" | "base64" = "text"): CaseJson {
  const { calls, note } = data;
  return {
    format: "adjudge.case.v1",
    graph: data.graph,
    point: encodePoint(data.point, form),
    tangents: data.tangents.map((tensor) => encodeTensor(tensor, form)),
    seeds: encodeSeeds(data.seeds, form),
    ...(calls === undefined ? {} : { calls }),
    ...(note === undefined ? {} : { note }),
  };
}
