import type { Engine, LoadedGraph } from "../../../spec/contract/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph, Node } from "../../../spec/graph/index.ts";
import { at, isSameShape } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { pullBack } from "../../interpretation/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";
import { type Mutant, mutantTable, survivor, withReverse } from "../mutant.ts";

/** Makes a mutant whose whole engine remembers something, each engine for itself. */
function remembering(
  name: string,
  { fault, source }: Pick<Mutant, "fault" | "source">,
  begin: (inner: Engine) => Pick<Engine, "load">,
): Mutant {
  return {
    name,
    fault,
    source,
    operator: undefined,
    engine() {
      const inner = interpreterEngine(`mutant: ${name}`);
      return {
        describe: () => inner.describe(),
        ...begin(inner),
        [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
      };
    },
  };
}

/** Returns what a graph says without its attributes. */
function outlineOf(graph: Graph): string {
  const nodes = graph.nodes.map(({ op, parents }) => [op, ...parents]);
  return JSON.stringify([graph.inputs.map(({ shape }) => shape), graph.environment, nodes, shapesOf(graph)]);
}

/** Changes the first element of each tensor by `step` of itself. */
function nudged(tensors: readonly FlatTensor[], step: number): FlatTensor[] {
  return tensors.map(({ shape, data }) => ({
    shape,
    data: data.map((x, i) => (i === 0 ? x * (1 + step) : x)),
  }));
}

/** Applies `change` to each node; ids stay. */
function changed(graph: Graph, change: (node: Node, at: (id: number) => Node | undefined) => Node): Graph {
  const nodeAt = (id: number): Node | undefined => graph.nodes[id - graph.inputs.length];
  return { ...graph, nodes: graph.nodes.map((node) => change(node, nodeAt)) };
}

const shared: readonly Mutant[] = [
  remembering(
    "programs_cached_by_outline",
    {
      fault: "A graph whose operators and shapes were loaded before runs with the attributes of then.",
      source: "https://github.com/tensorflow/tensorflow/issues/57365",
    },
    (inner) => {
      const graphs = new Map<string, Graph>();
      return {
        load(graph, dtype) {
          const key = outlineOf(graph);
          graphs.set(key, graphs.get(key) ?? graph);
          return inner.load(graphs.get(key) ?? graph, dtype);
        },
      };
    },
  ),
  remembering(
    "last_loaded_answers",
    {
      fault: "A program of the same shapes as one loaded after it answers with that one.",
      source: "https://github.com/iree-org/iree/issues/12161",
    },
    (inner) => {
      const latest = new Map<string, LoadedGraph>();
      return {
        async load(graph, dtype) {
          const reply = await inner.load(graph, dtype);
          if (reply.kind !== "result") return reply;
          const key = JSON.stringify([graph.inputs.length, graph.environment, shapesOf(graph), dtype]);
          latest.set(key, reply.value);
          const now = (): LoadedGraph => latest.get(key) ?? reply.value;
          return {
            kind: "result",
            value: { ...reply.value, evaluate: (point) => now().evaluate(point) },
          };
        },
      };
    },
  ),
  remembering(
    "one_gradient_in_five_hundred",
    {
      fault: "Every five hundredth gradient that an engine computes is off.",
      source: "a race, lost once in a while",
    },
    (inner) => {
      let calls = 0;
      return {
        async load(graph, dtype) {
          const reply = await inner.load(graph, dtype);
          if (reply.kind !== "result") return reply;
          const program = reply.value;
          return {
            kind: "result",
            value: {
              ...program,
              async vjp(point, seeds) {
                const answer = await program.vjp(point, seeds);
                calls += 1;
                if (answer.kind !== "result" || calls % 500 !== 0) return answer;
                return { kind: "result", value: nudged(answer.value, 0.5) };
              },
            },
          };
        },
      };
    },
  ),
];

/** These faults surround a sound core, or its sweep: memory, depth, many inputs, rewrites. */
export const callMutants: readonly Mutant[] = [
  ...mutantTable({
    // These concern the time between calls.
    second_evaluate_drifts: {
      fault: "From the second time on the values of a loaded program are off by 10⁻⁹ of themselves.",
      source: survivor,
      around: ({ program }) => {
        let calls = 0;
        return {
          async evaluate(point) {
            const answer = await program.evaluate(point);
            calls += 1;
            if (answer.kind !== "result" || calls < 2) return answer;
            return { kind: "result", value: nudged(answer.value, 1e-9) };
          },
        };
      },
    },
    values_returned_in_one_buffer: {
      fault: "Every call of evaluate writes into the tensors that the first one returned.",
      source: "https://github.com/tinygrad/tinygrad/issues/7020",
      around: ({ program }) => {
        let buffers: readonly FlatTensor[] | undefined;
        return {
          async evaluate(point) {
            const answer = await program.evaluate(point);
            if (answer.kind !== "result") return answer;
            buffers ??= answer.value;
            for (const [n, { data }] of answer.value.entries()) at(buffers, n).data.set(data);
            return { kind: "result", value: buffers };
          },
        };
      },
    },

    // These concern many inputs.
    inputs_in_text_order: {
      fault: "The gradients of more than ten inputs are returned by their numbers as text: 1, 10, 2.",
      source: "a dictionary that is sorted by its keys",
      around: ({ graph, program }) => ({
        async vjp(point, seeds) {
          const answer = await program.vjp(point, seeds);
          if (answer.kind !== "result") return answer;
          const order = [...graph.inputs.keys()].toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1));
          const value = answer.value.map((own, n) => {
            const other = at(answer.value, at(order, n));
            return isSameShape(own.shape, other.shape) ? other : own;
          });
          return { kind: "result", value };
        },
      }),
    },
    eleventh_input_dropped: {
      fault: "A program has room for ten gradients: inputs after the tenth have none.",
      source: survivor,
      around: ({ program }) => ({
        async vjp(point, seeds) {
          const answer = await program.vjp(point, seeds);
          if (answer.kind !== "result") return answer;
          const value = answer.value.map(({ shape, data }, n) => ({
            shape,
            data: data.map((x) => (n < 10 ? x : 0)),
          }));
          return { kind: "result", value };
        },
      }),
    },
    gradient_buffer_recycled: {
      fault: "A gradient of four elements and more lies where the last gradient of its shape is written.",
      source: "https://github.com/pytorch/pytorch/pull/119334",
      around: ({ program }) => ({
        async vjp(point, seeds) {
          const answer = await program.vjp(point, seeds);
          if (answer.kind !== "result") return answer;
          const value = answer.value.map((own) => {
            const last = answer.value.findLast(({ shape }) => isSameShape(shape, own.shape));
            return own.data.length < 4 ? own : (last ?? own);
          });
          return { kind: "result", value };
        },
      }),
    },

    // These concern rewrites of the graph.
    equal_updates_merged: {
      fault: "Of two equal updates of a tensor, one after the other, the second is merged with the first.",
      source: "https://github.com/pytorch/pytorch/issues/136662",
      rewrite: (graph) => {
        const shapes = shapesOf(graph);
        return changed(graph, (node, nodeAt) => {
          const [x = 0, updates] = node.parents;
          const before = nodeAt(x);
          if (node.op !== "scatter_add" || before?.op !== "scatter_add") return node;
          const isEqual =
            before.parents[1] === updates && before.attributes.indices === node.attributes.indices;
          const [parent] = node.parents;
          if (!isEqual || parent === undefined) return node;
          return { op: "reshape", attributes: { shape: at(shapes, x) }, parents: [parent] };
        });
      },
    },
    root_product_simplified: {
      fault: "√x · √x is simplified to x, also where x is negative.",
      source: "https://github.com/openxla/xla/pull/14478",
      rewrite: (graph) => {
        const shapes = shapesOf(graph);
        return changed(graph, (node, nodeAt) => {
          const roots = node.parents.map(nodeAt);
          const [first, second] = roots;
          if (node.op !== "multiply" || first?.op !== "sqrt" || second?.op !== "sqrt") return node;
          const [x] = first.parents;
          if (x === undefined || x !== second.parents[0]) return node;
          return { op: "reshape", attributes: { shape: at(shapes, x) }, parents: [x] };
        });
      },
    },

    // These concern the sweep.
    sweep_stops_in_the_deep: {
      fault: "The sweep goes down 256 levels and no more.",
      source: "https://github.com/karpathy/micrograd/pull/90",
      change: withReverse({
        sweep(machine, { graph, steps }) {
          const heights = graph.inputs.map(() => 0);
          for (const { parents } of graph.nodes) {
            heights.push(1 + parents.reduce((most, id) => Math.max(most, at(heights, id)), 0));
          }
          const floor = heights.reduce((most, height) => Math.max(most, height), 0) - 256;
          for (const step of steps.toReversed()) {
            if (machine.reached[step.id] === 1 && at(heights, step.id) > floor) pullBack(machine, step);
          }
        },
      }),
    },
    many_readers_lost: {
      fault:
        "Contributions to a slot are summed in groups of eight, and a later group replaces an earlier one.",
      source: "https://github.com/apache/mxnet/issues/17989",
      change: withReverse({
        sweep(machine, { offsets, steps }) {
          const counts = new Map<number, number>();
          for (const step of steps.toReversed()) {
            if (machine.reached[step.id] !== 1) continue;
            for (const id of new Set(step.receivers)) {
              const count = counts.get(id) ?? 0;
              if (count > 0 && count % 8 === 0)
                machine.cotangents.fill(-0, at(offsets, id), at(offsets, id + 1));
              counts.set(id, count + 1);
            }
            pullBack(machine, step);
          }
        },
      }),
    },
    where_of_number_negated: {
      fault: "Where the last operand of where is one number, the cotangents go by the negated condition.",
      source: "https://github.com/apache/mxnet/issues/17893",
      change: withReverse({
        sweep(machine, { graph, steps }) {
          for (const [n, step] of [...steps.entries()].toReversed()) {
            if (machine.reached[step.id] !== 1) continue;
            const { op, parents } = at(graph.nodes, n);
            const isNumber =
              op === "where" && graph.nodes[(parents[2] ?? 0) - graph.inputs.length]?.op === "full";
            pullBack(machine, isNumber ? { ...step, yBar: step.zBar, zBar: step.yBar } : step);
          }
        },
      }),
    },
  }),
  ...shared,
];
