import { at } from "../../spec/shapes/index.ts";

/** This heap gives the greatest number first. */
export class Heap {
  readonly #numbers: number[] = [];

  /** Adds a number. Cost: logarithmic. */
  push(number: number): void {
    const numbers = this.#numbers;
    let place = numbers.length;
    numbers.push(number);
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (at(numbers, above) >= number) break;
      numbers[place] = at(numbers, above);
      place = above;
    }
    numbers[place] = number;
  }

  /** Removes all numbers. */
  clear(): void {
    this.#numbers.length = 0;
  }

  /** Removes and returns the greatest; `undefined` where there is none. Cost: logarithmic. */
  pop(): number | undefined {
    const numbers = this.#numbers;
    const greatest = numbers[0];
    const last = numbers.pop();
    if (last === undefined || numbers.length === 0) return greatest;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= numbers.length) break;
      if (below + 1 < numbers.length && at(numbers, below + 1) > at(numbers, below)) below += 1;
      if (at(numbers, below) <= last) break;
      numbers[place] = at(numbers, below);
      place = below;
    }
    numbers[place] = last;
    return greatest;
  }
}
