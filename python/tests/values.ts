/**
 * Reads lines with `graph`, `outputs`, `environment` and `points`, and writes for each line the numbers of
 * the outputs at each point, as the float64 reference computes them, or why the graph is not well-formed.
 */
import { createInterface } from "node:readline";
import { formatFloat64 } from "../../spec/wire/index.ts";
import { floatsAt, graphOf, pointOf, type Written } from "./graph_values.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const given: Written = JSON.parse(line);
  try {
    const graph = graphOf(given);
    const values = (given.points ?? []).map((inputs) =>
      floatsAt(graph, given.outputs, pointOf(graph, given, inputs)).map(formatFloat64),
    );
    console.log(JSON.stringify({ values }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
