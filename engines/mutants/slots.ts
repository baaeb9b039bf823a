import type { Seed } from "../../spec/graph/index.ts";
import { at, floatAt } from "../../spec/shapes/index.ts";
import {
  type Arena,
  allocate,
  type Layout,
  type Machine,
  type Parts,
  sizeAt,
  soundParts,
} from "../interpretation/index.ts";
import { type Mutant, mutantTable, withReverse } from "./mutant.ts";

const { reverse } = soundParts;

/** Changes the seeds of the sweep. */
function seeding(change: (seeds: readonly Seed[], layout: Layout) => readonly Seed[]): Partial<Parts> {
  return withReverse({
    plant(machine, layout, seeds) {
      reverse.plant(machine, layout, change(seeds, layout));
    },
  });
}

/** Changes the elements of a seed. */
function mapped({ id, cotangent: { shape, data } }: Seed, f: (c: number) => number): Seed {
  return { id, cotangent: { shape, data: data.map(f) } };
}

/** Does one more thing after the sweep. */
function finishing(finish: (machine: Machine, layout: Layout) => void): Partial<Parts> {
  return withReverse({
    finish(machine, layout) {
      reverse.finish(machine, layout);
      finish(machine, layout);
    },
  });
}

/** Groups the inputs, as ids, by equal shape and equal elements. */
function groupsOf({ graph, shapes, offsets }: Layout, values: Arena): Iterable<readonly number[]> {
  const keyOf = (id: number): string =>
    `${shapes[id]}: ${values.subarray(at(offsets, id), at(offsets, id + 1))}`;
  return Map.groupBy(graph.inputs.keys(), keyOf).values();
}

/** The layouts that were swept before. */
const swept = new WeakSet<Layout>();

