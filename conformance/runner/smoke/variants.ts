import type { CompositeName, OperatorName } from "../../../spec/composites/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import { exampleOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { isPrimitiveName } from "../../../spec/operators/index.ts";
import { formatIssue, InvariantError, type Shape } from "../../../spec/shapes/index.ts";
import type { Limits } from "../../../spec/wire/index.ts";
import { caseOf } from "./examples.ts";

/**
 * A composite is asked once more with other attributes where libraries are known to have some values alone,
 * or adapters to read others as those; `limit` is what an adapter declares that has no such.
 */
export interface Variant {
  /** It is told as `conv with one-sided padding`. */
  readonly told: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The operands have these shapes, if not those of the example. */
  readonly operands?: readonly Shape[];
  readonly limit: Limits[string];
}

const symmetric: Variant["limit"] = { padding: { form: "symmetric" } };
const ungrouped: Variant["limit"] = { groups: { among: [1] } };
const oneSided = { told: "one-sided padding", attributes: { padding: [[1, 0]] }, limit: symmetric };
const firstAxis = {
  told: "the first axis",
  attributes: { axis: 0 },
  limit: { axis: { form: "last" } },
} as const;
const upper = {
  told: "the upper triangle",
  attributes: { upper: true },
  limit: { upper: { among: [false] } },
};

/** The examples of these have several attributes at once; they are asked plainly first, then of each. */
const plain: { readonly [K in CompositeName]?: Pick<Variant, "attributes" | "operands"> } = {
  conv: {
    attributes: { padding: [[1, 1]], groups: 1 },
    operands: [
      [1, 2, 4],
      [2, 2, 3],
    ],
  },
  conv_transpose: {
    attributes: { padding: [[1, 1]], groups: 1 },
    operands: [
      [1, 2, 2],
      [2, 2, 3],
    ],
  },
  max_pool: { attributes: { padding: [[1, 1]] } },
  avg_pool: { attributes: { padding: [[1, 1]] } },
};

/** The variants of composites that have some. */
export const variants: { readonly [K in CompositeName]?: readonly Variant[] } = {
  gelu: [
    {
      told: "the error function",
      attributes: { approximate: "none" },
      limit: { approximate: { among: ["tanh"] } },
    },
  ],
  conv: [
    oneSided,
    {
      told: "two groups",
      attributes: { groups: 2 },
      operands: [
        [1, 2, 4],
        [2, 1, 3],
      ],
      limit: ungrouped,
    },
    {
      told: "dilation",
      attributes: { dilations: [2] },
      operands: [
        [1, 2, 6],
        [2, 2, 3],
      ],
      limit: { dilations: { among: [1] } },
    },
  ],
  conv_transpose: [
    oneSided,
    {
      told: "two groups",
      attributes: { groups: 2 },
      operands: [
        [1, 2, 2],
        [2, 1, 3],
      ],
      limit: ungrouped,
    },
  ],
  max_pool: [oneSided],
  avg_pool: [
    oneSided,
    {
      told: "padding that is counted",
      attributes: { count_include_pad: true },
      limit: { count_include_pad: { among: [false] } },
    },
  ],
  softmax: [firstAxis],
  log_softmax: [firstAxis],
  layer_norm: [
    {
      told: "two axes",
      attributes: { axes: [0, 1] },
      operands: [
        [2, 3],
        [2, 3],
        [2, 3],
      ],
      limit: { axes: { form: "last" } },
    },
    {
      told: "the first axis",
      attributes: { axes: [0] },
      operands: [[2, 3], [2], [2]],
      limit: { axes: { form: "trailing" } },
    },
  ],
  var: [
    {
      told: "a correction of ½",
      attributes: { correction: 0.5 },
      limit: { correction: { form: "integer" } },
    },
  ],
  norm: [{ told: "two axes", attributes: { axes: [0, 1] }, limit: { axes: { form: "last" } } }],
  sort: [
    firstAxis,
    { told: "descending order", attributes: { descending: true }, limit: { descending: { among: [false] } } },
  ],
  cholesky: [upper],
  triangular_solve: [upper],
};

/** Returns the graph that applies an operator to its plainest example, or to that of a variant. */
export function exampleGraph(op: OperatorName, variant?: Variant): Graph {
  if (isPrimitiveName(op)) return caseOf(op).graph;
  const example = exampleOf(op);
  const attributes = { ...plain[op]?.attributes, ...variant?.attributes };
  const operands = variant?.operands ?? plain[op]?.operands;
  const graph = checkGraph({
    ...example,
    inputs: example.inputs.map((input, place) => ({ ...input, shape: operands?.[place] ?? input.shape })),
    nodes: example.nodes.map((node) => ({ ...node, attributes: { ...node.attributes, ...attributes } })),
  });
  if (!graph.ok) throw new InvariantError(`the example of ${op}: ${graph.error.map(formatIssue).join("; ")}`);
  return graph.value;
}
