import { at, type NodeId } from "../../../spec/shapes/index.ts";
import { addTensors, type Tensor, zeros } from "../../tensor.ts";
import { keepOperands } from "../dynamic.ts";
import { denseSlots, type Slots, type SlotsOf } from "../slots.ts";
import { tapeSystem } from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

/** Adds a contribution to a slot. `isFirst` says that it is the slot's first one. */
type Taken = <S>(slot: Tensor<S>, bar: Tensor<S>, sum: Tensor<S>, isFirst: boolean) => Tensor<S>;

/** The slots of the reference, but for how one takes a contribution. */
function taking(taken: Taken): SlotsOf {
  return (additive, shapes, inputs, seed) => {
    const cotangents = shapes.map((shape, id) => byNumber(seed).get(id) ?? zeros(additive, shape));
    const listed = shapes.map(() => 0);
    return {
      settled: (id) => {
        if (at(listed, id) >= Math.min(shapes.length - 1 - id, shapes.length - inputs))
          return at(cotangents, id);
        const slot = addTensors(additive, at(cotangents, id), zeros(additive, at(shapes, id)));
        cotangents[id] = slot;
        return slot;
      },
      add: (contributions) => {
        for (const [parent, bar] of contributions) {
          const slot = at(cotangents, parent);
          cotangents[parent] = taken(slot, bar, addTensors(additive, slot, bar), at(listed, parent) === 0);
          listed[parent] = at(listed, parent) + 1;
        }
      },
      all: () => cotangents,
    };
  };
}

function byNumber<S>(seed: ReadonlyMap<NodeId, Tensor<S>>): ReadonlyMap<number, Tensor<S>> {
  return seed;
}

/** The slots of the reference, with other seeds or contributions, or read otherwise. */
function around(
  change: <S>(slots: Slots<S>, seed: ReadonlyMap<number, Tensor<S>>) => Partial<Slots<S>>,
): SlotsOf {
  return (additive, shapes, inputs, seed) => {
    const slots = denseSlots(additive, shapes, inputs, seed);
    return { ...slots, ...change(slots, seed) };
  };
}

const faults: readonly (readonly [name: string, says: string, slots: SlotsOf])[] = [
  ["slot-overwritten", "overwrites a slot", taking((_slot, bar) => bar)],
  [
    "slot-closed",
    "takes the first contribution alone",
    taking((slot, _bar, sum, isFirst) => (isFirst ? sum : slot)),
  ],
  [
    "seed-lost",
    "puts the first contribution in place of the seed",
    taking((_slot, bar, sum, isFirst) => (isFirst ? bar : sum)),
  ],
  [
    "seed-twice",
    "plants each seed twice",
    (additive, shapes, inputs, seed) =>
      denseSlots(
        additive,
        shapes,
        inputs,
        new Map([...seed].map(([id, c]) => [id, addTensors(additive, c, c)])),
      ),
  ],
  [
    "seed-of-inputs-dropped",
    "drops the seeds of inputs",
    (additive, shapes, inputs, seed) =>
      denseSlots(additive, shapes, inputs, new Map([...seed].filter(([id]) => id >= inputs))),
  ],
  [
    "inner-seed-dropped",
    "takes the last id's seed alone",
    (additive, shapes, inputs, seed) =>
      denseSlots(additive, shapes, inputs, new Map([...seed].filter(([id]) => id === shapes.length - 1))),
  ],
  [
    "zero-forgotten",
    "adds no zero where a node lists nothing",
    around((slots) => ({ settled: (id) => at(slots.all(), id) })),
  ],
  [
    "settled-early",
    "hands on the seed, and not what has come to it",
    around((slots, seed) => ({
      settled: (id) => {
        const settled = slots.settled(id);
        return seed.get(id) ?? settled;
      },
    })),
  ],
  [
    "second-parent-forgotten",
    "adds what goes to the first parent alone",
    around((slots) => ({ add: (contributions) => slots.add(new Map([...contributions].slice(0, 1))) })),
  ],
  [
    "parent-twice",
    "adds what goes to the last parent twice",
    around((slots) => ({
      add: (contributions) => {
        slots.add(contributions);
        slots.add(new Map([...contributions].slice(-1)));
      },
    })),
  ],
];

/** Faults in the slots of a sweep. */
export const slotMutants: readonly TapeMutant[] = faults.map(([name, says, slots]) =>
  planted(tapeSystem({ name: "dynamic", summary: "", keep: keepOperands, slots }), name, says),
);
