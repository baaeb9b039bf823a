import binaryen from "binaryen";
import { at, pair, present, sizeOf } from "../../../spec/shapes/index.ts";
import type { Frame } from "./frame.ts";
import { isVectorFunction } from "./functions/index.ts";
import { appliedCode, type Functions } from "./functions.ts";
import type { Code } from "./lanes.ts";
import { isLookedUpAlong, type Place } from "./nest.ts";
import { type Node, type Nodes, nodesOf, type Operation } from "./nodes.ts";
import type { Pointers, Position } from "./pointers.ts";
import type { Copy, Tile } from "./tile.ts";

/** A loop of so many iterations is long. */
const HOT = 2048;

/** Computes a body's values, copy by copy, once each; they are known until the code around them ends. */
export class Values {
  readonly #functions: Functions;
  readonly #tile: Tile;
  readonly #frame: Frame;
  readonly #pointers: Pointers;
  readonly #nodes: Nodes;
  /** The loop at which a node is known, counted from outside; −1 if it depends on none. */
  readonly #levels: readonly number[];
  /** Variables of values that are known here. */
  readonly #known = new Map<string, number>();

  constructor(functions: Functions, tile: Tile, frame: Frame, pointers: Pointers) {
    this.#functions = functions;
    this.#tile = tile;
    this.#frame = frame;
    this.#pointers = pointers;
    this.#nodes = nodesOf(tile.nest);
    const { order } = tile.schedule;
    this.#levels = this.#nodes.list.map(({ axes }) =>
      Math.max(-1, ...[...axes].map((axis) => order.indexOf(axis))),
    );
  }

  /** Calls `write`, and forgets afterwards what it has made known. */
  within<T>(write: () => T): T {
    const before = new Set(this.#known.keys());
    const written = write();
    for (const key of [...this.#known.keys()]) if (!before.has(key)) this.#known.delete(key);
    return written;
  }

  /** Computes what is known at a depth, for all copies. */
  computed(level: number): Code[] {
    const code: Code[] = [];
    for (const [position, node] of this.#nodes.list.entries()) {
      if (this.#levels[position] !== level) continue;
      for (const copy of this.#tile.copiesAlong([...node.axes])) this.value(position, copy, code);
    }
    return code;
  }

  /** Returns the variable of the body's value. */
  root(copy: Copy, code: Code[]): number {
    return this.value(this.#nodes.root, copy, code);
  }

  /** Returns the operands of the body if it is a product that one instruction can multiply and add. */
  freshProduct(copy: Copy): readonly number[] | undefined {
    const { operation: root } = at(this.#nodes.list, this.#nodes.root);
    if (this.#functions.fused === undefined || root.kind !== "apply") return undefined;
    if (root.function !== "multiply") return undefined;
    return this.#known.has(this.#key(this.#nodes.root, copy)) ? undefined : root.operands;
  }

  /** Loads what the target holds. */
  target(copy: Copy): Code {
    return this.#load(this.#tile.nest.target, this.#nodes.targetLookups, copy);
  }

  /** Returns the address of a lane of the target. */
  targetAddress(copy: Copy, lane: number): Position {
    return this.#address(this.#tile.nest.target, this.#nodes.targetLookups, copy, lane);
  }

  /** Loads the lookups of the target. */
  lookUpTarget(copy: Copy, code: Code[]): void {
    for (const node of this.#nodes.targetLookups) this.value(node, copy, code);
  }

  /** Returns the variable of a node's value in a copy, computing it, operands first, if it is not known. */
  value(position: number, copy: Copy, code: Code[], lane?: number): number {
    const node = at(this.#nodes.list, position);
    const { operation } = node;
    const isWord = operation.kind === "lookup";
    const lanes = isWord && lane === undefined && this.#isLaneWise(node) ? this.#tile.lanes : 1;
    let variable: number | undefined;
    for (let n = 0; n < lanes; n++) {
      const key = this.#key(position, copy, isWord && this.#isLaneWise(node) ? (lane ?? n) : undefined);
      variable = this.#known.get(key);
      if (variable !== undefined) continue;
      const value = this.#code(node, copy, code, lane ?? n);
      variable = this.#frame.variable(key, isWord ? binaryen.i32 : binaryen.v128);
      this.#known.set(key, variable);
      code.push(this.#frame.set(variable, value));
    }
    return present(variable, "a lane");
  }

  #isLaneWise(node: Node): boolean {
    return this.#tile.schedule.vector !== undefined && node.axes.has(this.#tile.schedule.vector);
  }

  #key(position: number, copy: Copy, lane?: number): string {
    const { axes } = at(this.#nodes.list, position);
    const steps = copy.map((step, axis) => (axes.has(axis) ? step : 0));
    return `${position} ${steps.join()} ${lane ?? ""}`;
  }

  #code(node: Node, copy: Copy, code: Code[], lane: number): Code {
    const { module, lanes } = this.#functions;
    const { operation } = node;
    const operand = (position: number): (() => Code) => {
      const variable = this.value(position, copy, code);
      return () => this.#frame.get(variable);
    };
    switch (operation.kind) {
      case "literal":
        return lanes.literal(operation.value);
      case "read": {
        for (const lookup of operation.lookups) this.value(lookup, copy, code);
        return this.#load(at(this.#tile.nest.reads, operation.read), operation.lookups, copy);
      }
      case "lookup": {
        const lookup = at(operation.place.lookups, operation.lookup);
        const { strides, scale } = lookup;
        const walked = this.#pointers.at(lookup);
        const way = this.#tile.along(strides, copy, lane);
        const { pointer, distance } = this.#reach(walked.pointer, walked.distance + way);
        return module.i32.mul(module.i32.load(distance, 4, pointer), module.i32.const(scale));
      }
      case "mask": {
        const [x, y] = pair(operation.operands.map(operand));
        return lanes.arithmetic[operation.relation](x(), y());
      }
      case "indicator":
        return module.v128.and(operand(operation.mask)(), lanes.literal(1));
      case "select": {
        const mask = operand(operation.mask);
        const [x, y] = pair(operation.operands.map(operand));
        return module.v128.bitselect(x(), y(), mask());
      }
      case "apply": {
        const values = operation.operands.map(operand);
        const written = this.#writtenOut(operation, copy);
        if (written !== undefined) return written;
        return appliedCode(
          this.#functions,
          operation.function,
          values,
          this.#tile.lanes,
          !this.#isLaneWise(node),
        );
      }
    }
  }

  /** Inlines an own function in the middle of a long loop, where a call would be costly. */
  #writtenOut(
    { function: name, operands }: Extract<Operation, { kind: "apply" }>,
    copy: Copy,
  ): Code | undefined {
    const { own } = this.#functions;
    const [operand] = operands;
    const isHot = this.#tile.isWhole && sizeOf(this.#tile.nest.extents) >= HOT;
    if (own === undefined || operand === undefined || !isHot || !isVectorFunction(name)) return undefined;
    const variable = this.#known.get(this.#key(operand, copy));
    if (variable === undefined) return undefined;
    const { code, locals } = own.inPlace(name, variable, this.#frame.next);
    for (const type of locals) this.#frame.local(type);
    return code;
  }

  /** Loads the elements of a place along the vector axis; all lanes are equal if it does not move. */
  #load(place: Place, lookups: readonly number[], copy: Copy): Code {
    const { lanes } = this.#functions;
    const placeOf = (lane: number): Position => this.#address(place, lookups, copy, lane);
    const { pointer, distance } = placeOf(0);
    switch (this.#manner(place)) {
      case "one":
        return lanes.loadSplat(distance, pointer);
      case "row":
        return lanes.load(this.#tile.lanes, distance, pointer);
      case "apart": {
        let vector = lanes.load(1, distance, pointer);
        for (let lane = 1; lane < this.#tile.lanes; lane++) {
          const next = placeOf(lane);
          vector = lanes.loadLane(lane, next.distance, next.pointer, vector);
        }
        return vector;
      }
    }
  }

  /** Stores lanes of a value. */
  store(copy: Copy, value: () => Code, active: number): Code[] {
    const { lanes } = this.#functions;
    const { target } = this.#tile.nest;
    const placeOf = (lane: number): Position => this.targetAddress(copy, lane);
    const { pointer, distance } = placeOf(0);
    switch (this.#manner(target)) {
      case "one":
        return [lanes.storeLane(0, distance, pointer, value())];
      case "row":
        return [lanes.store(active, distance, pointer, value())];
      case "apart":
        return Array.from({ length: active }, (_, lane) => {
          const next = lane === 0 ? { pointer, distance } : placeOf(lane);
          return lanes.storeLane(lane, next.distance, next.pointer, value());
        });
    }
  }

  /** Says how the lanes of a place lie: at one element, side by side, or apart. */
  #manner(place: Place): "one" | "row" | "apart" {
    const { vector } = this.#tile.schedule;
    if (vector === undefined) return "one";
    if (isLookedUpAlong(place, vector)) return "apart";
    const stride = at(place.strides, vector);
    if (stride === 0) return "one";
    return stride === this.#functions.lanes.bytes ? "row" : "apart";
  }

  /** Returns the address of a lane of a copy. */
  #address(place: Place, lookups: readonly number[], copy: Copy, lane: number): Position {
    const { module } = this.#functions;
    const walked = this.#pointers.at(place);
    const total = walked.distance + this.#tile.along(place.strides, copy, lane);
    if (lookups.length === 0) return this.#reach(walked.pointer, total);
    // A sum of 32-bit words may pass through negative numbers; only the whole of it is an address.
    const pointer = lookups.reduce(
      (sum, lookup) => {
        const key = this.#key(lookup, copy, this.#isWordLaneWise(lookup) ? lane : undefined);
        const word = present(this.#known.get(key), key);
        return module.i32.add(sum, module.local.get(word, binaryen.i32));
      },
      module.i32.add(walked.pointer, module.i32.const(total)),
    );
    return { pointer, distance: 0 };
  }

  #isWordLaneWise(lookup: number): boolean {
    return this.#isLaneWise(at(this.#nodes.list, lookup));
  }

  /** Makes an address with a nonnegative distance, as instructions demand. */
  #reach(pointer: Code, distance: number): Position {
    const { i32 } = this.#functions.module;
    return distance >= 0
      ? { pointer, distance }
      : { pointer: i32.add(pointer, i32.const(distance)), distance: 0 };
  }
}
