import type { Graph } from "../graph/index.ts";
import type { Program } from "../programs/index.ts";
import type { Validator } from "../schema/registry.ts";
import { fail, type Issue, issuesWithin, ok, type Result } from "../shapes/index.ts";
import { checkGraph } from "./check.ts";
import { checkProgram } from "./programs/index.ts";

/** A document within a document; `P` is what its check makes of it. */
interface Embedded<K extends string, P> {
  readonly property: K;
  /** This valid document replaces it while the rest is read. */
  readonly empty: unknown;
  check(json: unknown): Result<P, Issue[]>;
}

/** A graph under `graph`, by {@link checkGraph}. */
export const embeddedGraph: Embedded<"graph", Graph> = {
  property: "graph",
  empty: { format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] },
  check: checkGraph,
};

const emptyProgram: Program = {
  format: "adjudge.program.v1",
  state: [],
  environment: [],
  procedures: [{ name: "main", parameters: [], body: [], results: [] }],
};

/** Describes a program under a property, which {@link checkProgram} checks. */
export function embeddedProgram<K extends string>(property: K): Embedded<K, Program> {
  return { property, empty: emptyProgram, check: checkProgram };
}

/**
 * Validates a document that holds another one: that by its own check, which looks deeper and
 * says more than a schema, and the rest by `read`, with an empty one standing in.
 * What is embedded is returned fresh; the rest is the one given.
 */
export function validateEmbedding<K extends string, P, T extends { readonly [E in K]: P }>(
  json: unknown,
  read: Validator<T>,
  { property, empty, check }: Embedded<K, P>,
): Result<T, Issue[]> {
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, property)) return read(json);
  const { [property]: embedded }: { readonly [name: string]: unknown } = { ...json };
  const rest = read({ ...json, [property]: empty });
  if (!rest.ok) return rest;
  const checked = check(embedded);
  return checked.ok
    ? ok({ ...rest.value, [property]: checked.value })
    : fail(issuesWithin(`/${property}`, checked.error));
}
