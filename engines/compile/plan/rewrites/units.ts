import { at, type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import { type Application, type Expression, literal, read, substitute } from "../expression.ts";
import type { Body, FoldInstruction, Instruction, LoopProgram } from "../program.ts";
import { withBodies, withExpression } from "./bodies.ts";
import { simplified } from "./expressions.ts";
import { type Rewritten, rewritten } from "./rewritten.ts";
import { unitOf } from "./unit_of.ts";

/**
 * Removes the units that are exact in IEEE arithmetic, by {@link unitOf}. A read of a constant value becomes
 * that number; a fold of nothing, or the maximum of one element, needs no fold.
 * Exact: ieee (one NaN), at either precision. Cost: linear in bodies. `fired`: applications, reads and folds.
 */
export function units(program: LoopProgram): Rewritten {
  const constants: (Expression | undefined)[] = program.sources.map(() => undefined);
  let fired = 0;
  const rule = (application: Application): Expression | undefined => {
    const simpler = unitOf(application);
    if (simpler !== undefined) fired += 1;
    return simpler;
  };
  const change = (before: Body): Body => {
    const body = withConstants(before, constants);
    fired += before.reads.length - body.reads.length;
    return withExpression(body, simplified(body.expression, rule));
  };
  const instructions = program.instructions.map((before) => {
    const instruction = withBodies(before, change);
    const simpler = instruction.kind === "fold" ? withoutFold(instruction) : instruction;
    if (simpler !== instruction) fired += 1;
    constants.push(constantOf(simpler));
    return simpler;
  });
  return rewritten(program, instructions, fired);
}

/** Returns the number that every element of a value is. */
function constantOf(instruction: Instruction): Expression | undefined {
  if (instruction.kind === "map")
    return instruction.expression.kind === "literal" ? instruction.expression : undefined;
  const isZero =
    (instruction.kind === "assemble" && instruction.pieces.every(({ shape }) => sizeOf(shape) === 0)) ||
    (instruction.kind === "scatter" && instruction.base === undefined && sizeOf(instruction.over) === 0);
  return isZero ? literal(0) : undefined;
}

/** Replaces a fold of nothing by its initial value, and the maximum of one element by that element. */
function withoutFold(fold: FoldInstruction): Instruction {
  const { shape, over, operation, reads, expression } = fold;
  const count = sizeOf(over);
  if (count === 0) return { kind: "map", shape, reads: [], expression: initial(operation) };
  return count === 1 && operation === "maximum"
    ? { kind: "map", shape, ...firstOfFold({ reads, expression }, shape) }
    : fold;
}

function initial(operation: FoldInstruction["operation"]): Expression {
  return literal(operation === "add" ? 0 : Number.NEGATIVE_INFINITY);
}

/** Returns the body of a fold at its first index, as the body of a map over `shape`. */
export function firstOfFold({ reads, expression }: Body, shape: Shape): Body {
  const outer = (strides: readonly number[]): readonly number[] => strides.slice(0, shape.length);
  return {
    expression,
    reads: reads.map((one) => ({
      ...one,
      strides: outer(one.strides),
      indirections: one.indirections.map((lookup) => ({ ...lookup, strides: outer(lookup.strides) })),
    })),
  };
}

/** Replaces what a body reads of constant values by their numbers. */
function withConstants(body: Body, constants: readonly (Expression | undefined)[]): Body {
  if (body.reads.every(({ value }) => constants[value] === undefined)) return body;
  const reads = body.reads.filter(({ value }) => constants[value] === undefined);
  const parts = body.reads.map((one) => constants[one.value] ?? read(reads.indexOf(one)));
  return { reads, expression: substitute(body.expression, (number) => at(parts, number)) };
}
