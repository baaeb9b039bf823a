import type { SeenJson, StatisticsJson } from "../../spec/explained/index.ts";
import { at, fail, type Issue, nodeId, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { SeenRange } from "./box.ts";
import type { Run } from "./runs.ts";

/**
 * Reads off statistics between which numbers the values of runs were, with `share` of each value's numbers
 * within: between minus and plus the least power of two that is above so many sizes. Law: `outside` is the
 * part of what was seen that is not. Fails: `statistics/graph` where they are of other values.
 */
export function seenOf(
  { json, share }: { readonly json: StatisticsJson; readonly share: number },
  runs: readonly Run[],
): Result<readonly (readonly SeenRange[])[], Issue[]> {
  for (const [place, { boxed, name, names }] of runs.entries()) {
    const values = json.runs[place]?.values ?? [];
    const count = boxed.graph.inputs.length + boxed.graph.nodes.length;
    const other = values.findIndex((value, id) => value.name !== names(nodeId(id)));
    if (values.length !== count || other >= 0)
      return fail([otherGraph(name, values.length, count, values[other]?.name)]);
  }
  return ok(runs.map((_, place) => at(json.runs, place).values.map((value) => within(value, share))));
}

function within({ range, zeros, unknown, exponents }: SeenJson, share: number): SeenRange {
  const counts = Object.entries(exponents).map(([exponent, count]) => [Number(exponent), count] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, zeros + unknown);
  if (range === undefined || unknown > 0) return { range: undefined, outside: 0 };
  let inside = zeros;
  let reach = 0;
  for (const [exponent, count] of counts.toSorted(([a], [b]) => a - b)) {
    if (inside >= share * all) break;
    inside += count;
    reach = 2 ** (exponent + 1);
  }
  const [least, greatest] = range;
  return {
    range: [Math.max(least, -reach), Math.min(greatest, reach)],
    outside: all === 0 ? 0 : (all - inside) / all,
  };
}

function otherGraph(run: string, found: number, wanted: number, name: string | undefined): Issue {
  return {
    code: "statistics/graph",
    pointer: "/runs",
    message:
      name === undefined
        ? `of ${run} the statistics have ${found} values, and there are ${wanted}.`
        : `of ${run} the statistics have a value ${quote(name)} where there is another one.`,
    hint: "record them of this graph, with the same --of and --wrt: adjudge run FILE --statistics OUT",
  };
}
