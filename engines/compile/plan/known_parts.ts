/** Up to so many parts are searched in a list, which is made faster than a map. */
const FEW = 12;

/** What a walk knows of the parts of an expression, by object. Cost: that of a map, and less for few. */
export class KnownParts<Part extends object, T> {
  /** The parts, in the order in which they came to be known. */
  readonly parts: Part[] = [];
  readonly #values: T[] = [];
  #places: Map<Part, number> | undefined;

  /** Returns what is known of a part; `undefined` if nothing is. */
  get(part: Part): T | undefined {
    const place = this.#places === undefined ? this.parts.indexOf(part) : this.#places.get(part);
    return place === undefined || place < 0 ? undefined : this.#values[place];
  }

  /** Makes something known of a part of which nothing was. */
  set(part: Part, value: T): void {
    const place = this.parts.push(part) - 1;
    this.#values.push(value);
    if (this.#places !== undefined) this.#places.set(part, place);
    else if (place === FEW) this.#places = new Map(this.parts.map((known, n) => [known, n]));
  }
}
