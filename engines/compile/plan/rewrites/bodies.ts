import type { Shape } from "../../../../spec/shapes/index.ts";
import type { Body, Instruction, Piece, ValueId } from "../program.ts";

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

/** Renames the values that `instruction` reads. Returns the same object if no name changes. */
export function withOperands(instruction: Instruction, name: (value: ValueId) => ValueId): Instruction {
  if (instruction.kind === "routine") {
    const operands = instruction.operands.map(name);
    return operands.every((operand, n) => operand === instruction.operands[n])
      ? instruction
      : { ...instruction, operands };
  }
  const named = withBodies(instruction, (body) => {
    if (body.reads.every(({ value }) => name(value) === value)) return body;
    return { ...body, reads: body.reads.map((read) => ({ ...read, value: name(read.value) })) };
  });
  if (named.kind !== "scatter" || named.base === undefined) return named;
  const base = name(named.base);
  return base === named.base ? named : { ...named, base };
}
