import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { hasAccurateSlope, hasSlopeFromValue } from "../../../spec/operators/index.ts";
import { expandProgram } from "../../case/index.ts";
import { takesSlopeFromValue } from "./algorithm_table.ts";

const found = new WeakMap<Graph, ReadonlySet<OperatorName>>();

/**
 * Lists the operators of a graph whose slope an engine may take from the function's value, where it decays
 * and cancels, unless it declares accurate slopes; composites count that have such an operator inside.
 */
export function slopesTakenFromValue(graph: Graph): ReadonlySet<OperatorName> {
  const known = found.get(graph);
  if (known !== undefined) return known;
  const { program } = expandProgram(graph);
  const operators = new Set<OperatorName>();
  program.graph.nodes.forEach(({ op }, index) => {
    const composites = (program.insides[index]?.applications ?? []).map(({ node }) => node.op);
    const isTaken =
      hasAccurateSlope(op) || hasSlopeFromValue(op) || composites.some((name) => takesSlopeFromValue(name));
    if (isTaken) operators.add(composites.at(-1) ?? op);
  });
  found.set(graph, operators);
  return operators;
}
