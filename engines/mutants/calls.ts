import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Node, Point } from "../../spec/graph/index.ts";
import { at, floatAt, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Mutant, mutantTable } from "./mutant.ts";

/**
 * Makes readers of a node read an earlier one of the same key instead, as a search for common subexpressions
 * does. The nodes themselves stay, with their ids. Equal nodes are left alone: to merge those would be sound.
 */
function merged(graph: Graph, keyOf: (node: Node, id: NodeId) => string): Graph {
  const first = new Map<string, { readonly id: NodeId; readonly text: string }>();
  const leaders = graph.inputs.map((_, id) => nodeId(id));
  const nodes: Node[] = [];
  for (const [n, original] of graph.nodes.entries()) {
    const id = nodeId(graph.inputs.length + n);
    const node = { ...original, parents: original.parents.map((parent) => at(leaders, parent)) };
    const [key, text] = [keyOf(node, id), JSON.stringify(node)];
    const leader = first.get(key) ?? { id, text };
    first.set(key, leader);
    leaders.push(leader.text === text ? id : leader.id);
    nodes.push(node);
  }
  return { ...graph, nodes };
}

/** These faults surround a sound core: in arguments, in results, and in how graphs are optimised. */
export const callMutants: readonly Mutant[] = mutantTable({
  // These remember something of the first call.
  environment_of_the_first_call: {
    fault:
      "A loaded program keeps the constants of its first plain gradient, as if they were part of the graph.",
    source: "E01",
    around: ({ program }) => {
      let first: Point["environment"] | undefined;
      return {
        vjp(point, seeds) {
          first ??= point.environment;
          return program.vjp({ inputs: point.inputs, environment: first }, seeds);
        },
      };
    },
  },
  values_of_the_first_call: {
    fault:
      "A loaded program keeps the values of its first plain gradient and pulls back through them ever after.",
    source: "E09",
    around: ({ program }) => {
      let first: Point | undefined;
      return {
        vjp(point, seeds) {
          first ??= point;
          return program.vjp(first, seeds);
        },
      };
    },
  },
  result_buffer_reused: {
    fault: "Every plain gradient is written into the tensors that the first one was returned in.",
    source: "E01",
    around: ({ program }) => {
      let buffers: readonly FlatTensor[] | undefined;
      return {
        async vjp(point, seeds) {
          const reply = await program.vjp(point, seeds);
          if (reply.kind !== "result") return reply;
          buffers ??= reply.value;
          for (const [n, { data }] of reply.value.entries()) at(buffers, n).data.set(data);
          return { kind: "result", value: buffers };
        },
      };
    },
  },
  second_sweep_doubles: {
    fault: "From the second plain gradient on, a loaded program returns the sum of all so far.",
    source: "A06",
    around: ({ program }) => {
      let totals: readonly FlatTensor[] | undefined;
      return {
        async vjp(point, seeds) {
          const reply = await program.vjp(point, seeds);
          if (reply.kind !== "result") return reply;
          const before = totals;
          totals = reply.value.map(({ shape, data }, n) => ({
            shape,
            data: data.map((x, i) => x + (before === undefined ? 0 : floatAt(at(before, n).data, i))),
          }));
          return { kind: "result", value: totals };
        },
      };
    },
  },

  // These concern seeds and tangents.
  input_seed_ignored: {
    fault: "The plain gradient leaves out the seeds on inputs.",
    source: "A17",
    around: ({ graph, program }) => ({
      vjp: (point, seeds) =>
        program.vjp(
          point,
          seeds.filter(({ id }) => id >= graph.inputs.length),
        ),
    }),
  },
  seed_mask_of_ones: {
    fault: "A plain gradient treats every seed with a zero in it as no seed.",
    source: "A14",
    around: ({ program }) => ({
      vjp: (point, seeds) =>
        program.vjp(
          point,
          seeds.filter(({ cotangent: { data } }) => !data.includes(0)),
        ),
    }),
  },
  seed_accumulated_into: {
    fault:
      "The caller's seed is the slot itself: whatever else arrives there is added to the caller's tensor.",
    source: "E01",
    around: ({ program }) => ({
      async vjp(point, seeds) {
        const reply = await program.vjp(point, seeds);
        const dense = await program.backwardDense(point, seeds);
        if (dense.kind !== "result") return dense;
        for (const { id, cotangent } of seeds) cotangent.data.set(at(dense.value, id).data);
        return reply;
      },
    }),
  },
  first_tangent_only: {
    fault: "Forward mode uses the tangent of the first input and takes those of the others for zero.",
    source: "F03",
    around: ({ program }) => ({
      jvp: (point, tangents) =>
        program.jvp(
          point,
          tangents.map(({ shape, data }, n) => ({ shape, data: data.map((x) => (n === 0 ? x : 0)) })),
        ),
    }),
  },
  tangent_of_ones: {
    fault: "Whatever the tangents, forward mode is taken along ones.",
    source: "A17",
    around: ({ program }) => ({
      jvp: (point, tangents) =>
        program.jvp(
          point,
          tangents.map(({ shape, data }) => ({ shape, data: data.map(() => 1) })),
        ),
    }),
  },

  // These concern precision.
  forward_mode_in_single: {
    fault: "Forward mode computes everything in float32.",
    source: "A20",
    around: ({ again }) => ({
      async jvp(point, tangents) {
        const single = await again("float32");
        return single.kind === "result" ? single.value.jvp(point, tangents) : single;
      },
    }),
  },
  recomputed_in_single: {
    fault: "Before a sweep the values are computed once more, in float32, and so is the sweep.",
    source: "D17",
    around: ({ again }) => ({
      async vjp(point, seeds) {
        const single = await again("float32");
        return single.kind === "result" ? single.value.vjp(point, seeds) : single;
      },
    }),
  },

  // These confuse nodes.
  operand_order_ignored: {
    fault: "Two nodes of one operator are merged if they have the same operands in any order.",
    source: "A07",
    rewrite: (graph) =>
      merged(
        graph,
        ({ op, attributes, parents }) => `${op} ${JSON.stringify(attributes)} ${parents.toSorted()}`,
      ),
  },
  same_operands_merged: {
    fault:
      "Two nodes of one operator and one list of operands are merged, whatever their attributes, if their shapes agree.",
    source: "A07",
    rewrite: (graph) => {
      const shapes = shapesOf(graph);
      return merged(graph, ({ op, parents }, id) => `${op} ${parents} ${shapes[id]}`);
    },
  },
});