/** These faults concern cotangent slots: what seeds put in, what memory keeps, what is read at the end. */
export const slotMutants: readonly Mutant[] = mutantTable({
  // These concern seeds.
  first_seed_only: {
    fault: "Of several seeds only the first is put in.",
    change: seeding((seeds) => seeds.slice(0, 1)),
  },
  later_seed_ignored: {
    fault: "Only a seed at the last node is put in: an engine with one output.",
    source: "A17",
    change: seeding((seeds, { shapes }) => seeds.filter(({ id }) => id === shapes.length - 1)),
  },
  seed_of_ones: {
    fault: "Whatever the seed, ones are pulled back.",
    source: "A17",
    change: seeding((seeds) => seeds.map((seed) => mapped(seed, () => 1))),
  },
  seed_first_element: {
    fault: "A seed is taken for a scalar: its first element stands for all.",
    source: "A24",
    change: seeding((seeds) => seeds.map((seed) => mapped(seed, () => floatAt(seed.cotangent.data, 0)))),
  },
  input_seed_twice: {
    fault: "A seed on an input is put in before the sweep and added once more after it.",
    source: "A08",
    change: seeding((seeds, { graph }) =>
      seeds.map((seed) => (seed.id < graph.inputs.length ? mapped(seed, (c) => 2 * c) : seed)),
    ),
  },

  // These concern what one sweep leaves to the next, or one node to another.
  stale_cotangents: {
    fault: "Between two sweeps only the inputs' slots are emptied; the others keep what they held.",
    source: "A06",
    change: withReverse({
      empty({ cotangents, reached }, { graph, offsets }) {
        cotangents.fill(-0, 0, at(offsets, graph.inputs.length));
        reached.fill(0);
      },
    }),
  },
  stale_inputs: {
    fault:
      "The cotangents of the inputs are not emptied between sweeps, as if every sweep were part of one sum.",
    source: "A06",
    change: withReverse({
      empty({ cotangents, reached, work }, { graph, offsets }) {
        cotangents.fill(-0, at(offsets, graph.inputs.length), work);
        reached.fill(0);
      },
    }),
  },
  released_after_last_reader: {
    fault:
      "Once an operand was handed on to, later sweeps of the loaded program find its value released, and zero.",
    source: "A21",
    change: withReverse({
      sweep(machine, layout) {
        if (swept.has(layout)) machine.values.fill(0);
        swept.add(layout);
        reverse.sweep(machine, layout);
      },
    }),
  },
  cotangent_overwrites_alias: {
    fault:
      "The result of reshape shares its slot with the operand, so it also shows what came to that later.",
    source: "E05",
    change: finishing(({ cotangents }, { graph, offsets, steps }) => {
      for (const [n, { out, size }] of steps.entries()) {
        const {
          op,
          parents: [x],
        } = at(graph.nodes, n);
        if (op !== "reshape" || x === undefined) continue;
        cotangents.copyWithin(out, at(offsets, x), at(offsets, x) + size);
      }
    }),
  },

  // These concern which slot is an input's.
  equal_inputs_merged: {
    fault: "Gradients are kept by value, so inputs of one shape with equal elements share the sum of theirs.",
    source: "A07",
    change: finishing(({ values, cotangents }, layout) => {
      for (const group of groupsOf(layout, values)) {
        const offsets = group.map((id) => at(layout.offsets, id));
        for (let i = 0; i < sizeAt(layout.offsets, at(group, 0)); i++) {
          const total = offsets.reduce((sum, offset) => sum + floatAt(cotangents, offset + i), 0);
          for (const offset of offsets) cotangents[offset + i] = total;
        }
      }
    }),
  },
  inputs_in_order_of_use: {
    fault:
      "The cotangents of inputs of one shape are returned in the order in which the nodes first read them.",
    source: "A15",
    change: finishing(({ cotangents }, { graph, shapes, offsets }) => {
      const reads = new Set(graph.nodes.flatMap(({ parents }) => parents));
      const inputs = [...reads].filter((id) => id < graph.inputs.length);
      const found = cotangents.slice();
      for (const inOrder of Map.groupBy(inputs, (id) => `${shapes[id]}`).values()) {
        for (const [n, id] of inOrder.toSorted((a, b) => a - b).entries()) {
          const from = at(inOrder, n);
          cotangents.set(found.subarray(at(offsets, from), at(offsets, from + 1)), at(offsets, id));
        }
      }
    }),
  },
  unreached_inherits_seed: {
    fault: "The cotangent of an input that nothing reached is the first seed, or as much of it as fits.",
    source: "A15",
    change: finishing(({ cotangents, reached }, { graph, offsets, steps }) => {
      // The last node's seed comes first; without nodes, the first input's.
      const from = steps.at(-1)?.out ?? 0;
      for (const id of graph.inputs.keys()) {
        const [start, size] = [at(offsets, id), sizeAt(offsets, id)];
        if (reached[id] === 0) cotangents.copyWithin(start, from, from + size);
      }
    }),
  },
  unused_input_garbage: {
    fault: "The cotangent of an input that nothing reached is whatever memory held: here, the input's value.",
    source: "A15",
    change: finishing(({ values, cotangents, reached }, { graph, offsets }) => {
      for (const id of graph.inputs.keys()) {
        const [start, end] = [at(offsets, id), at(offsets, id + 1)];
        if (reached[id] === 0) cotangents.set(values.subarray(start, end), start);
      }
    }),
  },

  // These concern numbers.
  cotangents_in_single: {
    fault: "Cotangents are kept in float32 while values are float64.",
    source: "A20",
    change: {
      allocate(extents, dtype) {
        const machine = allocate(extents, dtype);
        return { ...machine, cotangents: new Float32Array(machine.cotangents.length) };
      },
    },
  },
  cotangents_clipped: {
    fault: "The cotangents of inputs are clipped to the range from −100 to 100.",
    change: finishing(({ cotangents }, { graph, offsets }) => {
      const end = at(offsets, graph.inputs.length);
      for (let i = 0; i < end; i++) cotangents[i] = Math.min(Math.max(floatAt(cotangents, i), -100), 100);
    }),
  },
  small_cotangents_dropped: {
    fault: "A cotangent below 2⁻²⁰ in magnitude is reported as zero.",
    change: finishing(({ cotangents, work }) => {
      for (let i = 0; i < work; i++) if (Math.abs(floatAt(cotangents, i)) < 2 ** -20) cotangents[i] = 0;
    }),
  },
});
