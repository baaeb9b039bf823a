import {
  type Index,
  overlap,
  type ParameterKind,
  type StatementOf,
  seesTwice,
  transformed,
  wholeView,
} from "../../spec/programs/index.ts";
import { assertNever, InvariantError, present, quote, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type Tensor, tensor } from "../tensor.ts";
import { type Bound, type Names, type Place, type Reference, valued } from "./bound.ts";
import type { Domain, Shaped } from "./domain.ts";
import { StateFault } from "./fault.ts";
import type { Setting } from "./setting.ts";
import { reshapeTo, stopGradient } from "./statement_nodes.ts";

/** A block runs at a depth of calls, and within `no_grad` it is constant under differentiation. */
export interface Manner {
  readonly depth: number;
  readonly isConstant: boolean;
}

/** Names, values and locations of a run [SEMANTICS §10.3]: the part that knows no control flow. */
export class Access<S, V extends Shaped, M> {
  protected readonly domain: Domain<S, V, M>;
  protected readonly setting: Setting<S>;

  constructor(domain: Domain<S, V, M>, setting: Setting<S>) {
    this.domain = domain;
    this.setting = setting;
  }

  protected found(name: string, names: Names<V, M>): Bound<V, M> {
    return present(names.find(name), "a name of a program that was checked");
  }

  protected referenceTo(name: string, names: Names<V, M>): Reference<M> {
    const found = this.found(name, names);
    if (found.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return found;
  }

  protected shapeOf(name: string, names: Names<V, M>): Shape {
    const found = this.found(name, names);
    if (found.kind === "counter") return [];
    return found.kind === "value" ? found.value.shape : found.view.shape;
  }

  /** Reads the value that a name has at this moment. */
  protected valueOf(name: string, names: Names<V, M>): V {
    const found = this.found(name, names);
    switch (found.kind) {
      case "value":
        return found.value;
      case "counter":
        return this.domain.constant(this.scalar(found.turn));
      case "reference":
        return this.read(found);
      default:
        return assertNever(found);
    }
  }

  protected read({ place, view, isDetached }: Reference<M>): V {
    if (place.isReleased) throw released("reads");
    const value = this.domain.read(place.memory, view);
    return isDetached ? this.detached(value) : value;
  }

  protected write(
    statement: StatementOf<"write"> | StatementOf<"update">,
    value: V,
    names: Names<V, M>,
    manner: Manner,
  ): void {
    const { place, view, isDetached } = this.referenceTo(statement.to, names);
    if (place.isReleased) throw released("writes");
    if (seesTwice(view)) throw writtenTwice(statement.to);
    const written = isDetached || manner.isConstant ? this.detached(value) : value;
    this.domain.write(place.memory, view, written, statement);
  }

  /** Makes a location of its own. It is refused before it is made where there are too many elements. */
  protected located(value: V): Reference<M> {
    const { limits, progress } = this.setting;
    progress.elements += sizeOf(value.shape);
    if (progress.elements > limits.elements) {
      throw new StateFault(
        "program/memory",
        `all locations together would have more than ${limits.elements} elements.`,
        "make fewer or smaller ones",
      );
    }
    const place = { memory: this.domain.allocate(value), shape: value.shape, isReleased: false };
    return { kind: "reference", place, view: wholeView(value.shape), isDetached: false };
  }

  /** Returns the location seen otherwise; where no view of it is so, a copy. */
  protected viewed({ of, how }: StatementOf<"view">, names: Names<V, M>): Reference<M> {
    const reference = this.referenceTo(of, names);
    const seen = transformed(reference.view, how, (index) => this.number(index, names));
    if (!seen.ok) throw new StateFault(seen.error.code, seen.error.message, seen.error.hint);
    if (seen.value !== undefined) return { ...reference, view: seen.value };
    const row = this.domain.apply(reshapeTo("shape" in how ? how.shape : []), [this.read(reference)]);
    return this.located(row);
  }

  protected number(index: Index, names: Names<V, M>): number {
    if (typeof index === "number") return index;
    const found = this.found(index, names);
    if (found.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return found.turn;
  }

  /**
   * Returns what a procedure gets [SEMANTICS §10.13]: a copy, the caller's location, or one that the caller
   * has no more.
   */
  protected argument(kind: ParameterKind, name: string, names: Names<V, M>): Bound<V, M> {
    switch (kind) {
      case "value":
        return valued(this.domain.copied(this.valueOf(name, names)));
      case "reference":
        return this.referenceTo(name, names);
      case "donated": {
        const reference = this.referenceTo(name, names);
        const { place } = reference;
        if (place.isReleased) throw released("gives away");
        place.isReleased = true;
        return { ...reference, place: { ...place, isReleased: false } };
      }
      default:
        return assertNever(kind);
    }
  }

  /** Copies all that a location holds. */
  protected contentsOf({ memory, shape, isReleased }: Place<M>): V {
    if (isReleased) throw released("reads");
    return this.domain.copied(this.domain.read(memory, wholeView(shape)));
  }

  /** Refuses to differentiate by an element of a location that two of these names see. */
  protected checkApart(names: readonly string[], scope: Names<V, M>): void {
    const bound = names.map((name) => [name, this.found(name, scope)] as const);
    for (const [i, [name, one]] of bound.entries())
      for (const [other, second] of bound.slice(0, i)) {
        if (one.kind !== "reference" || second.kind !== "reference" || one.place !== second.place) continue;
        if (overlap(one.view, second.view)) throw seenByBoth(other, name);
      }
  }

  protected detachedBound(name: string, names: Names<V, M>): Bound<V, M> {
    const found = this.found(name, names);
    return found.kind === "reference"
      ? { ...found, isDetached: true }
      : valued(this.detached(this.valueOf(name, names)));
  }

  protected detached(value: V): V {
    return this.domain.apply(stopGradient, [value]);
  }

  protected scalar(x: number): Tensor<S> {
    return tensor([], () => this.setting.literals.literal(x));
  }
}

function released(does: "reads" | "writes" | "gives away"): StateFault {
  return new StateFault(
    "program/released",
    `it ${does} a location that was released.`,
    "release a location when nobody needs it any more",
  );
}

function writtenTwice(name: string): StateFault {
  return new StateFault(
    "program/write",
    `${quote(name)} sees some element more than once.`,
    "write through a view that sees each element once: one that was not broadcast",
  );
}

function seenByBoth(one: string, other: string): StateFault {
  return new StateFault(
    "program/write",
    `${quote(one)} and ${quote(other)} see an element both, by which the call is differentiated.`,
    "differentiate by one of them, or by the location that both are views of",
  );
}
