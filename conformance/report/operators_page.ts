import {
  type CompositeName,
  compositeNames,
  composites,
  type OperatorName,
  operators,
} from "../../spec/composites/index.ts";
import { exampleOf, expand } from "../../spec/expansion/index.ts";
import type { Node, PrimitiveGraph } from "../../spec/graph/index.ts";
import { formatArity, type PrimitiveName, primitiveNames, primitives } from "../../spec/operators/index.ts";
import type { Need } from "../../spec/shapes/index.ts";
import { caseOf } from "../runner/index.ts";
import { prose } from "./prose.ts";
import { showGraph } from "./show.ts";

/** Returns `docs/operators.md`: each operator's row, and an example expansion of each composite. */
export function operatorsPage(): string {
  const lines = [
    "# Operators",
    "",
    ...prose(
      `Generated from the operator table by \`npm run golden\`: ${primitiveNames.length} primitives, ` +
        `${compositeNames.length} composites. A primitive has a rule of its own in \`reference/operators/\`; ` +
        "a composite means what it expands to, in value and in derivatives, and its entry shows an expansion, up to its " +
        `${SHOWN_LINES}th line. Attributes are ` +
        "all required. Real numbers among them are JSON numbers and denote that float64 exactly; indices are entries of Δ, which " +
        "an attribute names. Elementwise operators take operands of one shape; the builder inserts the `broadcast_to` where " +
        "they differ. What an engine may answer beyond a domain, and where there is no derivative, is in " +
        "[truth.md](truth.md#where-there-is-no-bound).",
    ),
    "",
    "## Primitives",
    "",
    ...primitiveNames.flatMap(primitiveSection),
    "## Composites",
    "",
    ...compositeNames.flatMap(compositeSection),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function primitiveSection(op: PrimitiveName): string[] {
  const lines = showGraph(caseOf(op).graph, op);
  return [...section(op, needWords[primitives[op].needs]), "- Example:", ...fenced(lines)];
}

function compositeSection(op: CompositeName): string[] {
  const { graph } = expand(exampleOf(op));
  const needs = needsOf(graph).map((need) => needWords[need]);
  const lines = showGraph(graph, op);
  const isLong = lines.length > SHOWN_LINES;
  return [
    ...section(op, needs.join(", ")),
    ...prose(`- With ${showAttributes(composites[op].example.attributes)} it expands to:`, "  "),
    ...fenced(isLong ? [...lines.slice(0, SHOWN_LINES), `  # … ${lines.length - SHOWN_LINES} more`] : lines),
  ];
}

/** Writes what a row says, in sentences. */
function section(op: OperatorName, needs: string): string[] {
  const { arity, attributes, smoothness, summary, domain, convention, source } = operators[op];
  const names = Object.keys(attributes).map((name) => `\`${name}\``);
  const given = names.length === 0 ? "" : `; attributes: ${names.join(", ")}`;
  return [
    `### ${op}`,
    ...prose(`${summary}.`),
    ...prose(`- Operands: ${formatArity(arity)}${given}. Needs: ${needs}.`, "  "),
    ...prose(
      `- Derivative: ${smoothnessWords[smoothness]}. Domain: ${domain}. Convention: ${convention}.`,
      "  ",
    ),
    `- Source: <${source}>`,
  ];
}

const smoothnessWords = {
  linear: "linear in the operands",
  smooth: "smooth on the domain",
  piecewise: "piecewise, with kinks or jumps",
} as const;

const needWords: { readonly [N in Need]: string } = {
  additive: "addition",
  semiring: "addition and multiplication",
  ring: "a ring",
  field: "a field",
  ordered: "an ordered ring",
  orderedField: "an ordered field",
  real: "the elementary functions",
  orderedReal: "the elementary functions and an order",
};

/** Long expansions are cut to so many lines, as they are there to be read. */
const SHOWN_LINES = 20;

function showAttributes(attributes: object): string {
  const text = Object.entries(attributes).map(([name, value]) => `\`${name}\` ${showAttribute(value)}`);
  return text.length === 0 ? "no attributes" : text.join(", ");
}

/** Shows an inner graph by its nodes. */
function showAttribute(value: unknown): string {
  if (typeof value !== "object" || value === null || !("nodes" in value)) return JSON.stringify(value);
  const { nodes }: { readonly nodes: unknown } = value;
  if (!Array.isArray(nodes)) return JSON.stringify(value);
  return nodes
    .map(({ op, parents }: Pick<Node, "op" | "parents">) => `\`${op}(${parents.join(", ")})\``)
    .join(" then ");
}

function fenced(lines: readonly string[]): string[] {
  return ["```", ...lines, "```", ""];
}

/** Returns the needs of the primitives in a graph, each once. */
export function needsOf(graph: PrimitiveGraph): Need[] {
  const order: readonly Need[] = [
    "additive",
    "semiring",
    "ring",
    "field",
    "ordered",
    "orderedField",
    "real",
    "orderedReal",
  ];
  const needs: ReadonlySet<Need> = new Set(graph.nodes.map(({ op }) => primitives[op].needs));
  return order.filter((need) => needs.has(need));
}
