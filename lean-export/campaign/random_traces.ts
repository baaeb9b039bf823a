import type { Case } from "../../oracle/case/index.ts";
import { type CaseProfile, caseAt, tensorProfile } from "../../oracle/generate/index.ts";
import { integer, modular, type RunTexts, rational, traceOf } from "../../reference/index.ts";
import { encodeCase } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { InvariantError, type Issue, type Result } from "../../spec/shapes/index.ts";
import { parseFloat64, type TensorJson, type TraceJson } from "../../spec/wire/index.ts";
import { exportableOperators, ringOperators, tabled } from "../index.ts";

/** Small graphs of the operators that Lean's kernel can follow over any field; seeds are whole in eighths. */
const fieldProfile: CaseProfile = {
  ...tensorProfile,
  name: "field",
  seeds: "generic",
  operators: exportableOperators,
  maximumDegree: 6,
};

/** These graphs have no division. */
const ringProfile: CaseProfile = { ...fieldProfile, name: "ring", operators: ringOperators };

/**
 * Trace number `index` of the campaign that `seed` names, dense or sparse, over integers, rationals and
 * residues in turn. It depends on these two numbers alone. A trace that divides by zero is drawn again.
 */
export function randomTrace(seed: number, index: number): TraceJson {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const trace = drawTrace(seed, index, attempt);
    if (hasValues(trace)) return trace;
  }
  throw new InvariantError(`each random case ${index} of ${seed} divides by zero`);
}

/** One graph in seventy divides by zero. */
const ATTEMPTS = 20;

/** Indices of repeated draws are this far apart, beyond the numbers of any campaign's traces. */
const STRIDE = 1_000_003;

function drawTrace(seed: number, index: number, attempt: number): TraceJson {
  const form = Math.floor(index / 3) % 2 === 0 ? "dense" : "sparse";
  const algebra = exactAlgebras[index % exactAlgebras.length] ?? "rational";
  const profile = algebra === "integer" ? ringProfile : fieldProfile;
  const drawn = caseAt(profile, seed, index + attempt * STRIDE);
  const texts = textsOf(drawn);
  const numbers = algebra === "integer" ? magnified(drawn, texts) : texts;
  const trace = recordTrace(drawn.graph, algebra, numbers, form);
  if (!trace.ok) throw new InvariantError(`the random case ${index} of ${seed} has no trace`);
  return trace.value;
}

function hasValues({ values, cotangents }: TraceJson): boolean {
  return [...values, ...cotangents].every(({ data }) => !data.includes("undefined"));
}

/** The algebras whose numbers Lean's kernel computes with. */
export const exactAlgebras = ["integer", "rational", "modular"] as const;

/** Is {@link traceOf} over the algebra of that name; over `tabled` elementary functions are a table's. */
export function recordTrace(
  graph: Graph,
  algebra: (typeof exactAlgebras)[number] | "tabled",
  texts: RunTexts,
  form: TraceJson["form"],
): Result<TraceJson, Issue[]> {
  switch (algebra) {
    case "integer":
      return traceOf(graph, integer, texts, form);
    case "rational":
      return traceOf(graph, rational, texts, form);
    case "modular":
      return traceOf(graph, modular, texts, form);
    case "tabled":
      return traceOf(graph, tabled, texts, form);
  }
}

/** Records the graph and numbers of a trace anew; `undefined` if the reference refuses them. */
export function recordAgain({ graph, algebra, point, seeds, form }: TraceJson): TraceJson | undefined {
  const name = exactAlgebras.find((candidate) => candidate === algebra);
  const texts = {
    inputs: point.inputs.map(({ data }) => data),
    environment: new Map(Object.entries(point.environment).map(([key, { data }]) => [key, data])),
    seeds: new Map(seeds.map(({ id, cotangent }) => [id, cotangent.data])),
  };
  const trace = name && recordTrace(graph, name, texts, form);
  return trace?.ok === true ? trace.value : undefined;
}

/** Returns the numbers of a case as they are written. */
export function textsOf(question: Case): RunTexts {
  const { point, seeds } = encodeCase(question);
  return {
    inputs: point.inputs.map(elementsOf),
    environment: new Map(
      Object.entries(point.environment).map(([name, tensor]) => [name, elementsOf(tensor)]),
    ),
    seeds: new Map(seeds.map(({ id, cotangent }) => [id, elementsOf(cotangent)])),
  };
}

function elementsOf(tensor: TensorJson): string[] {
  return "data" in tensor ? tensor.data.map(String) : [];
}

/** Random numbers are multiples of ⅛: what has to be whole is eight times as large. Indices stay. */
function magnified({ graph }: Case, { inputs, environment, seeds }: RunTexts): RunTexts {
  const isReal = new Set(graph.environment.flatMap(({ name, kind }) => (kind === "real" ? [name] : [])));
  const eightfold = (texts: readonly string[]): string[] =>
    texts.map((text) => `${8 * (parseFloat64(text) ?? 0)}`);
  return {
    inputs: inputs.map(eightfold),
    environment: new Map(
      [...environment].map(([name, texts]) => [name, isReal.has(name) ? eightfold(texts) : texts]),
    ),
    seeds: new Map([...seeds].map(([id, texts]) => [id, eightfold(texts)])),
  };
}
