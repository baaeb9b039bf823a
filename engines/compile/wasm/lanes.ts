import type binaryen from "binaryen";
import type { Precision } from "../plan/index.ts";

/** An expression of a module under construction. */
export type Code = binaryen.ExpressionRef;

/** A module under construction. */
export type Module = binaryen.Module;

/**
 * The instructions on 128-bit vectors of one precision. Single numbers are vectors too: lane 0 costs what a
 * scalar costs, and the remainder of a loop is the code of its middle with fewer lanes loaded and stored.
 */
export interface Lanes {
  readonly bytes: 4 | 8;
  /** Lanes in a vector. */
  readonly count: 2 | 4;
  readonly arithmetic: Arithmetic;
  /** Loads the first lanes; the others are 0. */
  load(active: number, offset: number, pointer: Code): Code;
  loadSplat(offset: number, pointer: Code): Code;
  loadLane(lane: number, offset: number, pointer: Code, vector: Code): Code;
  /** Stores the first lanes. */
  store(active: number, offset: number, pointer: Code, vector: Code): Code;
  storeLane(lane: number, offset: number, pointer: Code, vector: Code): Code;
  literal(value: number): Code;
  /** Extracts a lane as float64. */
  extract(vector: Code, lane: number): Code;
  /** Puts a float64, rounded, into every lane. */
  splat(value: Code): Code;
  /** Puts a float64, rounded, into one lane. */
  replace(vector: Code, lane: number, value: Code): Code;
  /** Moves lane `lane` to lane 0; the others do not matter. */
  first(vector: Code, lane: number): Code;
}

/** The vector instructions that both precisions have. */
interface Arithmetic {
  add(left: Code, right: Code): Code;
  sub(left: Code, right: Code): Code;
  mul(left: Code, right: Code): Code;
  div(left: Code, right: Code): Code;
  eq(left: Code, right: Code): Code;
  ne(left: Code, right: Code): Code;
  lt(left: Code, right: Code): Code;
  neg(value: Code): Code;
  sqrt(value: Code): Code;
  floor(value: Code): Code;
}

/** Returns the instructions of a precision. */
export function lanesOf(module: Module, precision: Precision): Lanes {
  return precision === "float64" ? doubles(module) : singles(module);
}

function doubles(m: Module): Lanes {
  return {
    bytes: 8,
    count: 2,
    arithmetic: m.f64x2,
    load: (active, offset, pointer) =>
      active === 2 ? m.v128.load(offset, 8, pointer) : m.v128.load64_zero(offset, 8, pointer),
    loadSplat: (offset, pointer) => m.v128.load64_splat(offset, 8, pointer),
    loadLane: (lane, offset, pointer, vector) => m.v128.load64_lane(offset, 8, lane, pointer, vector),
    store: (active, offset, pointer, vector) =>
      active === 2
        ? m.v128.store(offset, 8, pointer, vector)
        : m.v128.store64_lane(offset, 8, 0, pointer, vector),
    storeLane: (lane, offset, pointer, vector) => m.v128.store64_lane(offset, 8, lane, pointer, vector),
    literal: (value) => m.v128.const(bytesOf(new Float64Array(2).fill(value))),
    extract: (vector, lane) => m.f64x2.extract_lane(vector, lane),
    splat: (value) => m.f64x2.splat(value),
    replace: (vector, lane, value) => m.f64x2.replace_lane(vector, lane, value),
    first: (vector, lane) => (lane === 0 ? vector : m.f64x2.splat(m.f64x2.extract_lane(vector, lane))),
  };
}

function singles(m: Module): Lanes {
  return {
    bytes: 4,
    count: 4,
    arithmetic: m.f32x4,
    load: (active, offset, pointer) => {
      if (active === 4) return m.v128.load(offset, 4, pointer);
      return active === 2 ? m.v128.load64_zero(offset, 4, pointer) : m.v128.load32_zero(offset, 4, pointer);
    },
    loadSplat: (offset, pointer) => m.v128.load32_splat(offset, 4, pointer),
    loadLane: (lane, offset, pointer, vector) => m.v128.load32_lane(offset, 4, lane, pointer, vector),
    store: (active, offset, pointer, vector) => {
      if (active === 4) return m.v128.store(offset, 4, pointer, vector);
      return active === 2
        ? m.v128.store64_lane(offset, 4, 0, pointer, vector)
        : m.v128.store32_lane(offset, 4, 0, pointer, vector);
    },
    storeLane: (lane, offset, pointer, vector) => m.v128.store32_lane(offset, 4, lane, pointer, vector),
    literal: (value) => m.v128.const(bytesOf(new Float32Array(4).fill(value))),
    extract: (vector, lane) => m.f64.promote(m.f32x4.extract_lane(vector, lane)),
    splat: (value) => m.f32x4.splat(m.f32.demote(value)),
    replace: (vector, lane, value) => m.f32x4.replace_lane(vector, lane, m.f32.demote(value)),
    first: (vector, lane) => (lane === 0 ? vector : m.f32x4.splat(m.f32x4.extract_lane(vector, lane))),
  };
}

function bytesOf(numbers: Float64Array | Float32Array): number[] {
  return [...new Uint8Array(numbers.buffer)];
}
