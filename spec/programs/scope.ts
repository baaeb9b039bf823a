/** A scope finds names in a block and those around it. It owns the names of its block. */
export class NameScope<T> {
  readonly #own: Map<string, T> = new Map();
  readonly #outer: NameScope<T> | undefined;

  constructor(outer?: NameScope<T>) {
    this.#outer = outer;
  }

  /** Finds what the name stands for, here or around. */
  find(name: string): T | undefined {
    return this.#own.get(name) ?? this.#outer?.find(name);
  }

  /** The name stands for this, until the block ends. */
  bind(name: string, value: T): void {
    this.#own.set(name, value);
  }

  /** The name stands for this from now on, in the block where it was bound. An unbound one stays so. */
  rebind(name: string, value: T): void {
    if (this.#own.has(name)) this.#own.set(name, value);
    else this.#outer?.rebind(name, value);
  }

  /** All names that stand for something. */
  names(): string[] {
    return [...this.#own.keys(), ...(this.#outer?.names() ?? [])];
  }
}
