import type { Node } from "../../spec/graph/index.ts";
import type { Distribution, Statement } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";

/*
 * A program in static single assignment form: every name is assigned once [SEMANTICS §10.11]. The form has no
 * memory: a location is the tensor that it holds, and a write makes another tensor. Where control meets,
 * blocks have parameters; these are the φ of the literature.
 */

/** A program as functions, the entry first: a procedure has one for each way in which references alias. */
export interface SsaForm {
  readonly functions: readonly SsaFunction[];
}

/** A function begins with its first block. It returns its results, then what its locations hold. */
export interface SsaFunction {
  readonly name: string;
  /** The parameters are values and offsets of references in the procedure's order, then the contents. */
  readonly parameters: readonly SsaValue[];
  readonly blocks: readonly SsaBlock[];
}

/** A block holds instructions that are executed one after the other. */
export interface SsaBlock {
  readonly label: string;
  /** Every jump to this block assigns them. */
  readonly parameters: readonly SsaValue[];
  readonly body: readonly SsaInstruction[];
  readonly end: SsaEnd;
}

/** A value is assigned once. It is known by identity, and no other value of its function has its name. */
export type SsaValue = SsaTensor | SsaCount;

/** A tensor is a value of the program, or what a location holds. */
export interface SsaTensor {
  readonly kind: "tensor";
  readonly name: string;
  readonly shape: Shape;
}

/** A count is a natural number: the turn of a loop, or where a view begins. */
export interface SsaCount {
  readonly kind: "count";
  readonly name: string;
}

/** An index is a natural number that is known, or a count. */
export type SsaIndex = number | SsaCount;

/** An operand can be passed to a function or to a block. */
export type SsaOperand = SsaTensor | SsaIndex;

