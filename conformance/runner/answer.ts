import type { Reply } from "../../spec/contract/index.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import {
  type DataType,
  decodeTensor,
  type FlatTensor,
  formatFloat64,
  formats,
  type TensorJson,
} from "../../spec/wire/index.ts";

/**
 * Reads the tensors of an answer. A tensor that is none, or has numbers that are not of the precision, gives
 * an `error`: the engine is at fault, but need not be stopped. The judge looks at their count and shapes,
 * since a gradient of the wrong shape is a wrong gradient.
 */
export function readTensors(tensors: readonly TensorJson[], dtype: DataType): Reply<readonly FlatTensor[]> {
  const flats: FlatTensor[] = [];
  for (const [position, json] of tensors.entries()) {
    const flat = decodeTensor(json, `/tensors/${position}`);
    if (!flat.ok) return wrong("tensor", flat.error.slice(0, 3).map(formatIssue).join("; "));
    const odd = flat.value.data.find((x) => !Object.is(formats[dtype].round(x), x));
    if (odd !== undefined) {
      return wrong("precision", `tensor ${position} has ${formatFloat64(odd)}, which is no ${dtype}`);
    }
    flats.push(flat.value);
  }
  return { kind: "result", value: flats };
}

function wrong(what: string, detail: string): { readonly kind: "error"; readonly message: string } {
  return { kind: "error", message: `wrong ${what}: ${detail}` };
}
