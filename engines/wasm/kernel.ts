import binaryen from "binaryen";
import { sizeOf } from "../../spec/core.ts";
import { Frame } from "./frame.ts";
import { isVectorFunction } from "./functions/index.ts";
import { appliedCode, type Functions, fusedCode } from "./functions.ts";
import type { Code } from "./lanes.ts";
import { isLookedUpAlong, type Nest, type Place, walksOf } from "./nest.ts";
import { type Node, type Nodes, nodesOf, type Operation } from "./nodes.ts";
import type { Scheduled } from "./pack.ts";
import { Pointers } from "./pointers.ts";
import { type Schedule, type Segment, segmentsOf } from "./schedule.ts";

/** How many iterations make a loop long. */
const HOT = 2048;

/** A copy of the body: its step along each axis, in this order of axes. */
type Copy = readonly number[];

/**
 * Adds to the module a function that runs a nest, which has some element to compute. With parameters, the function takes the bases of all
 * walks, and runs every nest that differs in these alone.
 */
export function addKernel(
  functions: Functions,
  name: string,
  { nest, schedule }: Scheduled,
  hasParameters: boolean,
): void {
  const parameters = hasParameters ? walksOf(nest).map(() => binaryen.i32) : [];
  const frame = new Frame(parameters.length);
  const pointers = new Pointers(functions.module, frame, nest, hasParameters);
  const body = new Kernel(functions, nest, schedule, frame, pointers).code();
  const taken = binaryen.createType(parameters);
  functions.module.addFunction(name, taken, binaryen.none, [...frame.types], body);
}

/** A function under construction: loops from outside to inside, each computing what depends on no loop further inside. */
class Kernel {
  readonly #frame: Frame;
  readonly #functions: Functions;
  readonly #nest: Nest;
  readonly #schedule: Schedule;
  readonly #nodes: Nodes;
  readonly #pointers: Pointers;
  /** The loop, counted from outside, at which a node is known; −1 if it depends on none. */
  readonly #levels: readonly number[];
  /** Loops that belong to the result. */
  readonly #shapeLoops: number;
  /** Steps side by side along each axis, and elements per step along the vector axis, in the segments around the code being written. */
  readonly #copies: number[];
  #lanes = 1;
  /** Variables of values that are known here, and of all that ever were. */
  readonly #known = new Map<string, number>();
  readonly #variables = new Map<string, number>();
  #labels = 0;

