/**
 * Writes lines with random graphs of the judge's own mix: `node python/tests/draw_graphs.ts SEED COUNT`. Left
 * out are operators that no library of arrays has as a function of values: an inner derivative, random bits,
 * and a stop to differentiation. Every id that no node reads is an output.
 */
import { drawings, drawnAt } from "../../oracle/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import { encodePoint } from "../../spec/documents/index.ts";
import { encodeTensor, type FlatTensor } from "../../spec/wire/index.ts";

const left: readonly string[] = ["differentiate", "bernoulli_mask", "dropout", "stop_gradient"];
const operators = operatorNames.filter((name) => !left.includes(name));
const [, , seed = "1", count = "10"] = process.argv;
const mix = drawings.get("mix");
if (mix === undefined) throw new Error("there is no mix of profiles");
for (let index = 0; index < Number(count); index++) {
  const { graph, point } = drawnAt(mix, operators, Number(seed), index);
  const read = new Set<number>(graph.nodes.flatMap(({ parents }) => parents));
  const ids = graph.nodes.map((_, place) => graph.inputs.length + place);
  const outputs = ids.filter((id) => !read.has(id));
  const moved = (by: number, more: number) => (tensor: FlatTensor) =>
    encodeTensor({ shape: tensor.shape, data: tensor.data.map((x) => x * by + more) });
  const points = [moved(1, 0), moved(0.75, 0.125), moved(-0.5, 1)].map((move) => point.inputs.map(move));
  const { environment } = encodePoint(point);
  console.log(JSON.stringify({ graph, outputs, environment, points }));
}
