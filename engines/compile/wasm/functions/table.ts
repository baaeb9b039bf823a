/**
 * The constants of generated code, as bytes that the code finds from one address on. They are loaded rather than written into
 * the code because an engine rebuilds a vector literal from general registers at each use, which made `exp` 1.4 times slower,
 * and 1.6 times where it is inlined.
 */
export class ConstantTable {
  /** Where the table lies in the memory of the module; a multiple of 16. */
  readonly address: number;
  readonly #positions = new Map<string, number>();
  #bytes: readonly number[] = [];

  constructor(address: number) {
    this.address = address;
  }

  /** The address of these bytes, which are put there if they are new. Aligned to 8 bytes. */
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

  /** What must be in memory from {@link address} on when the code runs. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
