import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Node } from "../../spec/graph/index.ts";
import {
  fail,
  type Issue,
  ok,
  pointerTo,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import type { FlatTensor, TorchLeanAttributes, TorchLeanJson, TorchLeanNode } from "../../spec/wire/index.ts";

/** A node of TorchLean's graph has these besides id, parents and shape. */
interface Kind extends TorchLeanAttributes {
  readonly kind: string;
}

/**
 * Returns the forward graph in TorchLean's exchange format. Ids stay as they are, since both count an input
 * first and then the nodes; the outputs are the ids that no node reads. Constants have the numbers that
 * `values` has for their names; a zero loses its sign, since a number of JSON has none in Lean.
 * Fails: `torchlean/inputs` where there is not exactly one, `torchlean/operator`, `torchlean/parents`,
 * `torchlean/number`.
 */
export function writeTorchLean(
  graph: Graph,
  values: ReadonlyMap<string, FlatTensor> = new Map(),
): Result<TorchLeanJson, Issue[]> {
  const shapes = shapesOf(graph);
  const [input] = graph.inputs;
  if (input === undefined || graph.inputs.length > 1) return fail([notOneInput(graph.inputs.length)]);
  const nodes: TorchLeanNode[] = [
    { id: 0, kind: "input", parents: [], shape: input.shape, name: input.name },
  ];
  const issues: Issue[] = infinities(values);
  for (const [index, node] of graph.nodes.entries()) {
    const id = index + 1;
    const shape = present(shapes[id], "a node's shape");
    const kind = kindOf(node, (place) => shapes[node.parents[place] ?? -1] ?? [], shape);
    if (kind === undefined) issues.push(unknownOperator(node.op, index));
    else if (kind.kind === "concat" && node.parents.length < 2) issues.push(oneParent(index));
    else nodes.push({ id, ...kind, ...numbersOf(node, values), parents: node.parents, shape });
  }
  if (issues.length > 0) return fail(issues);
  const read = new Set<number>(graph.nodes.flatMap(({ parents }) => parents));
  return ok({
    format: "torchlean.ir.v1",
    input_id: 0,
    output_ids: nodes.map(({ id }) => id).filter((id) => !read.has(id)),
    nodes,
    environment: graph.environment,
  });
}

/** Returns the numbers of a constant, row-major. */
function numbersOf(node: Node, values: ReadonlyMap<string, FlatTensor>): Pick<TorchLeanNode, "values"> {
  const tensor = node.op === "constant" ? values.get(node.attributes.name) : undefined;
  return tensor === undefined ? {} : { values: [...tensor.data] };
}

/** JSON has no numbers but the finite ones. */
function infinities(values: ReadonlyMap<string, FlatTensor>): Issue[] {
  return [...values].flatMap(([name, { data }]) =>
    data.every(Number.isFinite)
      ? []
      : [
          {
            code: "torchlean/number",
            pointer: pointerTo("/point/environment", name),
            message: "a number of the constant is not finite, and JSON has no other.",
            hint: "export the graph alone, or give finite numbers",
          },
        ],
  );
}

function notOneInput(count: number): Issue {
  return {
    code: "torchlean/inputs",
    pointer: "/inputs",
    message: `there are ${count} inputs, and torchlean.ir.v1 has exactly one.`,
    hint: "join them in one input, or make entries of the environment of the others",
  };
}

function unknownOperator(op: string, index: number): Issue {
  return {
    code: "torchlean/operator",
    pointer: `/nodes/${index}/op`,
    message: `torchlean.ir.v1 has no ${op}.`,
    hint: `it has what these are: ${writableOperators.join(", ")}`,
  };
}

function oneParent(index: number): Issue {
  return {
    code: "torchlean/parents",
    pointer: `/nodes/${index}/parents`,
    message: "concat of one operand is none in torchlean.ir.v1.",
    hint: "leave the node out: it is its operand",
  };
}

/** The operators without attributes that mean the same in both, by TorchLean's kind. */
export const plainKinds = {
  add: "add",
  sub: "subtract",
  mul_elem: "multiply",
  detach: "stop_gradient",
  max_elem: "maximum",
  min_elem: "minimum",
  abs: "abs",
  sqrt: "sqrt",
  inv: "reciprocal",
  relu: "relu",
  tanh: "tanh",
  sigmoid: "sigmoid",
  softplus: "softplus",
  exp: "exp",
  log: "log",
  sin: "sin",
  cos: "cos",
  matmul: "matmul",
  mse_loss: "mse",
} as const;

const kindsByOperator: ReadonlyMap<string, string> = new Map(
  Object.entries(plainKinds).map(([kind, op]) => [op, kind]),
);

const writableOperators: readonly string[] = [
  ...kindsByOperator.keys(),
  "constant",
  "sum",
  "mean",
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "softmax",
];

function kindOf(node: Node, parentShape: (place: number) => Shape, shape: Shape): Kind | undefined {
  switch (node.op) {
    case "constant":
      return { kind: "const", name: node.attributes.name, value_shape: shape };
    case "sum":
      return { kind: "reduce_sum", axes: node.attributes.axes, keepdim: node.attributes.keepdims };
    case "mean":
      return { kind: "reduce_mean", axes: node.attributes.axes, keepdim: node.attributes.keepdims };
    case "broadcast_to":
      return { kind: "broadcast_to", from_shape: parentShape(0), to_shape: shape };
    case "reshape":
      return { kind: "reshape", in_shape: parentShape(0), out_shape: shape };
    case "permute_dims":
      return { kind: "permute", perm: node.attributes.axes };
    case "concat":
      return { kind: "concat", axis: node.attributes.axis };
    case "softmax":
      return { kind: "softmax", axis: node.attributes.axis };
    default: {
      const kind = kindsByOperator.get(node.op);
      return kind === undefined ? undefined : { kind };
    }
  }
}
