import type { DataType, Mode, Reply } from "../../engines/index.ts";
import {
  decodeTensor,
  type FlatTensor,
  formatFloat64,
  formatIssue,
  formatShape,
  type Graph,
  isSameShape,
  type Shape,
  shapesOf,
  type TensorJson,
} from "../../spec/index.ts";

/** The shapes of the tensors that answer each mode. */
export type ExpectedShapes = { readonly [M in Mode]: readonly Shape[] };

/** What a right answer about `graph` looks like. */
export function expectedShapes(graph: Graph): ExpectedShapes {
  const all = shapesOf(graph);
  const inputs = all.slice(0, graph.inputs.length);
  const nodes = all.slice(graph.inputs.length);
  return { evaluate: nodes, jvp: nodes, vjp: inputs, backward_dense: all };
}

/**
 * The tensors of an answer, if they are those that were asked for: as many, of the graph's shapes, numbers of
 * the precision. Otherwise an `error` that says what is `wrong`: the engine's fault, but it still talks sense,
 * so it need not be stopped.
 */
export function readTensors(
  tensors: readonly TensorJson[],
  shapes: readonly Shape[],
  dtype: DataType,
): Reply<readonly FlatTensor[]> {
  if (tensors.length !== shapes.length) {
    return wrong("number of tensors", `${tensors.length}, where ${shapes.length} were asked for`);
  }
  const flats: FlatTensor[] = [];
  for (const [position, json] of tensors.entries()) {
    const shape = shapes[position] ?? [];
    if (!isSameShape(json.shape, shape)) {
      return wrong(
        "shape",
        `tensor ${position} is ${formatShape(json.shape)}, the graph says ${formatShape(shape)}`,
      );
    }
    const flat = decodeTensor(json, `/tensors/${position}`);
    if (!flat.ok) return wrong("tensor", flat.error.slice(0, 3).map(formatIssue).join("; "));
    const odd = dtype === "float32" ? flat.value.data.find((x) => !Object.is(Math.fround(x), x)) : undefined;
    if (odd !== undefined) {
      return wrong("precision", `tensor ${position} has ${formatFloat64(odd)}, which is no float32`);
    }
    flats.push(flat.value);
  }
  return { kind: "result", value: flats };
}

function wrong(what: string, detail: string): { readonly kind: "error"; readonly message: string } {
  return { kind: "error", message: `wrong ${what}: ${detail}` };
}
