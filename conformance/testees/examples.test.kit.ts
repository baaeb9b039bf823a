import type { DataType, Engine } from "../../engines/index.ts";
import { type Case, judge } from "../../oracle/index.ts";
import {
  checkGraph,
  composites,
  type EnvironmentEntry,
  type FlatTensor,
  formatIssue,
  isCompositeName,
  isPrimitiveName,
  nodeId,
  type OperatorName,
  present,
  type Shape,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";
import { caseOf } from "../runner/smoke/examples.ts";

/** Returns the verdict on each operator that an engine offers, but whose example it answers wrongly. */
export async function disagreements(
  engine: Engine,
  dtype: DataType,
): Promise<Partial<Record<OperatorName, string>>> {
  const said: Partial<Record<OperatorName, string>> = {};
  for (const op of engine.describe().operators) {
    const verdict = await judge(engine, exampleOf(op), { dtype, shrinkBudget: 0 });
    if (verdict.kind !== "agrees") said[op] = verdict.kind;
  }
  return said;
}

/** Returns, by title, the verdicts on convolutions and pools with two and three spatial axes. */
export async function spatialVerdicts(engine: Engine, dtype: DataType): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const [title, op, attributes, operands] of spatial) {
    const verdict = await judge(engine, caseOfNode(op, attributes, operands), { dtype, shrinkBudget: 0 });
    said[title] = verdict.kind === "unsupported" ? verdict.reason : verdict.kind;
  }
  return said;
}

const spatial: readonly (readonly [string, OperatorName, object, readonly Shape[]])[] = [
  [
    "a convolution of planes, with strides and uneven padding",
    "conv",
    {
      strides: [2, 1],
      padding: [
        [1, 0],
        [0, 2],
      ],
      dilations: [1, 1],
      groups: 1,
    },
    [
      [2, 2, 3, 4],
      [3, 2, 2, 3],
    ],
  ],
  [
    "a convolution of solids",
    "conv",
    {
      strides: [1, 2, 1],
      padding: [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      dilations: [1, 1, 1],
      groups: 1,
    },
    [
      [1, 2, 2, 3, 3],
      [2, 2, 2, 1, 2],
    ],
  ],
  [
    "a transposed convolution of planes, with strides, padding and a longer result",
    "conv_transpose",
    {
      strides: [2, 1],
      padding: [
        [1, 0],
        [0, 1],
      ],
      dilations: [1, 1],
      groups: 1,
      output_padding: [1, 0],
    },
    [
      [1, 2, 2, 3],
      [2, 3, 3, 2],
    ],
  ],
  [
    "a greatest of planes",
    "max_pool",
    {
      window: [2, 3],
      strides: [1, 2],
      padding: [
        [0, 0],
        [0, 0],
      ],
    },
    [[1, 2, 3, 5]],
  ],
  [
    "a mean of solids",
    "avg_pool",
    {
      window: [2, 1, 2],
      strides: [1, 1, 2],
      padding: [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      count_include_pad: true,
    },
    [[1, 1, 2, 2, 4]],
  ],
];

/** Makes a case of the operator alone: a primitive's as in the smoke test, a composite's from its row. */
function exampleOf(op: OperatorName): Case {
  if (isPrimitiveName(op)) return caseOf(op);
  if (!isCompositeName(op)) return caseOf("constant");
  const { attributes, operands, environment } = composites[op].example;
  return caseOfNode(op, attributes, operands, environment);
}

function caseOfNode(
  op: OperatorName,
  attributes: object,
  operands: readonly Shape[],
  environment: readonly EnvironmentEntry[] = [],
): Case {
  // Without operands, an input is added, because engines are not asked for derivatives by nothing.
  const inputs = operands.length === 0 ? [[]] : operands;
  const checked = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map((shape, i) => ({ name: `x${i}`, shape })),
    environment,
    nodes: [{ op, attributes, parents: operands.map((_, i) => i) }],
  });
  if (!checked.ok) throw new Error(`${op}: ${checked.error.map(formatIssue).join("; ")}`);
  const shape = present(shapesOf(checked.value).at(-1), "the shape of the node");
  return {
    graph: checked.value,
    point: {
      inputs: inputs.map(generic),
      environment: new Map(environment.map((entry) => [entry.name, ones(entry.shape)])),
    },
    tangents: inputs.map((each, i) => generic(each, i + 5)),
    seeds: [{ id: nodeId(inputs.length), cotangent: generic(shape, 9) }],
  };
}

/**
 * Makes different positive numbers without a pattern. Matrices have a heavy diagonal, so that they have
 * inverses and Cholesky factors.
 */
function generic(shape: Shape, place: number): FlatTensor {
  return {
    shape,
    data: Float64Array.from(
      { length: sizeOf(shape) },
      (_, i) => (((i + 1) * 7 + place * 3) % 37) / 16 + 1 / 32 + (isOnDiagonal(i, shape) ? 4 : 0),
    ),
  };
}

function isOnDiagonal(i: number, shape: Shape): boolean {
  const [rows = 0, columns = 0] = shape.slice(-2);
  return rows > 1 && rows === columns && i % columns === Math.floor(i / columns) % rows;
}

function ones(shape: Shape): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)).fill(1) };
}
