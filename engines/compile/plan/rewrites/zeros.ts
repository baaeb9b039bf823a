import { sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import { type Application, type Expression, literal, read } from "../expression.ts";
import type { Body, Instruction, LoopProgram } from "../program.ts";
import { withBodies, withExpression } from "./bodies.ts";
import { isZero, simplified } from "./expressions.ts";
import { type Rewritten, rewritten } from "./rewritten.ts";
import { firstOfFold } from "./units.ts";

/**
 * Removes additions of zero of either sign: x + 0 and x − 0 are x; sums, running sums and scatters of zeros
 * are gone; a sum of one element is the element. 0 · x stays, because x may be infinite.
 * Exact: monoid; in IEEE arithmetic up to the sign of zeros. Cost: linear. `fired` counts what is gone.
 */
export function zeros(program: LoopProgram): Rewritten {
  let fired = 0;
  const rule = (application: Application): Expression | undefined => {
    const simpler = zero(application);
    if (simpler !== undefined) fired += 1;
    return simpler;
  };
  const change = (body: Body): Body => withExpression(body, simplified(body.expression, rule));
  const instructions = program.instructions.map((before) => {
    const instruction = withBodies(before, change);
    const simpler = withoutZeros(instruction);
    if (simpler !== instruction) fired += 1;
    return simpler;
  });
  return rewritten(program, instructions, fired);
}

function zero({ function: name, operands: [x, y] }: Application): Expression | undefined {
  if (name !== "add" && name !== "subtract") return undefined;
  if (isZero(y)) return x;
  return name === "add" && isZero(x) ? y : undefined;
}

const nothing: Body = { reads: [], expression: literal(0) };

function withoutZeros(instruction: Instruction): Instruction {
  switch (instruction.kind) {
    case "fold": {
      const { shape, over, operation, reads, expression } = instruction;
      if (operation !== "add") return instruction;
      if (isZero(expression)) return { kind: "map", shape, ...nothing };
      return sizeOf(over) === 1
        ? { kind: "map", shape, ...firstOfFold({ reads, expression }, shape) }
        : instruction;
    }
    case "scan":
      return isZero(instruction.expression)
        ? { kind: "map", shape: instruction.shape, ...nothing }
        : instruction;
    case "scatter": {
      const { shape, base, expression } = instruction;
      if (!isZero(expression)) return instruction;
      if (base === undefined) return { kind: "map", shape, ...nothing };
      const whole = { value: base, offset: 0, strides: stridesOf(shape), indirections: [] };
      return { kind: "map", shape, reads: [whole], expression: read(0) };
    }
    case "assemble": {
      if (instruction.isCovered) return instruction;
      const pieces = instruction.pieces.filter(({ expression }) => !isZero(expression));
      return pieces.length === instruction.pieces.length ? instruction : { ...instruction, pieces };
    }
    case "map":
    case "routine":
      return instruction;
  }
}
