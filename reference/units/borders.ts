import { at, integerAt, type Shape } from "../../spec/shapes/index.ts";
import type { AxisLink, AxisPlace } from "./axis_links.ts";

/** Links between axes that are not the same, by the classes of the axes that they join. */
type Crossing =
  | {
      readonly kind: "part";
      readonly part: number;
      readonly whole: number;
      readonly first: number;
      readonly step: number;
      readonly count: number;
    }
  | { readonly kind: "regrouped"; readonly axes: readonly (readonly [axis: number, extent: number])[] };

/**
 * Borders say where along its axes each value may change its dimension: for every axis the places where a
 * block begins. Equal axes share their borders. From cuts of slices, paddings and joints, and from
 * declarations, borders go wherever axes are linked until nothing is added, so that a block never meets half
 * of another. Cost: linear in axes and borders.
 */
export class Borders {
  readonly #shapes: readonly Shape[];
  readonly #offsets: Int32Array;
  readonly #parents: Int32Array;
  readonly #borders = new Map<number, Set<number>>();
  readonly #crossings: Crossing[] = [];
  #count = 0;

  constructor(shapes: readonly Shape[]) {
    this.#shapes = shapes;
    this.#offsets = new Int32Array(shapes.length + 1);
    shapes.forEach((shape, value) => {
      this.#offsets[value + 1] = integerAt(this.#offsets, value) + shape.length;
    });
    this.#parents = Int32Array.from({ length: integerAt(this.#offsets, shapes.length) }, (_, axis) => axis);
  }

