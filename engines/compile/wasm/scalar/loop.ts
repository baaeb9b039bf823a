import binaryen from "binaryen";
import { at } from "../../../../spec/shapes/index.ts";
import type { Functions } from "../functions.ts";
import type { Code } from "../lanes.ts";
import type { Variables } from "./emission.ts";

/**
 * The places say where the numbers of a plan lie. A slot's *offset* is its number times the bytes of a
 * number; its value is at `values` + offset, its cotangent (or tangent) at the global `cotangents` + offset.
 * Tables give operands as offsets: `pairs` x and y, 8 bytes a slot, `thirds` z; `pairBars` and `thirdBars`
 * say where staged contributions go.
 */
export interface Places {
  readonly values: number;
  readonly isStaged: boolean;
}

/** The globals that the host sets before a run. */
export const tableGlobals = ["cotangents", "pairs", "thirds", "pairBars", "thirdBars"] as const;

/** Writes one loop over the slots from parameter 0 to parameter 1: its pointers, and accesses by them. */
export class Loop {
  readonly #functions: Functions;
  readonly #places: Places;
  readonly #bases: Readonly<Record<(typeof tableGlobals)[number], number>>;
  readonly #slot: number;
  readonly #offset: number;
  /** Variables with the offsets of operands, by operand and lane. */
  readonly #operands: readonly (readonly number[])[];

  constructor(functions: Functions, places: Places, variables: Variables) {
    const add = (): number => variables.add(binaryen.i32);
    this.#functions = functions;
    this.#places = places;
    this.#bases = { cotangents: add(), pairs: add(), thirds: add(), pairBars: add(), thirdBars: add() };
    this.#slot = 0;
    this.#offset = add();
    this.#operands = [0, 1, 2].map(() => Array.from({ length: functions.lanes.count }, add));
  }

  /** Initialises the pointers. */
  begin(): readonly Code[] {
    const { module } = this.#functions;
    return [
      ...tableGlobals.map((name) =>
        module.local.set(this.#bases[name], module.global.get(name, binaryen.i32)),
      ),
      module.local.set(this.#offset, this.#times(this.#get(this.#slot), this.#functions.lanes.bytes)),
    ];
  }

  /** Repeats the body while `count` more slots fit. */
  whileFits(label: string, count: number, body: Code): Code {
    const { module } = this.#functions;
    const { i32 } = module;
    const fits = i32.le_s(i32.add(this.#get(this.#slot), i32.const(count)), this.#get(1));
    return module.block(`${label} end`, [
      module.loop(
        label,
        module.block(null, [module.br_if(`${label} end`, i32.eqz(fits)), body, module.br(label)]),
      ),
    ]);
  }

  /** Moves the pointers on. */
  advance(count: number): readonly Code[] {
    const { module, lanes } = this.#functions;
    const moved = (variable: number, by: number): Code =>
      module.local.set(variable, module.i32.add(this.#get(variable), module.i32.const(by)));
    return [moved(this.#slot, count), moved(this.#offset, count * lanes.bytes)];
  }

  /** Loads the offsets of the operands of these numbers. */
  lookUp(operands: Iterable<number>, active: number): readonly Code[] {
    return [...operands].flatMap((operand) =>
      this.#operands.flatMap((variables, n) =>
        n === operand
          ? variables.slice(0, active).map((variable, lane) => {
              const table = operand === 2 ? "thirds" : "pairs";
              return this.#functions.module.local.set(variable, this.#entry(table, operand, lane));
            })
          : [],
      ),
    );
  }

  /** Loads an operand's value (or cotangent) in each lane. */
  ofOperand(field: "value" | "cotangent", operand: number, active: number): Code {
    const { lanes } = this.#functions;
    const fieldOf = (lane: number): Field =>
      this.#fieldAt(field, this.#get(at(at(this.#operands, operand), lane)));
    const first = fieldOf(0);
    let vector = lanes.load(1, first.distance, first.pointer);
    for (let lane = 1; lane < active; lane++) {
      const { distance, pointer } = fieldOf(lane);
      vector = lanes.loadLane(lane, distance, pointer, vector);
    }
    return vector;
  }

  /** Loads the value (or cotangent) of the slots themselves. */
  own(field: "value" | "cotangent", active: number): Code {
    const { distance, pointer } = this.#fieldAt(field, this.#get(this.#offset));
    return this.#functions.lanes.load(active, distance, pointer);
  }

  /** Stores the value (or cotangent) of the slots themselves. */
  storeOwn(field: "value" | "cotangent", active: number, vector: Code): Code {
    const { distance, pointer } = this.#fieldAt(field, this.#get(this.#offset));
    return this.#functions.lanes.store(active, distance, pointer, vector);
  }

  /** Adds a lane of a vector where contributions to the operand go. */
  contribute(operand: number, lane: number, vector: Code): Code {
    const { lanes } = this.#functions;
    const bars = operand === 2 ? "thirdBars" : "pairBars";
    const place = (): Code =>
      this.#places.isStaged
        ? this.#entry(bars, operand, lane)
        : this.#get(at(at(this.#operands, operand), lane));
    const to = this.#fieldAt("cotangent", place());
    const from = this.#fieldAt("cotangent", place());
    const sum = lanes.arithmetic.add(lanes.load(1, from.distance, from.pointer), lanes.first(vector, lane));
    return lanes.store(1, to.distance, to.pointer, sum);
  }

  #entry(table: Exclude<(typeof tableGlobals)[number], "cotangents">, operand: number, lane: number): Code {
    const { i32 } = this.#functions.module;
    const isPair = operand < 2;
    const row = this.#times(this.#get(this.#slot), isPair ? 8 : 4);
    return i32.load(
      isPair ? 8 * lane + 4 * operand : 4 * lane,
      4,
      i32.add(this.#get(this.#bases[table]), row),
    );
  }

  #fieldAt(field: "value" | "cotangent", offset: Code): Field {
    if (field === "value") return { distance: this.#places.values, pointer: offset };
    const { i32 } = this.#functions.module;
    return { distance: 0, pointer: i32.add(this.#get(this.#bases.cotangents), offset) };
  }

  #times(slot: Code, bytes: 4 | 8): Code {
    const { i32 } = this.#functions.module;
    return i32.shl(slot, i32.const(bytes === 8 ? 3 : 2));
  }

  #get(variable: number): Code {
    return this.#functions.module.local.get(variable, binaryen.i32);
  }
}

interface Field {
  readonly distance: number;
  readonly pointer: Code;
}
