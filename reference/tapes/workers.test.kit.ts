import { type Additive, graph, isPrimitiveGraph, nodeId, present, type Shape } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import type { SparseContext } from "../context.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { addTensors, type Tensor } from "../tensor.ts";
import { keepOperands } from "./dynamic.ts";
import type { Slots, SlotsOf } from "./slots.ts";
import { type Subject, subjectOf, type TapePoint } from "./subject.ts";
import { type TapeSystem, tapeSystem } from "./system.ts";
import { tapeSystems } from "./table.ts";

/** A worker is told this. */
export interface Orders {
  readonly system: string;
  readonly seed: number;
  /** The worker's place is 0 or 1; 0 begins. */
  readonly place: number;
  /** It says whose turn it is, and which have ended. */
  readonly turns: SharedArrayBuffer;
  /** The planted system has its slots here. */
  readonly slots: SharedArrayBuffer;
}

/** The name of the system whose workers share their slots. */
export const SHARING = "shares its slots";

/** Returns a system of the table, or the planted one. */
export function systemNamed(name: string, slots: SharedArrayBuffer): TapeSystem {
  if (name === SHARING)
    return tapeSystem({ name, summary: "", keep: keepOperands, slots: slotsIn(new Float64Array(slots)) });
  return present(
    tapeSystems.find((system) => system.name === name),
    name,
  );
}

const written = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  const z = x.multiply(y).sin();
  z.multiply(x).exp().add(z.multiply(y));
});

const ROOM = 2;

/** The slots of all ids take so many numbers. */
export const SLOT_NUMBERS = ROOM * (written.inputs.length + written.nodes.length);

/** Returns a graph in which values have several readers. */
export function subject(): Subject<number> {
  const made = isPrimitiveGraph(written) ? subjectOf(written, float64) : undefined;
  if (made?.ok !== true) throw new TypeError("floats have all operations");
  return made.value;
}

export const point: TapePoint<number> = {
  x: [
    { shape: [ROOM], data: [0.5, -1.25] },
    { shape: [ROOM], data: [0.75, 2] },
  ],
  environment: noEnvironment,
};

/** Returns a cotangent at the last node. */
export function seedOf(size: number): SparseContext<number> {
  const last = nodeId(written.inputs.length + written.nodes.length - 1);
  return new Map([[last, { shape: [ROOM], data: [size, -size] }]]);
}

/** Slots in memory that whoever else has it adds to as well. */
function slotsIn(memory: Float64Array): SlotsOf {
  return (additive, shapes, _inputs, seed) => sharedSlots(memory, additive, shapes, seed);
}

/** The subject is over floats, which `S` does not say. */
function sharedSlots<S>(
  memory: Float64Array,
  additive: Additive<S>,
  shapes: readonly Shape[],
  seed: SparseContext<S>,
): Slots<S> {
  const settled = (id: number): Tensor<S> => {
    const data: unknown = [...memory.subarray(ROOM * id, ROOM * (id + 1))];
    return { shape: [ROOM], data: data as S[] };
  };
  const add = (bars: SparseContext<S>): void => {
    for (const [id, bar] of bars) {
      const data: unknown = addTensors(additive, settled(id), bar).data;
      memory.set(data as number[], ROOM * id);
    }
  };
  add(seed);
  return { settled, add, all: () => shapes.map((_, id) => settled(id)) };
}