  /** Hears how a node's axes are linked, before any border; `valueAt` tells its operands and result. */
  link(links: readonly AxisLink[], valueAt: (of: AxisPlace["of"]) => number): void {
    const axisOf = ({ of, axis }: AxisPlace): number => this.#axis(valueAt(of), axis);
    for (const link of links) {
      if (link.kind === "same") this.#join(axisOf(link.a), axisOf(link.b));
      else if (link.kind === "part") {
        this.#crossings.push({ ...link, part: axisOf(link.part), whole: axisOf(link.whole) });
      } else {
        const axes = link.axes.map(
          (place) => [axisOf(place), at(at(this.#shapes, valueAt(place.of)), place.axis)] as const,
        );
        this.#crossings.push({ kind: "regrouped", axes });
      }
    }
  }

  /** Cuts an axis of a value before `place`, unless that is its end. */
  cut(value: number, axis: number, place: number): boolean {
    return this.#cut(this.#axis(value, axis), place, at(at(this.#shapes, value), axis));
  }

  /** Cuts whatever parts there are out of their wholes, and lets all borders go where they lead. */
  spread(): void {
    for (const crossing of this.#crossings) if (crossing.kind === "part") this.#cutOut(crossing);
    // Most graphs have no border; those that have get each from few crossings.
    const touching = new Map<number, Crossing[]>();
    const touch = (axis: number, crossing: Crossing): void => {
      const root = this.#find(axis);
      const known = touching.get(root);
      if (known === undefined) touching.set(root, [crossing]);
      else if (known.at(-1) !== crossing) known.push(crossing);
    };
    for (const crossing of this.#crossings) {
      for (const axis of axesOf(crossing)) touch(axis, crossing);
    }
    const waiting = new Set(this.#crossings);
    for (const crossing of waiting) {
      waiting.delete(crossing);
      for (const root of this.#pass(crossing)) {
        for (const next of touching.get(root) ?? []) waiting.add(next);
      }
    }
  }

  /** Says whether there are too many borders to be read. Then the existing ones mean nothing. */
  get isTooFine(): boolean {
    return this.#count > MAXIMUM_BORDERS;
  }

  /** Lists where the blocks of each axis of a value begin, 0 first; none on an axis of extent 0. */
  startsOf(value: number): readonly (readonly number[])[] {
    return at(this.#shapes, value).map((extent, axis) => {
      if (extent === 0) return [];
      const borders = this.#borders.get(this.#find(this.#axis(value, axis)));
      return borders === undefined ? uncut : [0, ...[...borders].sort((a, b) => a - b)];
    });
  }

  #axis(value: number, axis: number): number {
    return integerAt(this.#offsets, value) + axis;
  }

  #find(axis: number): number {
    let root = axis;
    while (integerAt(this.#parents, root) !== root) {
      const grandparent = integerAt(this.#parents, integerAt(this.#parents, root));
      this.#parents[root] = grandparent;
      root = grandparent;
    }
    return root;
  }

  #join(a: number, b: number): void {
    this.#parents[this.#find(a)] = this.#find(b);
  }

  #cut(axis: number, place: number, extent: number): boolean {
    if (place <= 0 || place >= extent || this.isTooFine) return false;
    const root = this.#find(axis);
    const known = this.#borders.get(root) ?? new Set<number>();
    this.#borders.set(root, known);
    const isNew = !known.has(place);
    known.add(place);
    if (isNew) this.#count += 1;
    return isNew;
  }

  #bordersOf(axis: number): number[] {
    return [...(this.#borders.get(this.#find(axis)) ?? [])];
  }

  #extentOf(axis: number): number {
    let [low, high] = [0, this.#shapes.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (integerAt(this.#offsets, middle) <= axis) low = middle;
      else high = middle;
    }
    return at(at(this.#shapes, low), axis - integerAt(this.#offsets, low));
  }

  /** Taken elements may differ from the rest: runs are cut at their ends, single ones on both sides. */
  #cutOut({ whole, first, step, count }: Extract<Crossing, { readonly kind: "part" }>): void {
    if (count === 0) return;
    const extent = this.#extentOf(whole);
    const last = first + (count - 1) * step;
    if (Math.abs(step) === 1 || count === 1) {
      this.#cut(whole, Math.min(first, last), extent);
      this.#cut(whole, Math.max(first, last) + 1, extent);
      return;
    }
    for (let j = 0; j < count && !this.isTooFine; j++) {
      this.#cut(whole, first + j * step, extent);
      this.#cut(whole, first + j * step + 1, extent);
    }
  }

  /** Lets borders through a link both ways; the classes that got some. */
  #pass(crossing: Crossing): readonly number[] {
    if (crossing.kind === "regrouped") return this.#passRegrouped(crossing.axes);
    const { part, whole, first, step, count } = crossing;
    const extent = this.#extentOf(whole);
    const reached = new Set<number>();
    for (const border of this.#bordersOf(whole)) {
      // The first place of the part that lies beyond the border of the whole.
      const place = step > 0 ? Math.ceil((border - first) / step) : Math.floor((border - first) / step) + 1;
      if (this.#cut(part, place, count)) reached.add(this.#find(part));
    }
    for (const border of this.#bordersOf(part)) {
      const place = step > 0 ? first + border * step : first + (border - 1) * step;
      if (this.#cut(whole, place, extent)) reached.add(this.#find(whole));
    }
    return [...reached];
  }

  /** Axes that are read as one keep no common borders: with one, all are cut everywhere. */
  #passRegrouped(axes: readonly (readonly [axis: number, extent: number])[]): readonly number[] {
    if (axes.every(([axis]) => !this.#borders.has(this.#find(axis)))) return [];
    const reached = new Set<number>();
    for (const [axis, extent] of axes) {
      for (let place = 1; place < extent && !this.isTooFine; place++) {
        if (this.#cut(axis, place, extent)) reached.add(this.#find(axis));
      }
    }
    return [...reached];
  }
}

/** The most borders of a graph. */
const MAXIMUM_BORDERS: number = 2 ** 20;

const uncut: readonly number[] = [0];

function axesOf(crossing: Crossing): readonly number[] {
  return crossing.kind === "part" ? [crossing.part, crossing.whole] : crossing.axes.map(([axis]) => axis);
}