  constructor(functions: Functions, nest: Nest, schedule: Schedule, frame: Frame, pointers: Pointers) {
    this.#frame = frame;
    this.#functions = functions;
    this.#nest = nest;
    this.#schedule = schedule;
    this.#nodes = nodesOf(nest);
    this.#pointers = pointers;
    this.#levels = this.#nodes.list.map(({ axes }) =>
      Math.max(-1, ...[...axes].map((axis) => schedule.order.indexOf(axis))),
    );
    this.#shapeLoops = schedule.order.length - nest.over;
    this.#copies = nest.extents.map(() => 1);
  }

  code(): Code {
    const { module } = this.#functions;
    const computed = this.#computed(-1);
    return module.block(null, [...this.#pointers.begin(), ...computed.code, ...this.#inside(0)]);
  }

  #inside(level: number): Code[] {
    const { combination, over } = this.#nest;
    const isRunning = combination !== "store" && combination !== "accumulate";
    if (isRunning && level === this.#shapeLoops)
      return this.#fold(over > 0 ? () => this.#loop(level) : undefined);
    return level === this.#schedule.order.length ? this.#body() : this.#loop(level);
  }

  #loop(level: number): Code[] {
    const { module } = this.#functions;
    const axis = this.#schedule.order[level] ?? 0;
    const isVector = axis === this.#schedule.vector;
    const segments = this.#segments(axis);
    const code: Code[] = [];
    let advanced = 0;
    const isLast = level === this.#schedule.order.length - 1;
    for (const [position, { trips, copies, lanes }] of segments.entries()) {
      this.#copies[axis] = copies;
      if (isVector) this.#lanes = lanes;
      const computed = isLast ? { keys: [], code: [] } : this.#computed(level);
      const inside = this.#inside(level + 1);
      for (const key of computed.keys) this.#known.delete(key);
      const step = copies * lanes;
      if (trips === 1) {
        code.push(...computed.code, ...inside);
        if (position === segments.length - 1) continue;
        code.push(...this.#pointers.advance(axis, step));
        advanced += step;
      } else {
        code.push(
          ...this.#repeated(trips, [...computed.code, ...inside, ...this.#pointers.advance(axis, step)]),
        );
        advanced += trips * step;
      }
    }
    this.#copies[axis] = 1;
    if (isVector) this.#lanes = 1;
    if (level > 0 && advanced > 0) code.push(...this.#pointers.advance(axis, -advanced));
    return [module.block(null, code)];
  }

  #segments(axis: number): readonly Segment[] {
    const { vector, copies } = this.#schedule;
    const lanes = axis === vector ? this.#functions.lanes.count : 1;
    return segmentsOf(this.#nest.extents[axis] ?? 1, copies[axis] ?? 1, lanes);
  }

  #repeated(trips: number, code: Code[]): Code[] {
    const { module } = this.#functions;
    const { local, i32 } = module;
    const counter = this.#variable(`counter ${this.#labels}`, binaryen.i32);
    const label = `loop${this.#labels++}`;
    const left = i32.sub(local.get(counter, binaryen.i32), i32.const(1));
    const again = module.br_if(label, local.tee(counter, left, binaryen.i32));
    return [local.set(counter, i32.const(trips)), module.loop(label, module.block(null, [...code, again]))];
  }

  /** The nodes that are known at a depth, for all copies. */
  #computed(level: number): { readonly keys: readonly string[]; readonly code: Code[] } {
    const code: Code[] = [];
    const before = new Set(this.#known.keys());
    for (const [position, node] of this.#nodes.list.entries()) {
      if (this.#levels[position] !== level) continue;
      for (const copy of this.#copiesAlong([...node.axes])) this.#value(position, copy, code);
    }
    return { keys: [...this.#known.keys()].filter((key) => !before.has(key)), code };
  }

  /** All copies that differ along these axes, the first axis slowest. */
  #copiesAlong(axes: readonly number[]): Copy[] {
    let copies: Copy[] = [this.#copies.map(() => 0)];
    for (const axis of axes) {
      const steps = this.#copies[axis] ?? 1;
      if (steps === 1) continue;
      copies = copies.flatMap((copy) => Array.from({ length: steps }, (_, step) => copy.with(axis, step)));
    }
    return copies;
  }

  /** The axes of the body's copies: folded ones in the order of the fold, then the others; the one with the fewest copies goes fastest. */
  #copyAxes(part: "all" | "shape"): readonly number[] {
    const { order } = this.#schedule;
    const shape = order.slice(0, this.#shapeLoops);
    const sorted = shape.toSorted((a, b) => (this.#copies[b] ?? 1) - (this.#copies[a] ?? 1));
    return part === "shape" ? sorted : [...order.slice(this.#shapeLoops), ...sorted];
  }

  #body(): Code[] {
    const code: Code[] = [];
    const before = new Set(this.#known.keys());
    for (const copy of this.#copiesAlong(this.#copyAxes("all"))) {
      for (const node of this.#nodes.targetLookups) this.#value(node, copy, code);
      this.#combine(copy, code);
    }
    for (const key of [...this.#known.keys()]) if (!before.has(key)) this.#known.delete(key);
    return code;
  }

  /** Does with the body's value in one copy what the nest does with it. */
  #combine(copy: Copy, code: Code[]): void {
    const { combination } = this.#nest;
    const { arithmetic } = this.#functions.lanes;
    switch (combination) {
      case "store": {
        const value = this.#value(this.#nodes.root, copy, code);
        code.push(...this.#store(copy, () => this.#get(value), this.#lanes));
        return;
      }
      case "accumulate": {
        const value = this.#value(this.#nodes.root, copy, code);
        const sum = this.#variable("sum", binaryen.v128);
        code.push(
          this.#set(
            sum,
            arithmetic.add(this.#load(this.#nest.target, this.#nodes.targetLookups, copy), this.#get(value)),
          ),
        );
        code.push(...this.#store(copy, () => this.#get(sum), this.#lanes));
        return;
      }
      case "add":
      case "maximum":
        if (this.#isByLane()) this.#takeLanes(copy, code, combination, () => []);
        else this.#take(copy, code, combination);
        return;
      case "scan":
        if (this.#isByLane()) {
          this.#takeLanes(copy, code, "add", (running, lane) => {
            const { pointer, distance } = this.#address(
              this.#nest.target,
              this.#nodes.targetLookups,
              copy,
              lane,
            );
            return [this.#functions.lanes.storeLane(0, distance, pointer, this.#get(running))];
          });
          return;
        }
        this.#take(copy, code, "add");
        code.push(...this.#store(copy, () => this.#get(this.#running(copy)), this.#lanes));
    }
  }

  /** Whether the lanes of a value belong to one running value. */
  #isByLane(): boolean {
    const { vector, isOrdered, order } = this.#schedule;
    return isOrdered && vector !== undefined && order.indexOf(vector) >= this.#shapeLoops;
  }

  /** Takes a value into its running value, all lanes at once. */
  #take(copy: Copy, code: Code[], operation: "add" | "maximum"): void {
    const running = this.#running(copy);
    const product = operation === "add" ? this.#freshProduct(copy) : undefined;
    if (product !== undefined) {
      const [x = 0, y = 0] = product.map((operand) => this.#value(operand, copy, code));
      code.push(
        this.#set(running, fusedCode(this.#functions, this.#get(x), this.#get(y), this.#get(running))),
      );
      return;
    }
    const value = this.#value(this.#nodes.root, copy, code);
    code.push(
      this.#set(
        running,
        this.#taken(operation, running, () => this.#get(value)),
      ),
    );
  }

  /** Takes the lanes of a value into one running value, in their order. */
  #takeLanes(
    copy: Copy,
    code: Code[],
    operation: "add" | "maximum",
    after: (running: number, lane: number) => Code[],
  ): void {
    const running = this.#running(copy);
    const value = this.#value(this.#nodes.root, copy, code);
    const next = this.#variable("next", binaryen.v128);
    for (let lane = 0; lane < this.#lanes; lane++) {
      code.push(this.#set(next, this.#functions.lanes.first(this.#get(value), lane)));
      code.push(
        this.#set(
          running,
          this.#taken(operation, running, () => this.#get(next)),
        ),
        ...after(running, lane),
      );
    }
  }

  /** The operands of the root if it is a product that is needed here only, and the machine can add it in one instruction. */
  #freshProduct(copy: Copy): readonly number[] | undefined {
    const root = this.#nodes.list[this.#nodes.root]?.operation;
    if (this.#functions.fused === undefined || root?.kind !== "apply" || root.function !== "multiply")
      return undefined;
    return this.#known.has(this.#key(this.#nodes.root, copy)) ? undefined : root.operands;
  }

  #taken(operation: "add" | "maximum", running: number, next: () => Code): Code {
    const { module, lanes } = this.#functions;
    const { arithmetic } = lanes;
    if (operation === "add") return arithmetic.add(this.#get(running), next());
    const isNext = module.v128.or(arithmetic.lt(this.#get(running), next()), arithmetic.ne(next(), next()));
    return module.v128.bitselect(next(), this.#get(running), isNext);
  }

  /** The running value of a copy: one for each element of the result, or for each lane and copy along a folded axis besides. */
  #running(copy: Copy): number {
    return this.#runningAt(copy, this.#lanes, this.#isSpread() ? (copy[this.#schedule.vector ?? 0] ?? 0) : 0);
  }

  #runningAt(copy: Copy, lanes: number, step: number): number {
    const { order } = this.#schedule;
    const shape = order.slice(0, this.#shapeLoops).map((axis) => copy[axis] ?? 0);
    const part = this.#isSpread() ? `${lanes} ${step}` : "";
    return this.#variable(`running ${shape.join()} ${part}`, binaryen.v128);
  }

  /** Whether a result has several running values, which are put together at the end. */
  #isSpread(): boolean {
    const { vector, isOrdered, order } = this.#schedule;
    return !isOrdered && vector !== undefined && order.indexOf(vector) >= this.#shapeLoops;
  }

  /** The parts of a spread running value: for each the lanes that count. */
  #parts(): readonly { readonly lanes: number; readonly step: number }[] {
    const { vector } = this.#schedule;
    if (!this.#isSpread() || vector === undefined) return [{ lanes: 0, step: 0 }];
    return this.#segments(vector).flatMap(({ copies, lanes }, segment, all) => {
      // Fewer copies of whole vectors go into the first running values.
      if (all.slice(0, segment).some((before) => before.lanes === lanes && before.copies >= copies))
        return [];
      return Array.from({ length: copies }, (_, step) => ({ lanes, step }));
    });
  }

  /** Running values from their start to the store, around the loops of the fold. */
  #fold(loops: (() => Code[]) | undefined): Code[] {
    const { combination } = this.#nest;
    const { lanes } = this.#functions;
    const copies = this.#copiesAlong(this.#copyAxes("shape"));
    const parts = this.#parts();
    const code: Code[] = [];
    for (const copy of copies) {
      for (const { lanes: counted, step } of parts) {
        const running = this.#runningAt(copy, counted === 0 ? this.#lanes : counted, step);
        code.push(this.#set(running, lanes.literal(combination === "maximum" ? -Infinity : 0)));
      }
    }
    code.push(...(loops === undefined ? this.#body() : loops()));
    if (combination !== "add" && combination !== "maximum") return code;
    for (const copy of copies) {
      if (this.#isSpread()) code.push(...this.#gathered(copy, combination, parts));
      else
        code.push(...this.#store(copy, () => this.#get(this.#runningAt(copy, this.#lanes, 0)), this.#lanes));
    }
    return code;
  }

  /** Puts the parts of a running value together and stores it. */
  #gathered(
    copy: Copy,
    operation: "add" | "maximum",
    parts: readonly { readonly lanes: number; readonly step: number }[],
  ): Code[] {
    const code: Code[] = [];
    const total = this.#variable("total", binaryen.v128);
    const next = this.#variable("next", binaryen.v128);
    let isStarted = false;
    for (const counted of new Set(parts.map(({ lanes }) => lanes))) {
      const steps = parts.filter(({ lanes }) => lanes === counted);
      const first = this.#runningAt(copy, counted, 0);
      for (const { step } of steps.slice(1)) {
        const running = this.#runningAt(copy, counted, step);
        code.push(
          this.#set(
            first,
            this.#taken(operation, first, () => this.#get(running)),
          ),
        );
      }
      for (let lane = 0; lane < counted; lane++) {
        const code1 = this.#functions.lanes.first(this.#get(first), lane);
        if (!isStarted) code.push(this.#set(total, code1));
        else {
          code.push(this.#set(next, code1));
          code.push(
            this.#set(
              total,
              this.#taken(operation, total, () => this.#get(next)),
            ),
          );
        }
        isStarted = true;
      }
    }
    return [...code, ...this.#store(copy, () => this.#get(total), 1)];
  }

  /** The variable of a node's value in a copy; what is not known yet is computed, operands first. */
  #value(position: number, copy: Copy, code: Code[], lane?: number): number {
    const node = this.#nodes.list[position];
    if (node === undefined) throw new RangeError(`no node ${position}`);
    const { operation } = node;
    const isWord = operation.kind === "lookup";
    const lanes = isWord && lane === undefined && this.#isLaneWise(node) ? this.#lanes : 1;
    let variable = 0;
    for (let n = 0; n < lanes; n++) {
      const key = this.#key(position, copy, isWord && this.#isLaneWise(node) ? (lane ?? n) : undefined);
      variable = this.#known.get(key) ?? -1;
      if (variable >= 0) continue;
      const value = this.#code(node, copy, code, lane ?? n);
      variable = this.#variable(key, isWord ? binaryen.i32 : binaryen.v128);
      this.#known.set(key, variable);
      code.push(this.#set(variable, value));
    }
    return variable;
  }

  #isLaneWise(node: Node): boolean {
    return this.#schedule.vector !== undefined && node.axes.has(this.#schedule.vector);
  }

  #key(position: number, copy: Copy, lane?: number): string {
    const axes = this.#nodes.list[position]?.axes;
    const steps = copy.map((step, axis) => (axes?.has(axis) === true ? step : 0));
    return `${position} ${steps.join()} ${lane ?? ""}`;
  }

  #code(node: Node, copy: Copy, code: Code[], lane: number): Code {
    const { module, lanes } = this.#functions;
    const { operation } = node;
    const operand = (position: number): (() => Code) => {
      const variable = this.#value(position, copy, code);
      return () => this.#get(variable);
    };
    const operands = (positions: readonly number[]): [() => Code, () => Code] => {
      const [x, y] = positions.map(operand);
      if (x === undefined || y === undefined) throw new RangeError("two operands are missing");
      return [x, y];
    };
    switch (operation.kind) {
      case "literal":
        return lanes.literal(operation.value);
      case "read": {
        for (const lookup of operation.lookups) this.#value(lookup, copy, code);
        const place = this.#nest.reads[operation.read];
        if (place === undefined) throw new RangeError(`no read ${operation.read}`);
        return this.#load(place, operation.lookups, copy);
      }
      case "lookup": {
        const lookup = operation.place.lookups[operation.lookup];
        if (lookup === undefined) throw new RangeError(`no lookup ${operation.lookup}`);
        const { strides, scale } = lookup;
        const { pointer, distance } = this.#pointers.at(lookup);
        const { far, near } = this.#reach(pointer, distance + this.#along(strides, copy, lane));
        return module.i32.mul(module.i32.load(near, 4, far), module.i32.const(scale));
      }
      case "mask": {
        const [x, y] = operands(operation.operands);
        return lanes.arithmetic[operation.relation](x(), y());
      }
      case "indicator":
        return module.v128.and(operand(operation.mask)(), lanes.literal(1));
      case "select": {
        const mask = operand(operation.mask);
        const [x, y] = operands(operation.operands);
        return module.v128.bitselect(x(), y(), mask());
      }
      case "apply": {
        const values = operation.operands.map(operand);
        const written = this.#writtenOut(operation, copy);
        if (written !== undefined) return written;
        return appliedCode(this.#functions, operation.function, values, this.#lanes, !this.#isLaneWise(node));
      }
    }
  }

  /** An own function in the middle of a long loop, written out: a call would cost a good part of it. */
  #writtenOut(
    { function: name, operands }: Extract<Operation, { kind: "apply" }>,
    copy: Copy,
  ): Code | undefined {
    const { own, lanes } = this.#functions;
    const [operand] = operands;
    const isHot = this.#lanes === lanes.count && sizeOf(this.#nest.extents) >= HOT;
    if (own === undefined || operand === undefined || !isHot || !isVectorFunction(name)) return undefined;
    const variable = this.#known.get(this.#key(operand, copy));
    if (variable === undefined) return undefined;
    const { code, locals } = own.inPlace(name, variable, this.#frame.next);
    for (const type of locals) this.#frame.local(type);
    return code;
  }

  /** The elements of a place along the vector axis; all lanes the same if it does not move. */
  #load(place: Place, lookups: readonly number[], copy: Copy): Code {
    const { lanes } = this.#functions;
    const at = (lane: number) => this.#address(place, lookups, copy, lane);
    const { pointer, distance } = at(0);
    switch (this.#manner(place)) {
      case "one":
        return lanes.loadSplat(distance, pointer);
      case "row":
        return lanes.load(this.#lanes, distance, pointer);
      case "apart": {
        let vector = lanes.load(1, distance, pointer);
        for (let lane = 1; lane < this.#lanes; lane++) {
          const next = at(lane);
          vector = lanes.loadLane(lane, next.distance, next.pointer, vector);
        }
        return vector;
      }
    }
  }

  #store(copy: Copy, value: () => Code, active: number): Code[] {
    const { lanes } = this.#functions;
    const { target } = this.#nest;
    const at = (lane: number) => this.#address(target, this.#nodes.targetLookups, copy, lane);
    const { pointer, distance } = at(0);
    switch (this.#manner(target)) {
      case "one":
        return [lanes.storeLane(0, distance, pointer, value())];
      case "row":
        return [lanes.store(active, distance, pointer, value())];
      case "apart":
        return Array.from({ length: active }, (_, lane) => {
          const next = lane === 0 ? { pointer, distance } : at(lane);
          return lanes.storeLane(lane, next.distance, next.pointer, value());
        });
    }
  }

  /** How the lanes of a place lie: all at one element, side by side, or apart. */
  #manner(place: Place): "one" | "row" | "apart" {
    const { vector } = this.#schedule;
    if (vector === undefined) return "one";
    if (isLookedUpAlong(place, vector)) return "apart";
    const stride = place.strides[vector] ?? 0;
    if (stride === 0) return "one";
    return stride === this.#functions.lanes.bytes ? "row" : "apart";
  }

  /** Where a lane of a copy lies. */
  #address(
    place: Place,
    lookups: readonly number[],
    copy: Copy,
    lane: number,
  ): { readonly pointer: Code; readonly distance: number } {
    const { module } = this.#functions;
    const walked = this.#pointers.at(place);
    const total = walked.distance + this.#along(place.strides, copy, lane);
    if (lookups.length === 0) {
      const { far, near } = this.#reach(walked.pointer, total);
      return { pointer: far, distance: near };
    }
    // A sum of 32-bit words may pass through numbers below 0: only the whole of it is an address.
    const pointer = lookups.reduce(
      (sum, lookup) => {
        const word = this.#known.get(
          this.#key(lookup, copy, this.#isWordLaneWise(lookup) ? lane : undefined),
        );
        if (word === undefined) throw new RangeError(`lookup ${lookup} is not known`);
        return module.i32.add(sum, module.local.get(word, binaryen.i32));
      },
      module.i32.add(walked.pointer, module.i32.const(total)),
    );
    return { pointer, distance: 0 };
  }

  #isWordLaneWise(lookup: number): boolean {
    const node = this.#nodes.list[lookup];
    return node !== undefined && this.#isLaneWise(node);
  }

  /** An address as an instruction takes it: the distance from the pointer must not be negative. */
  #reach(pointer: Code, distance: number): { readonly far: Code; readonly near: number } {
    const { i32 } = this.#functions.module;
    return distance >= 0
      ? { far: pointer, near: distance }
      : { far: i32.add(pointer, i32.const(distance)), near: 0 };
  }

  /** The way from the first copy and lane to this one. */
  #along(strides: readonly number[], copy: Copy, lane: number): number {
    const { vector } = this.#schedule;
    return strides.reduce((sum, stride, axis) => {
      const step = axis === vector ? (copy[axis] ?? 0) * this.#lanes + lane : (copy[axis] ?? 0);
      return sum + stride * step;
    }, 0);
  }

  #variable(name: string, type: binaryen.Type): number {
    const variable = this.#variables.get(name) ?? this.#frame.local(type);
    this.#variables.set(name, variable);
    return variable;
  }

  #get(variable: number): Code {
    return this.#functions.module.local.get(variable, binaryen.v128);
  }

  #set(variable: number, value: Code): Code {
    return this.#functions.module.local.set(variable, value);
  }
}
