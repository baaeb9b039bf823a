import binaryen from "binaryen";
import { Frame } from "./frame.ts";
import type { Functions } from "./functions.ts";
import type { Code } from "./lanes.ts";
import { walksOf } from "./nest.ts";
import type { Scheduled } from "./pack.ts";
import { Pointers } from "./pointers.ts";
import { RunningValues } from "./running.ts";
import { type Copy, Tile } from "./tile.ts";
import { Values } from "./values.ts";

/**
 * Adds a function that runs a nest with some element to compute. With parameters, the function takes the
 * bases of all walks, and runs every nest that differs only in these.
 */
export function addKernel(
  functions: Functions,
  name: string,
  { nest, schedule }: Scheduled,
  hasParameters: boolean,
): void {
  const { module, lanes } = functions;
  const parameters = hasParameters ? walksOf(nest).map(() => binaryen.i32) : [];
  const frame = new Frame(module, parameters.length);
  const tile = new Tile(nest, schedule, lanes.count);
  const pointers = new Pointers(module, frame, nest, hasParameters);
  const body = new Kernel(functions, tile, frame, pointers).code();
  module.addFunction(name, binaryen.createType(parameters), binaryen.none, [...frame.types], body);
}

/** Writes a function: nested loops, each of which computes what depends on no inner loop. */
class Kernel {
  readonly #functions: Functions;
  readonly #tile: Tile;
  readonly #frame: Frame;
  readonly #pointers: Pointers;
  readonly #values: Values;
  readonly #running: RunningValues;
  #labels = 0;

  constructor(functions: Functions, tile: Tile, frame: Frame, pointers: Pointers) {
    this.#functions = functions;
    this.#tile = tile;
    this.#frame = frame;
    this.#pointers = pointers;
    this.#values = new Values(functions, tile, frame, pointers);
    this.#running = new RunningValues(functions, tile, frame, this.#values);
  }

  code(): Code {
    const begin = [...this.#pointers.begin(), ...this.#values.computed(-1)];
    return this.#functions.module.block(null, [...begin, ...this.#inside(0)]);
  }

  /** Writes what is inside so many loops. */
  #inside(level: number): Code[] {
    const { nest, shapeLoops } = this.#tile;
    const { combination } = nest;
    const isRunning = combination !== "store" && combination !== "accumulate";
    if (!isRunning || level !== shapeLoops) return this.#loopOrBody(level);
    const operation = combination === "maximum" ? "maximum" : "add";
    const code = [...this.#running.started(operation), ...this.#loopOrBody(level)];
    return combination === "scan" ? code : [...code, ...this.#running.stored(operation)];
  }

  #loopOrBody(level: number): Code[] {
    const axis = this.#tile.schedule.order[level];
    return axis === undefined ? this.#body() : this.#loop(level, axis);
  }

  #loop(level: number, axis: number): Code[] {
    const tile = this.#tile;
    const segments = tile.segments(axis);
    // The innermost loop computes copy by copy, so that few values are kept at a time.
    const isLast = level === tile.schedule.order.length - 1;
    const code: Code[] = [];
    let advanced = 0;
    for (const [position, segment] of segments.entries()) {
      tile.enter(axis, segment);
      const inside = this.#values.within(() => [
        ...(isLast ? [] : this.#values.computed(level)),
        ...this.#inside(level + 1),
      ]);
      const step = segment.copies * segment.lanes;
      const isEnd = position === segments.length - 1 && segment.trips === 1;
      const block = isEnd ? inside : [...inside, ...this.#pointers.advance(axis, step)];
      code.push(...(segment.trips === 1 ? block : this.#repeated(segment.trips, block)));
      if (!isEnd) advanced += segment.trips * step;
    }
    tile.leave(axis);
    if (level > 0 && advanced > 0) code.push(...this.#pointers.advance(axis, -advanced));
    return [this.#functions.module.block(null, code)];
  }

  #repeated(trips: number, code: Code[]): Code[] {
    const { module } = this.#functions;
    const { local, i32 } = module;
    const counter = this.#frame.local(binaryen.i32);
    const label = `loop ${this.#labels++}`;
    const left = i32.sub(local.get(counter, binaryen.i32), i32.const(1));
    const again = module.br_if(label, local.tee(counter, left, binaryen.i32));
    return [local.set(counter, i32.const(trips)), module.loop(label, module.block(null, [...code, again]))];
  }

  #body(): Code[] {
    return this.#values.within(() => {
      const code: Code[] = [];
      for (const copy of this.#tile.bodyCopies) {
        this.#values.lookUpTarget(copy, code);
        code.push(...this.#combined(copy));
      }
      return code;
    });
  }

  /** Combines the body's value in one copy as the nest demands. */
  #combined(copy: Copy): Code[] {
    const { lanes, nest } = this.#tile;
    const frame = this.#frame;
    const code: Code[] = [];
    switch (nest.combination) {
      case "store": {
        const value = this.#values.root(copy, code);
        return [...code, ...this.#values.store(copy, () => frame.get(value), lanes)];
      }
      case "accumulate": {
        const value = this.#values.root(copy, code);
        const sum = frame.variable("sum", binaryen.v128);
        const { arithmetic } = this.#functions.lanes;
        code.push(frame.set(sum, arithmetic.add(this.#values.target(copy), frame.get(value))));
        return [...code, ...this.#values.store(copy, () => frame.get(sum), lanes)];
      }
      case "add":
      case "maximum":
        return this.#running.taken(copy, nest.combination, () => []);
      case "scan":
        return this.#running.taken(copy, "add", (running, lane, count) => {
          if (count > 1 || lane === 0) return this.#values.store(copy, () => frame.get(running), count);
          const { pointer, distance } = this.#values.targetAddress(copy, lane);
          return [this.#functions.lanes.storeLane(0, distance, pointer, frame.get(running))];
        });
    }
  }
}
