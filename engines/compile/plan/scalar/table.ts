import type { Graph } from "../../../../spec/graph/index.ts";
import { present } from "../../../../spec/shapes/index.ts";
import { codeOf, codeOfPrimitive, scalarCodes, scalarNameOf } from "./operators.ts";

/** A graph whose values all have the shape `[]`, as one array per field, by id. */
export interface ScalarTable {
  /** The number of inputs, which have the first ids. */
  readonly inputs: number;
  /** Says what each id is: one of {@link scalarCodes}, or an operator's number. */
  readonly codes: Uint8Array;
  /** The first operand; of a literal its number in `literals`; of a constant the number of its entry of Δ. */
  readonly x: Int32Array;
  /** The second operand; 0 if there is none. */
  readonly y: Int32Array;
  /** The third operand; empty where no operator has three. */
  readonly z: Int32Array;
  readonly literals: Float64Array;
}

/**
 * Reads a well-formed graph; `undefined` if a value is no scalar, or an operator has no scalar rule (a
 * composite). Other entries of Δ do no harm, because nothing can read them. Cost: linear.
 */
export function tableOf(graph: Graph): ScalarTable | undefined {
  const inputs = graph.inputs.length;
  const length = inputs + graph.nodes.length;
  const codes = new Uint8Array(length);
  const x = new Int32Array(length);
  const y = new Int32Array(length);
  let z = new Int32Array(0);
  const literals: number[] = [];
  const scalars = new Map(
    graph.environment.flatMap(({ name, shape }, entry) => (shape.length === 0 ? [[name, entry]] : [])),
  );
  if (graph.inputs.some(({ shape }) => shape.length > 0)) return undefined;
  for (let id = inputs; id < length; id++) {
    const node = present(graph.nodes[id - inputs], "a node");
    const known = codeOfPrimitive.get(node.op);
    if (known !== undefined) {
      const { parents } = node;
      codes[id] = known;
      x[id] = present(parents[0], "an operand");
      if (parents.length > 1) y[id] = present(parents[1], "an operand");
      if (parents.length > 2) {
        if (z.length === 0) z = new Int32Array(length);
        z[id] = present(parents[2], "an operand");
      }
    } else if (node.op === "full") {
      if (node.attributes.shape.length > 0) return undefined;
      codes[id] = scalarCodes.literal;
      x[id] = literals.push(node.attributes.value) - 1;
    } else if (node.op === "constant") {
      const entry = scalars.get(node.attributes.name);
      if (entry === undefined) return undefined;
      codes[id] = scalarCodes.constant;
      x[id] = entry;
    } else {
      const name = scalarNameOf(node);
      const code = name === undefined ? undefined : codeOf.get(name);
      if (code === undefined) return undefined;
      codes[id] = code;
      x[id] = present(node.parents[0], "an operand");
    }
  }
  return { inputs, codes, x, y, z, literals: Float64Array.from(literals) };
}
