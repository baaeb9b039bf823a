import {
  type Index,
  isWhole,
  type NameScope,
  overlap,
  type Procedure,
  type Program,
  positionsOf,
  type StatementOf,
  seesTwice,
  transformed,
  type View,
  wholeView,
} from "../../../spec/programs/index.ts";
import {
  assertNever,
  at,
  InvariantError,
  isSameShape,
  present,
  quote,
  type Shape,
  sizeOf,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { Workbench } from "./workbench.ts";

/** A location of a library whose tensors never change: it stands for another tensor after each write. */
interface Location<T> {
  readonly shape: Shape;
  tensor: T;
  isReleased: boolean;
}

/** A location, seen through a view. */
interface Reference<T> {
  readonly kind: "reference";
  readonly location: Location<T>;
  readonly view: View;
  /** Values read and written through it are constant under differentiation. */
  readonly isDetached: boolean;
}

/** A value, and the number of values made before it, by which other runs know it; −1 in derivatives. */
export interface Value<T> {
  readonly kind: "value";
  readonly tensor: T;
  readonly shape: Shape;
  readonly number: number;
}

/** A name is bound to one of these. */
export type Bound<T> = Value<T> | Reference<T> | { readonly kind: "counter"; readonly turn: number };
/** The names that a block sees. */
export type Names<T> = NameScope<Bound<T>>;

/** A run depends on these. */
export interface ProgramSetting<T> {
  readonly program: Program;
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  readonly key: readonly [number, number];
  /** The number of draws from the generator so far. */
  readonly drawn: number;
  /**
   * What conditions and indices were, in order. A run appends those that are missing; a differentiated run
   * decides as the run for values did, because nobody can look at what a library traces.
   */
  readonly decisions: number[];
  /** Taps to add to values, by the values' numbers. */
  readonly taps: ReadonlyMap<number, T>;
}

/** A tensor of a run, and the shape that it should have. */
export interface Shaped<T> {
  readonly tensor: T;
  readonly shape: Shape;
}

/** A run's names, values and locations. Names and shapes are those of a program that was checked. */
export class ProgramAccess<T> {
  protected readonly bench: Workbench<T>;
  protected readonly setting: ProgramSetting<T>;
  /** Within `no_grad` what is bound or written is constant. */
  protected isConstant = false;
  /** Within a procedure that is differentiated, values have no numbers. */
  protected isQuiet = false;
  #count = 0;

  constructor(bench: Workbench<T>, setting: ProgramSetting<T>) {
    this.bench = bench;
    this.setting = setting;
  }

  /** Gives a location away: its references see it no more, but for the one that is returned. */
  protected donated(name: string, names: Names<T>): Reference<T> {
    const reference = this.referenceTo(name, names);
    const { location } = reference;
    if (location.isReleased) throw new Error(`${quote(name)} sees a location that was released`);
    const moved = { ...location };
    location.isReleased = true;
    return { ...reference, location: moved };
  }

  /** Makes locations with copies of what those of references hold, seen and shared likewise. */
  protected again(given: readonly Bound<T>[]): readonly Bound<T>[] {
    const copies = new Map<Location<T>, Location<T>>();
    return given.map((one) => {
      if (one.kind !== "reference") return one;
      const { location } = one;
      if (location.isReleased) throw new Error("it is given a location that was released");
      const copy = copies.get(location) ?? { ...location };
      copies.set(location, copy);
      return { ...one, location: copy };
    });
  }

  /** Refuses to differentiate by an element that two references see. */
  protected checkApart({ wrt, operands }: StatementOf<"differentiate_call">, names: Names<T>): void {
    const bound = wrt.map((place) => this.found(at(operands, place), names));
    for (const [i, one] of bound.entries())
      for (const other of bound.slice(0, i))
        if (
          one.kind === "reference" &&
          other.kind === "reference" &&
          one.location === other.location &&
          overlap(one.view, other.view)
        )
          throw new Error("a call is differentiated by an element that two references see");
  }

  protected viewed({ of, how }: StatementOf<"view">, names: Names<T>): Reference<T> {
    const reference = this.referenceTo(of, names);
    const view = transformed(reference.view, how, (index) => this.number(index, names));
    if (!view.ok) throw new Error(view.error.message);
    if (view.value !== undefined) return { ...reference, view: view.value };
    // No strides do this reshape.
    const { tensor, shape } = this.read(of, names);
    const wanted = "shape" in how ? how.shape : shape;
    return located(reshaped(this.bench, tensor, shape, wanted), wanted);
  }

  protected write(to: string, tensor: T, names: Names<T>): void {
    const reference = this.referenceTo(to, names);
    if (reference.location.isReleased) throw new Error(`${quote(to)} sees a location that was released`);
    if (seesTwice(reference.view)) throw new Error(`${quote(to)} sees an element more than once`);
    const isConstant = this.isConstant || reference.isDetached;
    overwrite(this.bench, reference, isConstant ? this.constant(tensor) : tensor);
  }

  protected detached(name: string, names: Names<T>): Bound<T> {
    const bound = this.found(name, names);
    if (bound.kind === "reference") return { ...bound, isDetached: true };
    const { tensor, shape } = this.read(name, names);
    return this.made(this.constant(tensor), shape);
  }

  protected shapeOf(name: string, names: Names<T>): Shape {
    const bound = this.found(name, names);
    if (bound.kind === "counter") return [];
    return bound.kind === "value" ? bound.shape : bound.view.shape;
  }

  /** Reads the present value of a name. */
  protected read(name: string, names: Names<T>): Shaped<T> {
    const bound = this.found(name, names);
    switch (bound.kind) {
      case "value":
        return bound;
      case "counter":
        return { tensor: this.bench.tensor({ shape: [], data: Float64Array.of(bound.turn) }), shape: [] };
      case "reference": {
        if (bound.location.isReleased) throw new Error(`${quote(name)} sees a location that was released`);
        const tensor = seenIn(this.bench, bound);
        return { tensor: bound.isDetached ? this.constant(tensor) : tensor, shape: bound.view.shape };
      }
      default:
        return assertNever(bound);
    }
  }

  protected copied(name: string, names: Names<T>): Value<T> {
    const bound = this.found(name, names);
    if (bound.kind === "value") return bound;
    const { tensor, shape } = this.read(name, names);
    return this.made(tensor, shape);
  }

  protected bind(name: string, tensor: T, shape: Shape, names: Names<T>): void {
    names.bind(name, this.made(this.marked(tensor), shape));
  }

  /** Numbers a new value, and adds its tap. */
  protected made(tensor: T, shape: Shape): Value<T> {
    if (this.isQuiet) return { kind: "value", tensor, shape, number: -1 };
    const number = this.#count++;
    const tap = this.setting.taps.get(number);
    const tapped =
      tap === undefined ? tensor : this.bench.applied({ op: "add", attributes: {} }, [tensor, tap]);
    return { kind: "value", tensor: tapped, shape, number };
  }

  protected marked(tensor: T): T {
    return this.isConstant ? this.constant(tensor) : tensor;
  }

  protected constant(tensor: T): T {
    return this.bench.applied({ op: "stop_gradient", attributes: {} }, [tensor]);
  }

  protected found(name: string, names: Names<T>): Bound<T> {
    return present(names.find(name), "a name of a program that was checked");
  }

  protected referenceTo(name: string, names: Names<T>): Reference<T> {
    const bound = this.found(name, names);
    if (bound.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return bound;
  }

  protected number(index: Index, names: Names<T>): number {
    if (typeof index === "number") return index;
    const bound = this.found(index, names);
    if (bound.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return bound.turn;
  }

  protected procedureNamed(name: string): Procedure {
    const { procedures } = this.setting.program;
    return present(
      procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }
}

/** Makes a location that stands for this tensor. */
export function located<T>(tensor: T, shape: Shape): Reference<T> {
  const location = { shape, tensor, isReleased: false };
  return { kind: "reference", location, view: wholeView(shape), isDetached: false };
}

/** Returns what a reference sees: the whole location, or some elements of its row. */
function seenIn<T>(bench: Workbench<T>, { location, view }: Reference<T>): T {
  const { tensor, shape } = location;
  if (isWhole(view, sizeOf(shape))) return reshaped(bench, tensor, shape, view.shape);
  const row = reshaped(bench, tensor, shape, [sizeOf(shape)]);
  return reshaped(bench, bench.taken(row, positionsOf(view)), [sizeOf(view.shape)], view.shape);
}

/** Writes through a reference: a part is picked from the old and the new elements in one row. */
function overwrite<T>(bench: Workbench<T>, { location, view }: Reference<T>, value: T): void {
  const { shape } = location;
  const size = sizeOf(shape);
  if (isWhole(view, size)) {
    location.tensor = reshaped(bench, value, view.shape, shape);
    return;
  }
  const sources = Array.from({ length: size }, (_, position) => position);
  for (const [place, position] of positionsOf(view).entries()) sources[position] = size + place;
  const rows = [
    reshaped(bench, location.tensor, shape, [size]),
    reshaped(bench, value, view.shape, [sizeOf(view.shape)]),
  ];
  const row = bench.applied({ op: "concat", attributes: { axis: 0 } }, rows);
  location.tensor = reshaped(bench, bench.taken(row, sources), [size], shape);
}

/** Reshapes a tensor. */
function reshaped<T>(bench: Workbench<T>, tensor: T, from: Shape, shape: Shape): T {
  return isSameShape(from, shape)
    ? tensor
    : bench.applied({ op: "reshape", attributes: { shape } }, [tensor]);
}
