import { at } from "../../../../spec/shapes/index.ts";
import { allows, type LoopProgram, type Regime } from "../../plan/index.ts";
import { type Memory, runOf } from "../loops/memory.ts";
import { StraightText } from "./text.ts";
import { scalarOperations, unroll } from "./unroll.ts";

/**
 * Programs of up to this many scalar operations become straight-line code. Measured on gradients of Rosenbrock functions: straight-line code takes
 * 0.02 to 0.05 ns an operation (most are found twice, or written into another), loops 0.2 ns; but it costs 2 µs an operation to write and
 * V8 some 20 µs to optimise, and beyond these few milliseconds loops are the better bargain.
 */
const mostOperations = 4000;

/**
 * Programs of scalars go on up to here: as loops of one round, each instruction would take 20 ns or more, some ten times what
 * straight-line code takes.
 */
const mostOperationsOnScalars = 40_000;

/** Up to so many operations an instruction, a program is one of scalars. */
const operationsOfScalars = 8;

/**
 * Applications in one function. V8 does not optimise functions of more than 60 kB of bytecode, which is some 7000 applications, and takes
 * longer than linear in the length for those that it does; at 10⁴ nodes, 500 gives the fastest code and a third of the waiting that 2000 does.
 */
const functionLength = 500;

/** Whether straight-line code is the best shape for a program. */
function isSmall(program: LoopProgram): boolean {
  const operations = scalarOperations(program);
  const isOfScalars = operations <= operationsOfScalars * program.instructions.length;
  return operations <= (isOfScalars ? mostOperationsOnScalars : mostOperations);
}

/**
 * The text of a program as straight-line code: `run(S, X)` reads every source element that it needs once, computes scalars into
 * constants and stores the results alone. Undefined if the program has lookups or routines, or if it is not small and no `length` of
 * functions is prescribed.
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
