import type { EnvironmentEntry, PrimitiveAttributes, PrimitiveName } from "../../spec/operators/index.ts";
import type { NodeId, Shape } from "../../spec/shapes/index.ts";
import { clear, type Machine } from "./machine.ts";

/** A sum in the work space that is added to the slot of a parent which a node names repeatedly. */
export interface Fold {
  readonly from: number;
  readonly into: number;
  readonly size: number;
}

/** The offset of a missing tensor. Reads from it throw: it is below 0 by more than any arena's length. */
export const NOWHERE: number = -(2 ** 31);

/** One node, laid out: where its numbers lie in the arenas, and the table of its kernel. */
export interface Step {
  readonly id: NodeId;
  readonly rules: Rules;
  /** The offset of the node's value, tangent and cotangent. */
  readonly out: number;
  /** Elements of the value. */
  readonly size: number;
  /** The offsets of the operands' values and tangents. */
  readonly operands: readonly number[];
  /** The first three of `operands`; {@link NOWHERE} where there is none. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Elements of the first operand; 0 where there is none. */
  readonly xSize: number;
  /** Each operand's contribution is added to its slot, or to the work space if the node names it twice. */
  readonly bars: readonly number[];
  /** The first three of `bars`; {@link NOWHERE} where there is none. */
  readonly xBar: number;
  readonly yBar: number;
  readonly zBar: number;
  /** The ids that receive a contribution. */
  readonly receivers: readonly NodeId[];
  readonly folds: readonly Fold[];
  /** The result of {@link Kernel.prepare}. */
  readonly table: Int32Array;
  /** The result of {@link Kernel.literal}; NaN if the operator has no number. */
  readonly literal: number;
  /** Room for {@link Kernel.scratchLength} numbers, which the next call overwrites. */
  readonly scratch: Float64Array;
}

/**
 * The three functions of a node [SEMANTICS §2] over arenas, as loops without allocation. Every elementary
 * operation is rounded on its own, in the reference's order.
 */
export interface Rules {
  /** Stores the value at `step.out`. */
  forward(machine: Machine, step: Step): void;
  /** Stores the tangent at `step.out`, from all values. */
  jvp(machine: Machine, step: Step): void;
  /** Adds what the cotangent at `step.out` contributes to each operand at `step.bars`, in operand order. */
  vjp(machine: Machine, step: Step): void;
}

/** An entry of Δ has this offset in `values`, or in `indices`. */
export type Places = ReadonlyMap<string, number>;

/** A kernel may look at these when its table is made. */
interface Placement<K extends PrimitiveName> {
  readonly attributes: PrimitiveAttributes[K];
  /** Shapes of the operands. */
  readonly parents: readonly Shape[];
  /** Shape of the value. */
  readonly shape: Shape;
  readonly places: Places;
  /** The entries of Δ that the attributes name. */
  readonly environment: readonly EnvironmentEntry[];
}

/** The interpreter computes one operator with a kernel. */
export interface Kernel<K extends PrimitiveName> extends Rules {
  /** The first operand that receives a cotangent; all after it do. The arity, if none does. */
  readonly firstReceiver: number;
  /** Computes index maps and extents, once, at load. */
  prepare(placement: Placement<K>): Int32Array;
  /** Returns the number among the attributes that the loops use. */
  literal?(attributes: PrimitiveAttributes[K]): number;
  /** Returns how many numbers a rule keeps between its loops; by default none. */
  scratchLength?(table: Int32Array): number;
}

/** A kernel for every operator: a new operator breaks the build here. */
export type KernelTable = { readonly [K in PrimitiveName]: Kernel<K> };

/** The part of a kernel that is no rule, where it has no table. */
export interface Elementwise {
  readonly firstReceiver: number;
  prepare(): Int32Array;
}

const noTable = new Int32Array(0);

/** Kernels without a table share this part, when all their operands receive. */
export const elementwise: Elementwise = { firstReceiver: 0, prepare: () => noTable };

/** The derivatives of what no operand moves: tangents are +0, and nothing is contributed. */
export const still: Pick<Rules, "jvp" | "vjp"> = {
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
