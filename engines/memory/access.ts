import {
  type Index,
  type StatementOf,
  seesTwice,
  transformed,
  type View,
  wholeView,
} from "../../spec/programs/index.ts";
import { assertNever, InvariantError, present, quote, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { ProgramFault } from "./fault.ts";
import { limits, type Manner, type Setting } from "./setting.ts";
import type { Trace } from "./trace.ts";
import { type Bound, type Held, type Names, type Reference, valued } from "./value.ts";

/** A run reads and writes names, values and locations so [SEMANTICS §10.3]; a mutant overrides a method. */
export class Access {
  protected readonly setting: Setting;
  protected readonly trace: Trace;

  constructor(setting: Setting, trace: Trace) {
    this.setting = setting;
    this.trace = trace;
  }

  protected shapeOf(name: string, names: Names): Shape {
    const found = this.found(name, names);
    if (found.kind === "counter") return [];
    return found.kind === "value" ? found.value.shape : found.view.shape;
  }

  /** Reads the present value of a name. */
  protected valueOf(name: string, names: Names): Held {
    const found = this.found(name, names);
    switch (found.kind) {
      case "value":
        return found.value;
      case "counter":
        return this.constant({ shape: [], data: Float64Array.of(found.turn) });
      case "reference":
        return this.read(found);
      default:
        return assertNever(found);
    }
  }

  protected found(name: string, names: Names): Bound {
    return present(names.find(name), "a name of a program that was checked");
  }

  protected referenceTo(name: string, names: Names): Reference {
    const found = this.found(name, names);
    if (found.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return found;
  }

  protected number(index: Index, names: Names): number {
    if (typeof index === "number") return index;
    const found = this.found(index, names);
    if (found.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return found.turn;
  }

  protected read({ place, view, isDetached }: Reference): Held {
    if (place.isReleased) throw new ProgramFault("it reads a location that was released.");
    const value = this.setting.memory.read(place, view, this.trace);
    return isDetached ? this.detached(value) : value;
  }

  protected write(to: string, value: Held, names: Names, manner: Manner): void {
    const { place, view, isDetached } = this.writtenThrough(this.referenceTo(to, names));
    if (place.isReleased) throw new ProgramFault("it writes a location that was released.");
    if (this.overlapsItself(view)) throw new ProgramFault(`${quote(to)} sees some element more than once.`);
    const written = this.constantWithin({ ...manner, isConstant: manner.isConstant || isDetached }, value);
    this.setting.memory.write(place, view, written, this.trace);
  }

  protected overlapsItself(view: View): boolean {
    return seesTwice(view);
  }

  protected writtenThrough(reference: Reference): Reference {
    return reference;
  }

  /** Makes a location. Fails before it is made if there are too many elements. */
  protected located(value: Held): Reference {
    const { progress, memory } = this.setting;
    progress.elements += sizeOf(value.shape);
    if (progress.elements > limits.elements) {
      throw new ProgramFault(`all locations together would have more than ${limits.elements} elements.`);
    }
    const place = memory.located(value);
    return { kind: "reference", place, view: wholeView(value.shape), isDetached: false };
  }

  /** Views a location; makes a copy where no view has these elements. */
  protected viewed({ of, how }: StatementOf<"view">, names: Names): Reference {
    const reference = this.referenceTo(of, names);
    const seen = transformed(reference.view, how, (index) => this.number(index, names));
    if (!seen.ok) throw new ProgramFault(seen.error.message);
    if (seen.value !== undefined) return this.seenAs(reference, seen.value);
    const shape: Shape = "shape" in how ? how.shape : [];
    return this.reshapedCopy(this.read(reference), shape);
  }

  protected seenAs(reference: Reference, view: View): Reference {
    return { ...reference, view };
  }

  protected reshapedCopy({ data, tangent, slot, shape: from }: Held, shape: Shape): Reference {
    return this.located({
      shape,
      data,
      tangent,
      slot: this.trace.reshaped(slot, from, shape),
      seen: undefined,
    });
  }

  /** Makes a value that depends on nothing, in the precision computed in. */
  protected constant({ shape, data }: FlatTensor): Held {
    const rounded = this.setting.isSingle ? data.map(Math.fround) : data;
    const tangent = this.setting.isForward ? new Float64Array(data.length) : undefined;
    return {
      shape,
      data: rounded,
      tangent,
      slot: this.trace.constant({ shape, data: rounded }),
      seen: undefined,
    };
  }

  protected constantWithin({ isConstant }: Manner, value: Held): Held {
    return isConstant ? this.detached(value) : value;
  }

  protected detached(value: Held): Held {
    const tangent = value.tangent && new Float64Array(value.data.length);
    return { ...value, tangent, slot: this.trace.detached(value.slot), seen: undefined };
  }

  protected detachedBound(name: string, names: Names): Bound {
    const found = this.found(name, names);
    return found.kind === "reference"
      ? { ...found, isDetached: true }
      : valued(this.detached(this.valueOf(name, names)));
  }

  /** Keeps a value from later writes: what was read is a copy already. */
  protected copied(value: Held): Held {
    return { ...value, seen: undefined };
  }
}
