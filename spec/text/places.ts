import type { Place } from "./tree.ts";

/** A graph that is read knows where its parts are written. */
interface GraphPlaces {
  readonly places: Readonly<Record<"inputs" | "environment" | "nodes", readonly Place[]>>;
}

/** The places of the parts of a statement, by their names; of a list, those of its entries. */
export type Parts = Readonly<Record<string, Place | readonly { readonly place: Place }[]>>;

/** Where a statement stands, and its parts. */
export interface Located {
  readonly place: Place;
  readonly parts: Parts;
  /** The name that it binds. */
  name?: Place;
}

/** Finds where a part of a document is written in the text that the document was read from. */
export class Places {
  readonly #whole: Place;
  readonly #places: Map<string, Place> = new Map();
  readonly #graphs: Map<string, GraphPlaces> = new Map();
  readonly #blocks: Map<string, readonly Located[]> = new Map();

  /** Parts that are not known stand where the whole does. */
  constructor(whole: Place) {
    this.#whole = whole;
  }

  add(pointer: string, place: Place): void {
    this.#places.set(pointer, place);
  }

  /** Adds the parts of a graph that stands at a pointer. */
  addGraph(pointer: string, reading: GraphPlaces): void {
    this.#graphs.set(pointer, reading);
  }

  /** Adds the statements of a block, which may still grow. */
  addBlock(pointer: string, statements: readonly Located[]): void {
    this.#blocks.set(pointer, statements);
  }

  /** Returns the place of the innermost part around a pointer that is known. */
  of(pointer: string): Place {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      const own = pointer.slice(0, end);
      const place = this.#places.get(own) ?? this.#inBlock(own, pointer.slice(end + 1));
      if (place !== undefined) return place;
    }
    for (const [base, { places }] of this.#graphs) {
      const [, part, i] = /^\/(inputs|environment|nodes)\/([0-9]+)/.exec(pointer.slice(base.length)) ?? [];
      const all = part === "inputs" || part === "environment" || part === "nodes" ? places[part] : [];
      const place = pointer.startsWith(base) ? all[Number(i)] : undefined;
      if (place !== undefined) return place;
    }
    return this.#whole;
  }

  /** Returns the place of a part of a statement that has this pointer. */
  #inBlock(pointer: string, part: string): Place | undefined {
    const cut = pointer.lastIndexOf("/");
    const located = this.#blocks.get(pointer.slice(0, cut))?.[Number(pointer.slice(cut + 1))];
    if (located === undefined) return undefined;
    const steps = part.split("/");
    const at = steps.findIndex((step) => Object.hasOwn(located.parts, step));
    const found = located.parts[steps[at] ?? ""];
    if (steps[0] === "name" && located.name !== undefined) return located.name;
    if (found === undefined) return located.place;
    return "start" in found ? found : (found[Number(steps[at + 1])]?.place ?? located.place);
  }
}
