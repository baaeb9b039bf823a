import {
  fail,
  type Issue,
  isSameShape,
  type NodeId,
  nodeId,
  ok,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { at, type Tensor, tensor } from "../tensor.ts";
import { rulesOnOperands } from "./reverse.ts";
import { type Save, saving } from "./saving.ts";
import type { Subject } from "./subject.ts";
import { type SystemParts, type Taking, type TapeSystem, tapeSystem } from "./system.ts";

/** A plan gives each value that a rule reads its place on the tape before anything runs. */
export interface TapePlan {
  /** Each id has its offset; no two values overlap. */
  readonly offsets: ReadonlyMap<NodeId, number>;
  /** The elements of the tape. */
  readonly size: number;
  readonly shapes: readonly Shape[];
}

/** Plans the tape of every run of a subject: shapes and reads are enough. Cost: linear. */
export function planTape<S>({ data, shapes }: Subject<S>): TapePlan {
  const read = new Set(data.nodes.flatMap(({ reads }) => [...reads]));
  const offsets = new Map<NodeId, number>();
  let size = 0;
  for (const [position, shape] of shapes.entries()) {
    const id = nodeId(position);
    if (!read.has(id)) continue;
    offsets.set(id, size);
    size += sizeOf(shape);
  }
  return { offsets, size, shapes };
}

/** A tape as one array with planned places. Fails: `tape/plan` if the run has other shapes. */
export const staticSystem: TapeSystem = staticTape(planTape);

/** Is {@link staticSystem} with another plan, such as one made long before. */
export function staticTape(planOf: <S>(subject: Subject<S>) => TapePlan): TapeSystem {
  const keep: SystemParts["keep"] = (taking) => {
    const plan = planOf(taking.subject);
    const misfit = misfitOf(taking.subject, plan);
    if (misfit !== undefined) return fail([misfit]);
    return ok(saving(taking, rulesOnOperands(taking.subject), inPlace(taking, plan)));
  };
  return tapeSystem({
    name: "static",
    summary: "the operands of every node, each in its planned place",
    keep,
  });
}

function inPlace<S>({ subject, meter }: Taking<S>, { offsets, size }: TapePlan): Save<S> {
  const elements = new Array<S>(size).fill(subject.additive.zero);
  meter.hold("tape", size);
  return (id, { shape, data }) => {
    const offset = offsets.get(id) ?? 0;
    for (const [position, element] of data.entries()) elements[offset + position] = element;
    const whole: Tensor<S> = { shape: [elements.length], data: elements };
    return { id, read: () => tensor(shape, (position) => at(whole, offset + position)) };
  };
}

function misfitOf<S>({ shapes, data }: Subject<S>, plan: TapePlan): Issue | undefined {
  const index = shapes.findIndex((shape, id) => !isSameShape(shape, plan.shapes[id] ?? [-1]));
  const id = data.nodes.flatMap(({ reads }) => [...reads]).find((read) => !plan.offsets.has(read));
  if (index < 0 && id === undefined && shapes.length === plan.shapes.length) return undefined;
  return {
    code: "tape/plan",
    pointer: index < 0 ? "" : `/${index}`,
    message: `the tape was planned for another run of ${plan.shapes.length} values.`,
    hint: "plan anew: a static tape takes runs of one graph alone",
  };
}