/** A view whose offset may be a count. */
export interface SsaView {
  readonly offset: SsaIndex;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

/** An instruction assigns its `to`, if it has one. Draws, receipts and sendings keep their order. */
export type SsaInstruction =
  | {
      readonly do: "apply";
      readonly to: SsaTensor;
      readonly node: Node;
      readonly operands: readonly SsaTensor[];
    }
  /** The scalar of a number. */
  | { readonly do: "scalar"; readonly to: SsaTensor; readonly of: SsaIndex }
  /** The whole number that a scalar is, which is a decision of the run. */
  | { readonly do: "index"; readonly to: SsaCount; readonly of: SsaTensor }
  /** `from + Σ of · times`. */
  | { readonly do: "count"; readonly to: SsaCount; readonly from: number; readonly terms: readonly SsaTerm[] }
  /** The elements that the view sees of the contents. */
  | { readonly do: "read"; readonly to: SsaTensor; readonly contents: SsaTensor; readonly view: SsaView }
  /** The contents, with the elements of `from` where the view sees them. */
  | {
      readonly do: "write";
      readonly to: SsaTensor;
      readonly contents: SsaTensor;
      readonly view: SsaView;
      readonly from: SsaTensor;
      readonly statement: Statement;
    }
  /** The numbers are drawn from the generator, which counts on, or with a key of its own. */
  | {
      readonly do: "draw";
      readonly to: SsaTensor;
      readonly from: Distribution;
      readonly key: readonly [SsaIndex, SsaIndex] | undefined;
    }
  | { readonly do: "receive"; readonly to: SsaTensor; readonly channel: string }
  | { readonly do: "send"; readonly channel: string; readonly from: SsaTensor }
  | { readonly do: "retain"; readonly of: SsaTensor }
  /** A call assigns the results, then what the passed locations hold behind it. */
  | {
      readonly do: "call";
      readonly to: readonly SsaTensor[];
      readonly callee: string;
      readonly operands: readonly SsaOperand[];
    }
  /** The derivative of a result of a function by a tensor among its operands. */
  | {
      readonly do: "differentiate";
      readonly to: SsaTensor;
      readonly callee: string;
      readonly mode: "vjp" | "jvp";
      readonly of: number;
      readonly wrt: number;
      readonly operands: readonly SsaOperand[];
      readonly along: SsaTensor;
      /** The same call follows, and draws and receives the same. */
      readonly isCalled: boolean;
    };

/** A product in a sum. */
export interface SsaTerm {
  readonly of: SsaCount;
  readonly times: number;
}

/** A jump names a block and passes its parameters. */
export interface SsaJump {
  readonly label: string;
  readonly operands: readonly SsaOperand[];
}

/** A block ends in one of these ways. Only a `branch` is a decision of the run, as an `index` is. */
export type SsaEnd =
  | { readonly kind: "jump"; readonly to: SsaJump }
  | {
      readonly kind: "branch";
      readonly condition: SsaTensor;
      readonly body: SsaJump;
      readonly otherwise: SsaJump;
    }
  /** A `for` loop goes on while `turn` is less than `times`. */
  | {
      readonly kind: "turn";
      readonly turn: SsaIndex;
      readonly times: number;
      readonly body: SsaJump;
      readonly after: SsaJump;
    }
  | { readonly kind: "return"; readonly values: readonly SsaTensor[] }
  /** No run goes on here, since it would write through a view that sees an element twice. */
  | { readonly kind: "stop"; readonly name: string };

/** Lists where control may go from the end of a block. */
export function jumpsOf(end: SsaEnd): SsaJump[] {
  const found: SsaJump[] = [];
  changedEnd(end, noting([]), (jump) => {
    found.push(jump);
    return jump;
  });
  return found;
}

/** The operands that an end reads itself, beside those that its jumps pass. */
export function readByEnd(end: SsaEnd): SsaOperand[] {
  const found: SsaOperand[] = [];
  changedEnd(end, noting(found), (jump) => jump);
  return found;
}

/** The operands that an instruction reads. */
export function operandsIn(instruction: SsaInstruction): SsaOperand[] {
  const found: SsaOperand[] = [];
  changed(instruction, noting(found));
  return found;
}

/** Returns the values that an instruction assigns. */
export function assignedBy(instruction: SsaInstruction): readonly SsaValue[] {
  if (instruction.do === "call") return instruction.to;
  return "to" in instruction ? [instruction.to] : [];
}

/** The end with other jumps. */
export function withJumps(end: SsaEnd, jump: (to: SsaJump) => SsaJump): SsaEnd {
  return changedEnd(end, noting([]), jump);
}

/** Returns the last value of the chain that begins at an operand and goes on as `same` tells. */
export function resolved(operand: SsaOperand, same: ReadonlyMap<SsaValue, SsaOperand>): SsaOperand {
  let last = operand;
  for (let next: SsaOperand | undefined = last; next !== undefined; ) {
    last = next;
    next = typeof last === "number" ? undefined : same.get(last);
  }
  return last;
}

/** Returns the block where others are read in place of some values. What it assigns stays. */
export function replaced(block: SsaBlock, same: ReadonlyMap<SsaValue, SsaOperand>): SsaBlock {
  const use: Use = {
    tensor: (value) => {
      const found = resolved(value, same);
      return typeof found !== "number" && found.kind === "tensor" ? found : value;
    },
    index: (value) => {
      const found = resolved(value, same);
      return typeof found === "number" || found.kind === "count" ? found : value;
    },
  };
  const body = block.body.map((instruction) => changed(instruction, use));
  return { ...block, body, end: changedEnd(block.end, use, (jump) => passing(jump, use)) };
}

/** A rewriting reads these in place of operands. */
interface Use {
  readonly tensor: (value: SsaTensor) => SsaTensor;
  readonly index: (value: SsaIndex) => SsaIndex;
}

/** Changes nothing, and notes every operand. */
function noting(found: SsaOperand[]): Use {
  const note = <V extends SsaOperand>(value: V): V => {
    found.push(value);
    return value;
  };
  return { tensor: note, index: note };
}

function passing<P extends { readonly operands: readonly SsaOperand[] }>(passed: P, use: Use): P {
  const operands = passed.operands.map((operand) =>
    typeof operand !== "number" && operand.kind === "tensor" ? use.tensor(operand) : use.index(operand),
  );
  return { ...passed, operands };
}

function changed(instruction: SsaInstruction, { tensor, index }: Use): SsaInstruction {
  switch (instruction.do) {
    case "apply":
      return { ...instruction, operands: instruction.operands.map(tensor) };
    case "scalar":
      return { ...instruction, of: index(instruction.of) };
    case "count": {
      const { from, terms } = summed(
        instruction.from,
        instruction.terms.map(({ of, times }) => ({ of: index(of), times })),
      );
      return { ...instruction, from, terms };
    }
    case "read":
    case "write": {
      const contents = tensor(instruction.contents);
      const view = { ...instruction.view, offset: index(instruction.view.offset) };
      if (instruction.do === "read") return { ...instruction, contents, view };
      return { ...instruction, contents, view, from: tensor(instruction.from) };
    }
    case "draw":
      return {
        ...instruction,
        key: instruction.key && [index(instruction.key[0]), index(instruction.key[1])],
      };
    case "send":
      return { ...instruction, from: tensor(instruction.from) };
    case "retain":
    case "index":
      return { ...instruction, of: tensor(instruction.of) };
    case "call":
      return passing(instruction, { tensor, index });
    case "differentiate":
      return { ...passing(instruction, { tensor, index }), along: tensor(instruction.along) };
    case "receive":
      return instruction;
  }
}

/** A product in a sum, of a number that may be known. */
export interface Summand {
  readonly of: SsaIndex;
  readonly times: number;
}

/** Returns `from + Σ of · times`, where what is known is added up. */
export function summed(
  from: number,
  all: readonly Summand[],
): { readonly from: number; readonly terms: readonly SsaTerm[] } {
  const terms: SsaTerm[] = [];
  let known = from;
  for (const { of, times } of all) {
    if (typeof of === "number") known += of * times;
    else if (times !== 0) terms.push({ of, times });
  }
  return { from: known, terms };
}

function changedEnd(end: SsaEnd, { tensor, index }: Use, jump: (to: SsaJump) => SsaJump): SsaEnd {
  switch (end.kind) {
    case "jump":
      return { ...end, to: jump(end.to) };
    case "branch":
      return {
        ...end,
        condition: tensor(end.condition),
        body: jump(end.body),
        otherwise: jump(end.otherwise),
      };
    case "turn":
      return { ...end, turn: index(end.turn), body: jump(end.body), after: jump(end.after) };
    case "return":
      return { ...end, values: end.values.map(tensor) };
    case "stop":
      return end;
  }
}
