import { float64 } from "../../../reference/package.ts";
import {
  at,
  elementary,
  floatAt,
  InvariantError,
  integerAt,
  present,
  sizeOf,
  stridesOf,
} from "../../../spec/index.ts";
import type { Numbers, Precision } from "./executable.ts";
import { type Expression, type ScalarFunction, scalarFunctions } from "./expression.ts";
import {
  type Access,
  type Body,
  type Instruction,
  type LoopProgram,
  shapeOfValue,
  type ValueId,
} from "./program.ts";

/**
 * Gives the meaning of a loop program by walking it element by element; backends and rewrites are tested
 * against it. Every application is rounded on its own. The caller provides routines. Returns every value.
 */
export function walk(
  program: LoopProgram,
  precision: Precision,
  sources: readonly Numbers[],
  indices: readonly Uint32Array[] = [],
  routine: (
    instruction: Extract<Instruction, { kind: "routine" }>,
    operands: readonly Numbers[],
  ) => Numbers = refuseRoutine,
): readonly Numbers[] {
  const values: Numbers[] = [...sources];
  const round = precision === "float32" ? Math.fround : (x: number): number => x;
  const fresh = (value: ValueId): Numbers => {
    const size = sizeOf(shapeOfValue(program, value));
    return precision === "float32" ? new Float32Array(size) : new Float64Array(size);
  };
  const positionIn = (access: Access, index: readonly number[]): number =>
    access.indirections.reduce((sum, { index: source, offset, strides, scale }) => {
      const place = offset + along(strides, index);
      return sum + scale * integerAt(at(indices, source), place);
    }, access.offset + along(access.strides, index));
  const bodyOf = (body: Body): ((index: readonly number[]) => number) => {
    const evaluate = evaluation(body.expression, round);
    const reads = body.reads.map((read) => [read, at(values, read.value)] as const);
    return (index) =>
      round(evaluate(reads.map(([read, elements]) => floatAt(elements, positionIn(read, index)))));
  };
  const run = (instruction: Instruction, out: Numbers): void => {
    switch (instruction.kind) {
      case "map": {
        const bodyAt = bodyOf(instruction);
        for (const [i, index] of indicesOf(instruction.shape).entries()) out[i] = bodyAt(index);
        return;
      }
      case "fold": {
        const bodyAt = bodyOf(instruction);
        const inner = indicesOf(instruction.over);
        for (const [i, index] of indicesOf(instruction.shape).entries()) {
          let total = instruction.operation === "add" ? 0 : -Infinity;
          for (const over of inner) {
            const next = bodyAt([...index, ...over]);
            if (instruction.operation === "add") total = round(total + next);
            else if (total < next || Number.isNaN(next)) total = next;
          }
          out[i] = total;
        }
        return;
      }
      case "assemble":
        for (const piece of instruction.pieces) {
          const bodyAt = bodyOf(piece);
          for (const index of indicesOf(piece.shape)) out[positionIn(piece.place, index)] = bodyAt(index);
        }
        return;
      case "scatter": {
        const bodyAt = bodyOf(instruction);
        if (instruction.base !== undefined) out.set(at(values, instruction.base));
        for (const index of indicesOf(instruction.over)) {
          const place = positionIn(instruction.place, index);
          out[place] = floatAt(out, place) + bodyAt(index);
        }
        return;
      }
      case "scan": {
        const bodyAt = bodyOf(instruction);
        const { shape, axis, direction } = instruction;
        const step = direction * at(stridesOf(shape), axis);
        const first = direction === 1 ? 0 : at(shape, axis) - 1;
        const order = [...indicesOf(shape).entries()];
        for (const [i, index] of direction === 1 ? order : order.toReversed()) {
          const before = index[axis] === first ? 0 : floatAt(out, i - step);
          out[i] = before + bodyAt(index);
        }
        return;
      }
      case "routine":
        out.set(
          routine(
            instruction,
            instruction.operands.map((value) => at(values, value)),
          ),
        );
    }
  };
  for (const instruction of program.instructions) {
    const out = fresh(values.length);
    run(instruction, out);
    values.push(out);
  }
  return values;
}

function refuseRoutine(): never {
  throw new Error("the walk was given no routines");
}

function along(strides: readonly number[], index: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < strides.length; axis++) sum += at(strides, axis) * at(index, axis);
  return sum;
}

/** Lists all indices of a shape, row-major. */
function indicesOf(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (before, extent) => before.flatMap((index) => Array.from({ length: extent }, (_, i) => [...index, i])),
    [[]],
  );
}

/** Evaluates an expression at the elements that its body reads. */
function evaluation(
  expression: Expression,
  round: (x: number) => number,
): (elements: readonly number[]) => number {
  switch (expression.kind) {
    case "read":
      return (elements) => at(elements, expression.read);
    case "literal": {
      const value = round(expression.value);
      return () => value;
    }
    case "apply": {
      const { function: name } = expression;
      const operands = expression.operands.map((operand) => evaluation(operand, round));
      if (operands.length !== scalarFunctions[name])
        throw new InvariantError(`${name} of ${operands.length}`);
      const apply = scalar[name];
      const [x, y, z] = operands;
      if (x === undefined) throw new InvariantError(`${name} of nothing`);
      if (y === undefined) return (elements) => round(apply(x(elements)));
      if (z === undefined) return (elements) => round(apply(x(elements), y(elements)));
      return (elements) => round(apply(x(elements), y(elements), z(elements)));
    }
  }
}

const reals = present(float64.levels.orderedReal, "the elementary functions of float64");

const scalar: Readonly<Record<ScalarFunction, (...operands: number[]) => number>> = {
  ...elementary(
    (name) => reals[name],
    (name) => reals[name],
  ),
  negative: (x) => -x,
  floor: Math.floor,
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  less: (x, y) => (x < y ? 1 : 0),
  equal: (x, y) => (x === y ? 1 : 0),
  select: (condition, x, y) => (condition === 0 ? y : x),
  multiply_add: (x, y, z) => x * y + z,
};
