import type { Case } from "../../oracle/case/case.ts";
import type { ProgramTask } from "../../oracle/programs/task.ts";
import {
  type Builder,
  type FlatTensor,
  graph,
  type Program,
  type ProgramBuilder,
  type ProgramValue,
  program,
  type Shape,
  shapesOf,
  sizeOf,
  type Value,
} from "../../spec/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";

/** A tensor has numbers of both signs that float64 does not have exactly; or those that are given. */
function some(shape: Shape, given?: readonly number[]): FlatTensor {
  const data = given ?? Array.from({ length: sizeOf(shape) }, (_, i) => 3 * Math.sin(i + 1));
  return { shape, data: Float64Array.from(data) };
}

function like(shape: Shape): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)).fill(1.25) };
}

/** Asks a graph of these inputs for its last node, at a point. */
function posed(
  inputs: readonly FlatTensor[],
  write: (scope: Builder, ...operands: readonly Value[]) => Value,
  indices: Readonly<Record<string, FlatTensor>> = {},
): Case {
  const written = graph((scope) => {
    for (const [name, { shape }] of Object.entries(indices)) scope.indices(name, shape);
    const operands = inputs.map(({ shape }, i) => scope.input(`x${i}`, shape));
    write(scope, ...operands);
  });
  const last = written.inputs.length + written.nodes.length - 1;
  return {
    graph: written,
    point: { inputs, environment: new Map(Object.entries(indices)) },
    tangents: inputs.map(({ shape }) => like(shape)),
    seeds: [{ id: nodeId(last), cotangent: like(shapesOf(written)[last] ?? []) }],
  };
}

type OfOne = (scope: Builder, x: Value) => Value;
type OfTwo = (scope: Builder, x: Value, y: Value) => Value;
type OfThree = (scope: Builder, x: Value, y: Value, z: Value) => Value;

function ofOne(x: FlatTensor, write: OfOne): Case {
  return posed([x], (scope, a) => (a === undefined ? scope.full({ shape: [], value: 0 }) : write(scope, a)));
}

function ofTwo(
  x: FlatTensor,
  y: FlatTensor,
  write: OfTwo,
  indices?: Readonly<Record<string, FlatTensor>>,
): Case {
  return posed(
    [x, y],
    (scope, a, b) =>
      a === undefined || b === undefined ? scope.full({ shape: [], value: 0 }) : write(scope, a, b),
    indices,
  );
}

function ofThree(x: FlatTensor, y: FlatTensor, z: FlatTensor, write: OfThree): Case {
  return posed([x, y, z], (scope, a, b, c) =>
    a === undefined || b === undefined || c === undefined
      ? scope.full({ shape: [], value: 0 })
      : write(scope, a, b, c),
  );
}

