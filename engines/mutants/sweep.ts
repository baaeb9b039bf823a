import { at, floatAt, integerAt, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { type Layout, type Machine, type Parts, pullBack, type Step } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withReverse } from "./mutant.ts";

/** Makes a sweep that visits each reached node, last first, in another way; `begin` starts a sweep. */
function sweeping(begin: (machine: Machine, layout: Layout) => (step: Step) => void): Partial<Parts> {
  return withReverse({
    sweep(machine, layout) {
      const visit = begin(machine, layout);
      for (const step of layout.steps.toReversed()) if (machine.reached[step.id] === 1) visit(step);
    },
  });
}

/** Empties a slot. */
function vacate({ cotangents }: Machine, offsets: readonly number[], id: NodeId): void {
  cotangents.fill(-0, at(offsets, id), at(offsets, id + 1));
}

/** Divides the cotangent of `id` by `count`. */
function average({ cotangents }: Machine, offsets: readonly number[], id: number, count: number): void {
  for (let i = at(offsets, id); i < at(offsets, id + 1); i++) cotangents[i] = floatAt(cotangents, i) / count;
}

/** These faults concern the sweep: how contributions meet, which nodes are visited, in which order. */
export const sweepMutants: readonly Mutant[] = mutantTable({
  // These break that readers' contributions are summed.
  fan_out_overwritten: {
    fault: "A node's contribution replaces what its operands' slots held instead of being added to it.",
    source: "A01",
    change: sweeping((machine, { offsets }) => (step) => {
      for (const id of step.receivers) vacate(machine, offsets, id);
      pullBack(machine, step);
    }),
  },
  third_reader_lost: {
    fault: "A slot takes two contributions; a third reader brings its own in vain.",
    source: "A01",
    change: sweeping((machine, { offsets }) => {
      const contributions = new Map<NodeId, number>();
      return (step) => {
        const before = machine.cotangents.slice();
        pullBack(machine, step);
        for (const id of new Set(step.receivers)) {
          const count = (contributions.get(id) ?? 0) + 1;
          contributions.set(id, count);
          const [start, end] = [at(offsets, id), at(offsets, id + 1)];
          if (count > 2) machine.cotangents.set(before.subarray(start, end), start);
        }
      };
    }),
  },
  seed_overwritten: {
    fault: "The first contribution to an id replaces the seed that stood there.",
    change: sweeping((machine, { offsets }) => {
      const contributed = new Set<NodeId>();
      return (step) => {
        for (const id of step.receivers) if (!contributed.has(id)) vacate(machine, offsets, id);
        for (const id of step.receivers) contributed.add(id);
        pullBack(machine, step);
      };
    }),
  },
  contributions_averaged: {
    fault: "The contributions of a node's readers are averaged instead of added.",
    source: "A08",
    change: withReverse({
      sweep(machine, { graph, steps, offsets }) {
        const readers = new Map<NodeId, number>();
        for (const step of steps.toReversed()) {
          if (machine.reached[step.id] === 0) continue;
          average(machine, offsets, step.id, readers.get(step.id) ?? 1);
          pullBack(machine, step);
          for (const id of new Set(step.receivers)) readers.set(id, (readers.get(id) ?? 0) + 1);
        }
        for (const id of graph.inputs.keys()) average(machine, offsets, id, readers.get(nodeId(id)) ?? 1);
      },
    }),
  },
  swept_once_per_use: {
    fault: "A node is swept once for every use of its value, and hands on its whole cotangent each time.",
    source: "A03",
    change: sweeping((machine) => {
      const uses = new Int32Array(machine.reached.length);
      return (step) => {
        const times = Math.max(1, integerAt(uses, step.id));
        for (let time = 0; time < times; time++) pullBack(machine, step);
        for (const id of step.receivers) uses[id] = integerAt(uses, id) + 1;
      };
    }),
  },

  // These break that every node comes after its readers, and all of them come.
  ascending_order: {
    fault: "The reverse sweep visits the nodes from first to last.",
    change: withReverse({
      sweep(machine, { steps }) {
        for (const step of steps) {
          if (machine.reached[step.id] === 1) pullBack(machine, step);
        }
      },
    }),
  },
  first_branch_only: {
    fault: "Nodes are swept depth first and once, so what a second branch brings later goes no further.",
    source: "A05",
    change: withReverse({
      sweep(machine, { graph, steps }) {
        const pending: NodeId[] = steps.map(({ id }) => id).filter((id) => machine.reached[id] === 1);
        const visited = new Set<NodeId>();
        for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
          const step = steps[id - graph.inputs.length];
          if (step === undefined || visited.has(id)) continue;
          visited.add(id);
          pullBack(machine, step);
          for (const receiver of step.receivers) pending.push(receiver);
        }
      },
    }),
  },
  first_node_not_swept: {
    fault: "The sweep ends one node too early: the first is never pulled back.",
    change: withReverse({
      sweep(machine, { steps }) {
        for (const step of steps.slice(1).toReversed()) {
          if (machine.reached[step.id] === 1) pullBack(machine, step);
        }
      },
    }),
  },
  sweep_gives_up: {
    fault: "The sweep visits 24 nodes and no more, as a recursion does whose stack is full.",
    source: "A12",
    change: sweeping((machine) => {
      let room = 24;
      return (step) => {
        if (room === 0) return;
        pullBack(machine, step);
        room -= 1;
      };
    }),
  },

  // These concern what may be left out, or forgotten.
  activity_of_all_operands: {
    fault: "A node counts as constant if one of its operands does.",
    source: "A18",
    change: sweeping((machine, { graph }) => {
      const isActive = graph.inputs.map(() => true);
      for (const { op, parents } of graph.nodes)
        isActive.push(op !== "constant" && parents.every((id) => isActive[id]));
      return (step) => {
        if (isActive[step.id]) pullBack(machine, step);
      };
    }),
  },
  activity_of_first_operand: {
    fault: "A node counts as constant if its first operand does not depend on an input.",
    source: "C40",
    change: sweeping((machine, { graph }) => {
      const isActive = graph.inputs.map(() => true);
      for (const {
        parents: [first],
      } of graph.nodes)
        isActive.push(first !== undefined && at(isActive, first));
      return (step) => {
        if (isActive[step.id]) pullBack(machine, step);
      };
    }),
  },
  zero_first_element_stops: {
    fault: "A node is skipped if the first element of its cotangent is zero, not only if all are.",
    source: "A14",
    change: sweeping((machine) => (step) => {
      if (machine.cotangents[step.out] !== 0) pullBack(machine, step);
    }),
  },
  interior_freed: {
    fault: "A node's cotangent is cleared once it was pulled back, though the dense sweep must report it.",
    source: "E05",
    change: sweeping((machine) => (step) => {
      pullBack(machine, step);
      machine.cotangents.fill(0, step.out, step.out + step.size);
    }),
  },
});
