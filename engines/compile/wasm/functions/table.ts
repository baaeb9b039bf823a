/**
 * The constants of generated code, as bytes in its memory. They are loaded rather than written into the code
 * because hosts rebuild a vector literal from general registers at each use, which made `exp` 1.4 times
 * slower, and 1.6 times where it is inlined.
 */
export class ConstantTable {
  /** The table's address in the memory of the module; a multiple of 16. */
  readonly address: number;
  readonly #positions = new Map<string, number>();
  #bytes: readonly number[] = [];

  constructor(address: number) {
    this.address = address;
  }

  /** Returns the address of these bytes, aligned to 8, and adds them if they are new. */
  place(bytes: Uint8Array): number {
    const key = bytes.join();
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const position = this.address + this.#bytes.length;
    const padding = new Array<number>(-bytes.length & 7).fill(0);
    this.#bytes = [...this.#bytes, ...bytes, ...padding];
    this.#positions.set(key, position);
    return position;
  }

  /** Returns the bytes that must lie at {@link address} when the code runs. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
