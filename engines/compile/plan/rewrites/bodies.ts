import type { Shape } from "../../../../spec/shapes/index.ts";
import type { Expression } from "../expression.ts";
import { type Body, eachOperand, type Instruction, type Piece, type ValueId } from "../program.ts";

/**
 * Changes each body of `instruction`, whose loop nest has these `extents`. Returns the same object if none
 * changes. A change must keep what the body computes for every index.
 */
export function withBodies(
  instruction: Instruction,
  change: (body: Body, extents: Shape) => Body,
): Instruction {
  switch (instruction.kind) {
    case "map":
    case "scan":
      return withBody(instruction, change(instruction, instruction.shape));
    case "fold":
      return withBody(instruction, change(instruction, [...instruction.shape, ...instruction.over]));
    case "scatter":
      return withBody(instruction, change(instruction, instruction.over));
    case "assemble": {
      const pieces = instruction.pieces.map((piece): Piece => withBody(piece, change(piece, piece.shape)));
      return pieces.every((piece, n) => piece === instruction.pieces[n])
        ? instruction
        : { ...instruction, pieces };
    }
    case "routine":
      return instruction;
  }
}

function withBody<Owner extends Body>(owner: Owner, { reads, expression }: Body): Owner {
  return owner.reads === reads && owner.expression === expression ? owner : { ...owner, reads, expression };
}

/** Returns the body with another expression; the same object if it is the body's own. */
export function withExpression(body: Body, expression: Expression): Body {
  return expression === body.expression ? body : { reads: body.reads, expression };
}

/** Renames the values that `instruction` reads. Returns the same object if no name changes. */
export function withOperands(instruction: Instruction, name: (value: ValueId) => ValueId): Instruction {
  let isNamed = false;
  eachOperand(instruction, (value) => {
    if (name(value) !== value) isNamed = true;
  });
  if (!isNamed) return instruction;
  if (instruction.kind === "routine") return { ...instruction, operands: instruction.operands.map(name) };
  const named = withBodies(instruction, ({ reads, expression }) => ({
    reads: reads.map((read) => ({ ...read, value: name(read.value) })),
    expression,
  }));
  return named.kind !== "scatter" || named.base === undefined ? named : { ...named, base: name(named.base) };
}
