import type { Place } from "./tree.ts";

/** A graph that is read knows where its parts are written. */
interface GraphPlaces {
  readonly places: Readonly<Record<"inputs" | "environment" | "nodes", readonly Place[]>>;
}

/** Finds where a part of a document is written in the text that the document was read from. */
export class Places {
  readonly #whole: Place;
  readonly #places: Map<string, Place> = new Map();
  readonly #graphs: Map<string, GraphPlaces> = new Map();

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

  /** Returns the place of the innermost part around a pointer that is known. */
  of(pointer: string): Place {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
      const place = this.#places.get(pointer.slice(0, end));
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
}
