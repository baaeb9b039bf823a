import {
  addGradAll,
  addTensors,
  backwardDenseAll,
  type Context,
  type Contribution,
  entry,
  map,
  type NodeData,
  pullBack,
  type Tape,
  type TapeNode,
  type Tensor,
  zeros,
} from "../reference/package.ts";
import {
  type Additive,
  type Issue,
  isSameShape,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Semiring,
} from "../spec/index.ts";
import { type Planted, reference } from "./arenas.test.kit.ts";
import type { Implementation } from "./theorems.test.kit.ts";

/** A fault, and the theorem that must refute it. */
export interface Fault {
  readonly fault: string;
  readonly theorem: string;
  readonly planted: Planted;
}

function inFunction(fault: string, theorem: string, faulty: Partial<Implementation>): Fault {
  return {
    fault,
    theorem,
    planted: { implementation: { ...reference, ...faulty }, graph: (_algebra, graph) => graph },
  };
}

/** Returns a compiler that changes what the right one makes. */
function inTape(
  fault: string,
  theorem: string,
  change: <S>(node: TapeNode<S>, id: number, inputs: number) => TapeNode<S> | undefined,
): Fault {
  return inFunction(fault, theorem, {
    compile: (algebra, graph, x, ...rest) => {
      const result = reference.compile(algebra, graph, x, ...rest);
      if (!result.ok) return result;
      const tape = result.value.tape.flatMap((node, id) => change(node, id, x.length) ?? []);
      return ok({ tape, context: result.value.context });
    },
  });
}

/** Returns a compiled node that hands on other contributions than its own. */
function emitting(
  fault: string,
  theorem: string,
  change: <S>(contributions: readonly Contribution<S>[], id: number) => readonly Contribution<S>[],
): Fault {
  return inTape(fault, theorem, (node, id) => ({
    ...node,
    backward: (upstream) => {
      const right = node.backward(upstream);
      return right.ok ? ok(change(right.value, id)) : right;
    },
  }));
}

const ACCUMULATION =
  "a cotangent is the seed, later readers' contributions from the last on, and one zero if some later node does not read";
const SPARSE = "the sparse form is the dense one up to signs of zero, seeded everywhere";
const SPARSE_TAPE = "the dense sweep of a sparse tape is backpropAllCtx up to signs of zero";
const SPARSE_SWEEP = "the sparse sweep of a sparse tape is backpropSparse";
const SWEEP = "backwardDenseFrom_compile_eq_backpropAllCtx";

/** Returns the dense loop over ids in some order, adding in some way. */
function sweep<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: Context<S>,
  order: readonly number[],
): Result<readonly Tensor<S>[], Issue> {
  const grads = [...seed];
  for (const id of order) {
    const contributions = tape[id]?.backward(entry(grads, id)) ?? ok([]);
    if (!contributions.ok) return contributions;
    for (const { parent, cotangent } of contributions.value) {
      const added = addGradAll(algebra, tape, grads, parent, cotangent);
      if (!added.ok) return added;
    }
  }
  return ok(grads);
}

const descending = (from: number): number[] => Array.from({ length: from + 1 }, (_, i) => from - i);

