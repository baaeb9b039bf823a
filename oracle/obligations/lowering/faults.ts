import {
  type Access,
  apply,
  type Body,
  type LoopProgram,
  literal,
  withBodies,
} from "../../../engines/compile/plan/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";

/** A wrong lowering makes this of a right program. */
interface LoweringFault {
  readonly name: string;
  readonly fault: string;
  readonly program: LoopProgram;
}

/**
 * Lists faults of each instruction of a program, the likeliest first: where it reads, and what it computes.
 */
export function faultsOf(program: LoopProgram): readonly (readonly LoweringFault[])[] {
  return program.instructions.map(({ kind }, index) =>
    changes.map(
      ({ name, says, change }): LoweringFault => ({
        name: `${name}.${index}`,
        fault: `the ${kind} number ${index} ${says}`,
        program: {
          ...program,
          instructions: program.instructions.map((instruction, other) =>
            other === index ? withBodies(instruction, change) : instruction,
          ),
        },
      }),
    ),
  );
}

const changes: readonly {
  readonly name: string;
  readonly says: string;
  change(body: Body, extents: Shape): Body;
}[] = [
  {
    name: "reads-backwards",
    says: "reads the last element first",
    change: (body, extents) => ({
      ...body,
      reads: body.reads.map((read) => ({ ...read, ...backwards(read, extents) })),
    }),
  },
  {
    name: "reads-first",
    says: "reads the first element of its last axis alone",
    change: (body) => ({
      ...body,
      reads: body.reads.map((read) => ({
        ...read,
        strides: read.strides.map((stride, axis) => (axis + 1 === read.strides.length ? 0 : stride)),
      })),
    }),
  },
  {
    name: "adds-one",
    says: "computes one more than it should",
    change: (body) => ({ ...body, expression: apply("add", body.expression, literal(1)) }),
  },
];

/** Goes through the same positions in the other order; what is looked up stays. */
function backwards({ offset, strides }: Access, extents: Shape): Pick<Access, "offset" | "strides"> {
  const last = strides.reduce(
    (sum, stride, axis) => sum + stride * Math.max(0, (extents[axis] ?? 1) - 1),
    offset,
  );
  return { offset: last, strides: strides.map((stride) => -stride) };
}
