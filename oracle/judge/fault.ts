import type { OperatorName } from "../../spec/composites/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import type { Witness } from "../hearing/index.ts";

/**
 * A fault is the sort of a disagreement: the operator to blame, what is wrong at it, and its attributes as
 * far as they tell one way of computing from another.
 */
export interface Fault {
  /** This is the operator and what is wrong: `sum value`, `input accumulation`. */
  readonly place: string;
  /** These are the attributes: `axes=[0,>1], keepdims=true`; empty if there are none. */
  readonly attributes: string;
}

/** The fault is told by these parts of a witness, or of its JSON form. */
interface Blamed {
  readonly blame: {
    readonly id: number;
    readonly op?: OperatorName | undefined;
    readonly part: Witness["blame"]["part"];
  };
  readonly case: Pick<Case, "graph" | "calls">;
  readonly question: string;
  /** If a sweep of a tape went wrong, this is what it owed. */
  readonly script?: object;
  readonly expected: string;
}

/** Returns the fault that a witness shows. */
export function faultOf({ blame, case: { graph, calls }, question, script, expected }: Blamed): Fault {
  if (script !== undefined) return { place: `tape ${tapeFaults[expected] ?? "cotangent"}`, attributes: "" };
  if (calls !== undefined) return { place: question, attributes: "after other calls" };
  const { id, op, part } = blame;
  const entries = new Set(graph.environment.map(({ name }) => name));
  const told = Object.entries(nodeAt(graph, nodeId(id))?.attributes ?? {}).flatMap(([name, value]) =>
    typeof value === "string" && entries.has(value) ? [] : [`${name}=${kindOf(value)}`],
  );
  return { place: `${op ?? "input"} ${part}`, attributes: told.join(", ") };
}

/** A sweep that owed no number went wrong in these ways. */
const tapeFaults: Readonly<Record<string, string>> = { "a refusal": "answered", "an answer": "refused" };

/** Makes a key of a fault: two witnesses show the same sort of fault if their keys are equal. */
export function faultKey({ place, attributes }: Fault): string {
  return attributes === "" ? place : `${place} (${attributes})`;
}

/**
 * Classifies an attribute's value: numbers by 0, 1, and what lies between and beyond; an inner graph by its
 * operators.
 */
function kindOf(value: unknown): string {
  if (typeof value === "number") return numberKind(value);
  if (typeof value === "object" && value !== null && "nodes" in value) return kindOf(value.nodes);
  if (typeof value === "object" && value !== null && "op" in value) return kindOf(value.op);
  if (!Array.isArray(value)) return String(value);
  return `[${[...new Set(value.map(kindOf))].sort().join(",")}]`;
}

function numberKind(x: number): string {
  if (x === 0 || x === 1) return String(x);
  if (x < 0) return "<0";
  return x < 1 ? "<1" : ">1";
}