/** Wrong compilers and wrong sweeps; lawless graph data is enough to tell them. */
export const tapeFaults: readonly Fault[] = [
  inFunction("compile returns the inputs for a context", "compile_ctx_eq_eval", {
    compile: (algebra, graph, x, ...rest) => {
      const result = reference.compile(algebra, graph, x, ...rest);
      return result.ok ? ok({ ...result.value, context: x }) : result;
    },
  }),
  inTape("compile stores a flattened value", "compile_values_eq", (node) => ({
    ...node,
    value: { shape: [node.value.data.length], data: node.value.data },
  })),
  inTape("compile makes no leaf for the last input", "compile_nodes_size", (node, id, inputs) =>
    id === inputs - 1 ? undefined : node,
  ),
  inTape("compile takes inputs for constants", "compile_requires_grad", (node, id, inputs) => ({
    ...node,
    requiresGrad: id >= inputs,
  })),
  emitting("a compiled node contributes to itself", "compile_backward_pids_lt", (right, id) =>
    right.map((contribution, i) => (i === 0 ? { ...contribution, parent: id } : contribution)),
  ),
  emitting("a compiled node emits nothing to the last id before it", "compile_backward_pids_lt", (right) =>
    right.slice(0, -1),
  ),
  emitting("a compiled node drops its last contribution", SWEEP, (right) => right.slice(0, -1)),
  emitting("a compiled node contributes to the next id", SWEEP, (right, id) =>
    right.map(({ parent, cotangent }) => ({ parent: Math.min(parent + 1, id - 1), cotangent })),
  ),
  inFunction("the sweep ascends", SWEEP, {
    backwardDenseFrom: (algebra, tape, seed) =>
      sweep(algebra, tape, seed, descending(tape.length - 1).reverse()),
  }),
  inFunction("the sweep begins one id too early", SWEEP, {
    backwardDenseFrom: (algebra, tape, seed) => sweep(algebra, tape, seed, descending(tape.length - 2)),
  }),
  inFunction("a contribution overwrites the slot", SWEEP, {
    backwardDenseFrom: (algebra, tape, seed) =>
      reference.backwardDenseFrom({ ...algebra, add: (_slot, bar) => bar }, tape, seed),
  }),
  inFunction("seeds are dropped but the last", SWEEP, {
    backwardDenseFrom: (algebra, tape, seed) =>
      reference.backwardDenseFrom(
        algebra,
        tape,
        seed.map((c, id) => (id === seed.length - 1 ? c : zeros(algebra, c.shape))),
      ),
  }),
  inFunction("a seed is read again after the sweep passed it", SWEEP, {
    backwardDenseFrom: (algebra, tape, seed) => {
      const swept = reference.backwardDenseFrom(algebra, tape, seed);
      return swept.ok ? ok(swept.value.map((c, id) => addTensors(algebra, c, entry(seed, id)))) : swept;
    },
  }),
];

/** Wrong sparse sweeps. */
export const sparseFaults: readonly Fault[] = [
  inFunction("a sparse tape drops its first contribution", SPARSE_TAPE, {
    compile: (algebra, graph, x, environment, emission) => {
      const right = reference.compile(algebra, graph, x, environment, emission);
      if (!right.ok || emission === "dense") return right;
      return ok({
        context: right.value.context,
        tape: right.value.tape.map((node) => ({
          ...node,
          backward: (upstream) => {
            const contributions = node.backward(upstream);
            return contributions.ok ? ok(contributions.value.slice(1)) : contributions;
          },
        })),
      });
    },
  }),
  inFunction("the sparse sweep forgets the seed's own entry", SPARSE_SWEEP, {
    backward: (algebra, tape, outId, seed) => {
      const right = reference.backward(algebra, tape, outId, seed);
      return right.ok ? ok(new Map([...right.value].filter(([id]) => id !== outId))) : right;
    },
  }),
  inFunction("the sparse sweep starts from zeros everywhere", SPARSE_SWEEP, {
    backward: (algebra, tape, outId, seed) => {
      const dense = backwardDenseAll(algebra, tape, outId, seed);
      return dense.ok ? ok(new Map(dense.value.entries())) : dense;
    },
  }),
];

/** Wrong functions of graphs; lawless graph data is enough to tell them. */
export const functionFaults: readonly Fault[] = [
  inFunction("evaluate returns the nodes' values last first", "evaluate is eval", {
    evaluate: (graph, x, environment) => {
      const values = reference.evaluate(graph, x, environment);
      return [...values.slice(0, x.length), ...values.slice(x.length).reverse()];
    },
  }),
  inFunction("jvpCtx linearises at the tangents", "jvpCtx is its definition", {
    jvpCtx: (graph, _x, dx, environment) => reference.jvpCtx(graph, dx, dx, environment),
  }),
  inFunction("backpropCtx returns the last entries", "backpropCtx is its definition", {
    backpropCtx: (algebra, graph, x, environment, seed) =>
      reference.backpropAllCtx(algebra, graph, x, environment, seed).slice(-x.length),
  }),
  inFunction("backpropAllCtx returns the seeds of nodes", "backpropAllCtx is its definition", {
    backpropAllCtx: (algebra, graph, x, environment, seed) => [
      ...reference.backpropCtx(algebra, graph, x, environment, seed),
      ...seed.slice(x.length),
    ],
  }),
  inFunction("backpropSparse takes the last seed alone", SPARSE, {
    backpropSparse: (algebra, graph, x, environment, seeds) =>
      reference.backpropSparse(algebra, graph, x, environment, new Map([...seeds].slice(-1))),
  }),
];

