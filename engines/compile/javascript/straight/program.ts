import { at } from "../../../../spec/shapes/index.ts";
import { allows, type LoopProgram, type Regime } from "../../plan/index.ts";
import { type Memory, runOf } from "../loops/memory.ts";
import { StraightText } from "./text.ts";
import { scalarOperations, unroll } from "./unroll.ts";

/**
 * Programs of up to so many scalar operations become straight-line code. On gradients of Rosenbrock functions
 * that takes 0.02 to 0.05 ns an operation, loops 0.2 ns; but it costs 2 µs an operation to write, and V8 some
 * 20 µs to optimise, so that beyond these few milliseconds loops are the better bargain.
 */
const mostOperations = 4000;

/**
 * Programs of scalars may have so many: as loops of one round each instruction would take 20 ns or more, some
 * ten times what straight-line code takes.
 */
const mostOperationsOnScalars = 40_000;

/** A program of at most so many operations an instruction is one of scalars. */
const operationsOfScalars = 8;

/**
 * Applications in one function. V8 optimises none over 60 kB of bytecode, some 7000 applications, in more
 * than linear time; at 10⁴ nodes 500 gives the fastest code, after a third of the waiting that 2000 takes.
 */
const functionLength = 500;

/** Says whether straight-line code is the best shape for a program. */
function isSmall(program: LoopProgram): boolean {
  const operations = scalarOperations(program);
  const isOfScalars = operations <= operationsOfScalars * program.instructions.length;
  return operations <= (isOfScalars ? mostOperationsOnScalars : mostOperations);
}

/**
 * Writes a program as straight-line code: `run(S, X)` reads every source element that it needs once, computes
 * scalars into constants and stores only the results. Returns `undefined` for a program with lookups or
 * routines, or one that is not small if no `length` of functions is prescribed.
 */
export function straightProgramText(memory: Memory, regime: Regime, length?: number): string | undefined {
  const { program, arithmetic } = memory;
  if (length === undefined ? !isSmall(program) : scalarOperations(program) === Infinity) return undefined;
  const { scalars, values } = unroll(program, arithmetic, allows(regime, "zeros"));
  const stores = [...new Set(program.results)].flatMap((value) => {
    const { offset } = runOf(memory, value);
    return at(values, value).map((scalar, i) => ({ scalar, place: offset + i }));
  });
  return new StraightText(scalars.all, arithmetic, length ?? functionLength).write(stores);
}