/** Graphs with what a report is about, of the faults that a suite has no such graph for. */
export const graphPatterns: Readonly<Record<string, Case>> = {
  issue_137254: ofThree(some([2, 3]), some([3, 2]), some([2]), ({ concat }, x, y, row) => {
    const product = x.matmul(y).add(row);
    return concat(product, x, { axis: 1 });
  }),
  issue_151198: ofTwo(some([2, 3]), some([2, 3], [1, 2, 3, 4, 5, 6]), (_, x, y) =>
    x.subtract(y).norm({ axes: [1], keepdims: false }),
  ),
  issue_143960: ofTwo(some([], [1]), some([], [3]), (_, x, y) =>
    x.subtract(y).norm({ axes: [], keepdims: false }),
  ),
  issue_118266: ofOne(some([3], [-2, 1, 3]), (_, x) => x.log1p().argmax({ axis: 0, keepdims: false })),
  issue_108963: ofTwo(some([3, 2]), some([2, 2]), (_, x, y) => x.scatter_add(y, { indices: "i" }).divide(7), {
    i: some([2, 1], [2, 0]),
  }),
  issue_132107: ofOne(some([4], [1e308, 1e308, -1, 2]), (_, x) => x.cumulative_sum({ axis: 0 })),
  issue_143182: ofThree(
    some([1, 3], [1e6, 1e6 + 1, 1e6 + 3]),
    some([3]),
    some([3]),
    ({ layer_norm }, x, a, b) => layer_norm(x, a, b, { axes: [1], epsilon: 1e-5 }),
  ),
  issue_148241: ofOne(some([2], [1e-9, 2]), ({ atan2 }, x) => atan2(x.subtract(x.tanh()), -1)),
  issue_151400: ofTwo(some([2], [1e300, 1]), some([2], [1e-3, 2]), ({ outer }, x, y) => outer(x, y)),
  issue_154703: ofOne(some([40]), (_, x) => x.mean({ axes: [0], keepdims: false })),
  issue_100970: ofThree(some([4, 2]), some([2]), some([2]), ({ batch_norm_train }, x, a, b) =>
    batch_norm_train(x, a, b, { axis: 1, epsilon: 1e-5 }),
  ),
  issue_113018: ofTwo(some([1, 1, 3, 3]), some([1, 1, 2, 2]), ({ conv }, x, k) =>
    conv(x, k, {
      strides: [1, 1],
      padding: [
        [0, 0],
        [0, 0],
      ],
      dilations: [1, 1],
      groups: 1,
    }),
  ),
  issue_113167: ofOne(some([2]), (_, x) => x.var({ axes: [0], keepdims: false, correction: 3 })),
  issue_100987: ofOne(some([1, 1, 3, 3]), (_, x) =>
    x.avg_pool({
      window: [2, 2],
      strides: [2, 2],
      count_include_pad: false,
      padding: [
        [0, 1],
        [0, 1],
      ],
    }),
  ),
  issue_145379: ofOne(some([3], [-1, 0.5, 2]), ({ divide }, x) => {
    const p = x.clip(0.25, 0.75);
    return divide(p, p.negative().add(1)).log();
  }),
};

/** Asks a program of one parameter, at given numbers. */
function asked(
  x: FlatTensor,
  write: (builder: ProgramBuilder, x: ProgramValue) => readonly Result[],
): ProgramTask {
  const written: Program = program((builder) => write(builder, builder.input("x", x.shape)));
  const results = written.procedures[0]?.results ?? [];
  return {
    case: {
      program: written,
      point: { inputs: [x], environment: new Map() },
      generator: { key: [1, 2], drawn: 0 },
      received: new Map(),
      seeds: results.map(({ shape }, place) => ({ id: nodeId(place), cotangent: like(shape) })),
    },
    calls: [],
  };
}

type Result = ReturnType<Parameters<typeof program>[0]>[number];

/** Programs with what a report is about, of the faults that a suite has no such program for. */
export const programPatterns: Readonly<Record<string, ProgramTask>> = {
  issue_97117: asked(some([3]), ({ buffer }, x) => {
    const b = buffer(x);
    const padded = b.pad({ low: [0], high: [0], interior: [0] });
    b.update("add", 1);
    return [padded];
  }),
  issue_152425: {
    ...asked(some([2]), ({ buffer, procedure, call }, x) => {
      const parameter = { name: "w", kind: "reference", shape: [2, 2] } as const;
      const grow = procedure("grow", [parameter], (w) => {
        if ("isReference" in w) w.update("add", 1);
        return [];
      });
      const b = buffer(x);
      b.update("add", 1);
      call(grow, b.view({ kind: "broadcast", shape: [2, 2] }));
      return [b];
    }),
    refuse: "must",
  },
  issue_163929: asked(some([2, 3]), ({ buffer }, x) => {
    const b = buffer(x);
    b.update("multiply", 2);
    const turned = b.view({ kind: "permute", axes: [1, 0] });
    return [turned.view({ kind: "reshape", shape: [6] })];
  }),
  issue_127749: asked(some([64]), ({ draw }, x) => [draw({ kind: "uniform" }, [64]).log().multiply(x)]),
};