/** Right over exact algebras; wrong in the last bits, or the signs of zeros, of a float. */
export const roundingFaults: readonly Fault[] = [
  inFunction("no zero is added where a later node does not read", ACCUMULATION, {
    backpropAllCtx: (algebra, graph, x, environment, seed) => {
      const seeds = new Map(seed.map((c, id): [NodeId, typeof c] => [nodeId(id), c]));
      const bars = reference.backpropSparse(algebra, graph, x, environment, seeds);
      return seed.map((c, id) => bars.get(nodeId(id)) ?? c);
    },
  }),
  inFunction("the seed is added after the contributions", ACCUMULATION, {
    backpropAllCtx: (algebra, graph, x, environment, seed) => {
      const values = reference.evaluate(graph, x, environment);
      const sums = seed.map(({ shape }) => zeros(algebra, shape));
      const total = (id: number): (typeof seed)[number] =>
        addTensors(algebra, entry(sums, id), entry(seed, id));
      for (const id of descending(seed.length - 1)) {
        for (const [parent, bar] of pullBack(graph, values, environment, id, total(id))) {
          sums[parent] = addTensors(algebra, entry(sums, parent), bar);
        }
      }
      return seed.map((_, id) => total(id));
    },
  }),
];

/** Returns a graph each of whose nodes is changed. */
function inNodes(
  fault: string,
  theorem: string,
  change: <S>(algebra: Semiring<S>, node: NodeData<S>) => Partial<NodeData<S>>,
): Fault {
  return {
    fault,
    theorem,
    planted: {
      implementation: reference,
      graph: (algebra, { inputs, nodes }) => ({
        inputs,
        nodes: nodes.map((node) => ({ ...node, ...change(algebra, node) })),
      }),
    },
  };
}

/** Changes the entries of a node's `vjp`. */
function inVjp(
  fault: string,
  theorem: string,
  change: <S>(algebra: Semiring<S>, bars: readonly Bar<S>[]) => readonly Bar<S>[],
): Fault {
  return inNodes(fault, theorem, (algebra, node) => ({
    vjp: (context, environment, c) => new Map(change(algebra, [...node.vjp(context, environment, c)])),
  }));
}

type Bar<S> = readonly [NodeId, Tensor<S>];

/** Returns two entries of one shape, each at the other's id. */
function swapped<S>(bars: readonly Bar<S>[]): readonly Bar<S>[] {
  const [x, y, ...others] = bars;
  if (x === undefined || y === undefined || !isSameShape(x[1].shape, y[1].shape)) return bars;
  return [[x[0], y[1]], [y[0], x[1]], ...others];
}

const wrongAdjoints: readonly (readonly [string, Parameters<typeof inVjp>[2]])[] = [
  ["swaps its operands", (_algebra, bars) => swapped(bars)],
  ["loses its last operand", (_algebra, bars) => bars.slice(0, -1)],
  ["counts twice", (a, bars) => bars.map(([id, bar]) => [id, addTensors(a, bar, bar)])],
];

/** Nodes that break a law; all of them make graph data, of which the tape theorems still hold. */
export const lawFaults: readonly Fault[] = [
  ...["local law", "global law"].flatMap((law) =>
    wrongAdjoints.map(([fault, change]) => inVjp(`a vjp that ${fault}`, law, change)),
  ),
  inNodes("a jvp that counts twice", "local law", (a, node) => ({
    jvp: (...application) => {
      const tangent = node.jvp(...application);
      return addTensors(a, tangent, tangent);
    },
  })),
  inVjp("a vjp that squares", "backpropagation is linear in the seed", (a, bars) =>
    bars.map(([id, bar]) => [id, map(bar, (s) => a.multiply(s, s))]),
  ),
  inVjp("a vjp that adds one", "the sparse form is the dense one, seeded at some ids", (a, bars) =>
    bars.map(([id, bar]) => [id, map(bar, (s) => a.add(s, a.one))]),
  ),
];

/** Nodes whose tangent is not that of their value. */
export const tangentFaults: readonly Fault[] = [
  inNodes("a jvp that is the value", "jvpCtx is evaluation over dual numbers", (_algebra, node) => ({
    jvp: (context, _tangents, environment) => node.forward(context, environment),
  })),
];
