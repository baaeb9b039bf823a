import { at } from "../../../spec/shapes/index.ts";
import type { Nest } from "./nest.ts";
import { type Schedule, type Segment, segmentsOf } from "./schedule.ts";

/** A copy of the body: its step along each axis. */
export type Copy = readonly number[];

/** A nest, its schedule, and the segments in which code is being written. */
export class Tile {
  readonly nest: Nest;
  readonly schedule: Schedule;
  /** The number of loops of the result, which are the outermost ones. */
  readonly shapeLoops: number;
  readonly #copies: number[];
  readonly #fullLanes: number;
  #lanes = 1;

  constructor(nest: Nest, schedule: Schedule, fullLanes: number) {
    this.nest = nest;
    this.schedule = schedule;
    this.shapeLoops = schedule.order.length - nest.over;
    this.#copies = nest.extents.map(() => 1);
    this.#fullLanes = fullLanes;
  }

  /** Elements in a step along the vector axis. */
  get lanes(): number {
    return this.#lanes;
  }

  /** Tells whether vectors are full. */
  get isWhole(): boolean {
    return this.#lanes === this.#fullLanes;
  }

  /** Tells whether a folded axis goes into lanes. */
  get isAcross(): boolean {
    const { vector, order } = this.schedule;
    return vector !== undefined && order.indexOf(vector) >= this.shapeLoops;
  }

  /** Returns the segments of an axis. */
  segments(axis: number): readonly Segment[] {
    const { vector, copies } = this.schedule;
    const lanes = axis === vector ? this.#fullLanes : 1;
    return segmentsOf(at(this.nest.extents, axis), at(copies, axis), lanes);
  }

  /** Says that code is now written inside a segment of an axis. */
  enter(axis: number, { copies, lanes }: Segment): void {
    this.#copies[axis] = copies;
    if (axis === this.schedule.vector) this.#lanes = lanes;
  }

  /** Says that code is written outside of the axis again. */
  leave(axis: number): void {
    this.#copies[axis] = 1;
    if (axis === this.schedule.vector) this.#lanes = 1;
  }

  /** Lists all copies that differ along these axes, the first axis slowest. */
  copiesAlong(axes: readonly number[]): readonly Copy[] {
    let copies: Copy[] = [this.#copies.map(() => 0)];
    for (const axis of axes) {
      const steps = at(this.#copies, axis);
      if (steps === 1) continue;
      copies = copies.flatMap((copy) => Array.from({ length: steps }, (_, step) => copy.with(axis, step)));
    }
    return copies;
  }

  /** The copies of an element of the result; the axis with the fewest copies varies fastest. */
  get shapeCopies(): readonly Copy[] {
    return this.copiesAlong(this.#shapeAxes);
  }

  /** The copies of the body: along folded axes in their order, and within as those of the result. */
  get bodyCopies(): readonly Copy[] {
    return this.copiesAlong([...this.schedule.order.slice(this.shapeLoops), ...this.#shapeAxes]);
  }

  get #shapeAxes(): readonly number[] {
    const shape = this.schedule.order.slice(0, this.shapeLoops);
    return shape.toSorted((a, b) => at(this.#copies, b) - at(this.#copies, a));
  }

  /** Computes the distance from the first copy and lane to this one. */
  along(strides: readonly number[], copy: Copy, lane: number): number {
    const { vector } = this.schedule;
    return strides.reduce((sum, stride, axis) => {
      const step = axis === vector ? at(copy, axis) * this.#lanes + lane : at(copy, axis);
      return sum + stride * step;
    }, 0);
  }
}
