import { sizeOf } from "../../../spec/shapes/index.ts";
import {
  type Instruction,
  inlined,
  type LoopProgram,
  operandsOf,
  type Pass,
  type Producer,
  type Read,
  type Rewritten,
  readsThrough,
  rewritten,
  type ValueId,
  wholeProducer,
  withBodies,
} from "../plan/index.ts";

/** Returns what replaces a read of a value that `made` makes; `undefined` leaves the read alone. */
type Through = (
  read: Read,
  made: Instruction,
  reader: { readonly instruction: Instruction; readonly isOnlyReader: boolean },
) => { readonly read: Read; readonly producer: Producer } | undefined;

/** Makes a pass before which values are computed inside the loops that read them, as `through` says. */
export function readingThrough(pass: Pass, through: Through): Pass {
  return (program) => {
    const { program: wrong, fired } = readThrough(program, through);
    const { program: after, fired: more } = pass(wrong);
    return { program: after, fired: fired + more };
  };
}

function readThrough(program: LoopProgram, through: Through): Rewritten {
  const count = program.sources.length;
  const isReadOnce = readOnce(program);
  let fired = 0;
  const instructions = program.instructions.map((instruction) =>
    withBodies(instruction, (body, extents) => {
      if (sizeOf(extents) === 0) return body;
      const producers = new Map<Read, Producer>();
      const reads = body.reads.map((read) => {
        const made = program.instructions[read.value - count];
        const found = made && through(read, made, { instruction, isOnlyReader: isReadOnce.has(read.value) });
        if (found === undefined || readsThrough(found.producer, found.read, extents) === undefined)
          return read;
        producers.set(found.read, found.producer);
        return found.read;
      });
      if (producers.size === 0) return body;
      const step = inlined(
        { ...body, reads },
        extents,
        0,
        (read) => {
          const producer = producers.get(read);
          return producer && { producer, applications: 0 };
        },
        { reads: Number.POSITIVE_INFINITY, applications: Number.POSITIVE_INFINITY },
      );
      fired += step.fired;
      return step.body;
    }),
  );
  return rewritten(program, instructions, fired);
}

/** Returns the values that one loop reads and nothing else. */
export function readOnce({ instructions, results }: LoopProgram): ReadonlySet<ValueId> {
  const times = new Map<ValueId, number>();
  for (const value of [...instructions.flatMap(operandsOf), ...results])
    times.set(value, (times.get(value) ?? 0) + 1);
  return new Set([...times.keys()].filter((value) => times.get(value) === 1));
}

/** Returns a map that computes something as a producer of its elements. */
export function computing(made: Instruction): Producer | undefined {
  if (made.kind !== "map" || made.expression.kind !== "apply" || sizeOf(made.shape) === 0) return undefined;
  return wholeProducer(made, made.shape);
}
