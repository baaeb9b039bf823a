import type { RangesJson } from "../../spec/explained/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { checkUnits, isUnits, type MeasuredGraph, siBases, undeclared } from "../../spec/units/index.ts";
import { type GivenDocument, oneDocumentIn } from "../files/documents.ts";
import { readJson } from "../files/files.ts";
import { graphOf } from "./given_graph.ts";

/** A graph has here what its values are declared to be measured in. */
export interface GivenUnits extends MeasuredGraph {
  readonly json: unknown;
  /** The ranges that the text has beside its graph. */
  readonly ranges?: RangesJson;
  readonly names?: ReadonlyMap<string, number>;
}

/** Reads the graph of a file, and its declared units: from that file, from a second one, or none. */
export async function measuredIn(file: string, units?: string): Promise<Result<GivenUnits, Issue[]>> {
  if (units === "-" && file === "-") return fail([oneStandardInput]);
  const document = await oneDocumentIn(file);
  if (!document.ok) return document;
  const { json, beside: { ranges } = {}, names } = document.value;
  const measured = await measuredBy(document.value, units);
  return measured.ok
    ? ok({
        ...measured.value,
        json,
        ...(ranges === undefined ? {} : { ranges }),
        ...(names === undefined ? {} : { names }),
      })
    : measured;
}

async function measuredBy(
  { json, beside: { units: own } = {} }: GivenDocument,
  units: string | undefined,
): Promise<Result<MeasuredGraph, Issue[]>> {
  if (isUnits(json)) return units === undefined ? checkUnits(json) : fail([twoUnits]);
  const graph = graphOf(json);
  if (!graph.ok) return graph;
  if (own !== undefined) return units === undefined ? checkUnits(own, graph.value) : fail([twoUnits]);
  if (units === undefined) return ok({ graph: graph.value, declarations: undeclared(siBases) });
  const beside = await readJson(units);
  return beside.ok ? checkUnits(beside.value, graph.value) : beside;
}

const twoUnits: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--units is given, and the file has units itself.",
  hint: "give a graph with --units, or the file of units with its graph alone",
};

const oneStandardInput: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "standard input cannot be two files.",
  hint: "give one of them by its path",
};
