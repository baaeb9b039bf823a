import binaryen from "binaryen";
import { at, pair } from "../../../spec/shapes/index.ts";
import type { Frame } from "./frame.ts";
import { type Functions, fusedCode } from "./functions.ts";
import type { Code } from "./lanes.ts";
import type { Copy, Tile } from "./tile.ts";
import type { Values } from "./values.ts";

/** A running value's number of lanes, and its number among those with as many. */
interface Part {
  readonly lanes: number;
  readonly step: number;
}

/** The operations that take values into running ones. */
export type Taking = "add" | "maximum";

/**
 * The running values of a fold, one for each element of the result, in a lane. If a folded axis goes into
 * lanes, either one of them takes lane after lane, in order, or several take parts in every lane and are
 * joined at the end.
 */
export class RunningValues {
  readonly #functions: Functions;
  readonly #tile: Tile;
  readonly #frame: Frame;
  readonly #values: Values;

  constructor(functions: Functions, tile: Tile, frame: Frame, values: Values) {
    this.#functions = functions;
    this.#tile = tile;
    this.#frame = frame;
    this.#values = values;
  }

  /** Starts the running values of all copies. */
  started(operation: Taking): Code[] {
    const start = operation === "maximum" ? -Infinity : 0;
    return this.#tile.shapeCopies.flatMap((copy) =>
      this.#parts().map(({ lanes, step }) =>
        this.#frame.set(this.#at(copy, lanes, step), this.#functions.lanes.literal(start)),
      ),
    );
  }

  /** Takes the body's value in; `after` gets each result's first lane and number of lanes. */
  taken(
    copy: Copy,
    operation: Taking,
    after: (running: number, lane: number, lanes: number) => Code[],
  ): Code[] {
    return this.#tile.isAcross && this.#tile.schedule.isOrdered
      ? this.#laneByLane(copy, operation, after)
      : this.#atOnce(copy, operation, after);
  }

  /** Stores the results of all copies. */
  stored(operation: Taking): Code[] {
    const { lanes } = this.#tile;
    return this.#tile.shapeCopies.flatMap((copy) =>
      this.#isSpread
        ? this.#gathered(copy, operation)
        : this.#values.store(copy, () => this.#frame.get(this.#at(copy, lanes, 0)), lanes),
    );
  }

  get #isSpread(): boolean {
    return this.#tile.isAcross && !this.#tile.schedule.isOrdered;
  }

  #atOnce(
    copy: Copy,
    operation: Taking,
    after: (running: number, lane: number, lanes: number) => Code[],
  ): Code[] {
    const { vector } = this.#tile.schedule;
    const { lanes } = this.#tile;
    const running = this.#at(copy, lanes, vector === undefined ? 0 : at(copy, vector));
    const product = operation === "add" ? this.#values.freshProduct(copy) : undefined;
    const code: Code[] = [];
    if (product !== undefined) {
      const [x, y] = pair(product.map((operand) => this.#values.value(operand, copy, code)));
      const [left, right, sum] = [this.#frame.get(x), this.#frame.get(y), this.#frame.get(running)];
      code.push(this.#frame.set(running, fusedCode(this.#functions, left, right, sum)));
    } else {
      const value = this.#values.root(copy, code);
      code.push(this.#take(operation, running, value));
    }
    return [...code, ...after(running, 0, lanes)];
  }

  #laneByLane(
    copy: Copy,
    operation: Taking,
    after: (running: number, lane: number, lanes: number) => Code[],
  ): Code[] {
    const { lanes } = this.#functions;
    const running = this.#at(copy, 0, 0);
    const code: Code[] = [];
    const value = this.#values.root(copy, code);
    const next = this.#frame.variable("next", binaryen.v128);
    for (let lane = 0; lane < this.#tile.lanes; lane++) {
      code.push(this.#frame.set(next, lanes.first(this.#frame.get(value), lane)));
      code.push(this.#take(operation, running, next), ...after(running, lane, 1));
    }
    return code;
  }

  /** Takes one variable into another. */
  #take(operation: Taking, running: number, next: number): Code {
    const { module, lanes } = this.#functions;
    const { arithmetic } = lanes;
    const x = (): Code => this.#frame.get(running);
    const y = (): Code => this.#frame.get(next);
    if (operation === "add") return this.#frame.set(running, arithmetic.add(x(), y()));
    const isNext = module.v128.or(arithmetic.lt(x(), y()), arithmetic.ne(y(), y()));
    return this.#frame.set(running, module.v128.bitselect(y(), x(), isNext));
  }

  /** Returns the variable of a running value. */
  #at(copy: Copy, lanes: number, step: number): number {
    const shape = this.#tile.schedule.order.slice(0, this.#tile.shapeLoops).map((axis) => at(copy, axis));
    const part = this.#isSpread ? `${lanes} ${step}` : "";
    return this.#frame.variable(`running ${shape.join()} ${part}`, binaryen.v128);
  }

  #parts(): readonly Part[] {
    const { vector } = this.#tile.schedule;
    if (!this.#isSpread || vector === undefined) return [{ lanes: 0, step: 0 }];
    return this.#tile.segments(vector).flatMap(({ copies, lanes }, segment, all) => {
      // Fewer copies of whole vectors go into the first running values.
      const isThere = all
        .slice(0, segment)
        .some((before) => before.lanes === lanes && before.copies >= copies);
      return isThere ? [] : Array.from({ length: copies }, (_, step) => ({ lanes, step }));
    });
  }

  /** Joins the parts of a running value, whole vectors first and then lanes, and stores it. */
  #gathered(copy: Copy, operation: Taking): Code[] {
    const { lanes } = this.#functions;
    const parts = this.#parts();
    const code: Code[] = [];
    const total = this.#frame.variable("total", binaryen.v128);
    const next = this.#frame.variable("next", binaryen.v128);
    let isStarted = false;
    for (const counted of new Set(parts.map((part) => part.lanes))) {
      const first = this.#at(copy, counted, 0);
      for (const part of parts) {
        if (part.lanes !== counted || part.step === 0) continue;
        code.push(this.#take(operation, first, this.#at(copy, counted, part.step)));
      }
      for (let lane = 0; lane < counted; lane++) {
        const element = lanes.first(this.#frame.get(first), lane);
        if (isStarted) code.push(this.#frame.set(next, element), this.#take(operation, total, next));
        else code.push(this.#frame.set(total, element));
        isStarted = true;
      }
    }
    return [...code, ...this.#values.store(copy, () => this.#frame.get(total), 1)];
  }
}
