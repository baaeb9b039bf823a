import type {
  Expression,
  Instruction,
  LoopProgram,
  Read,
  Source,
} from "../../../engines/compile/plan/index.ts";
import { identity } from "../../../engines/compile/plan/lower/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";

/** Makes inputs of these shapes. */
function inputs(shapes: readonly Shape[]): readonly Source[] {
  return shapes.map((shape, position) => ({ origin: { kind: "input", position }, shape }));
}

/** Reads every element of a value of this shape at its own place. */
export function whole(value: number, shape: Shape): Read {
  return { value, ...identity(shape) };
}

/** Makes a program with one result, the last value. */
export function programOf(
  shapes: readonly Shape[],
  instructions: readonly Instruction[],
  results: readonly number[] = [shapes.length + instructions.length - 1],
): LoopProgram {
  return { sources: inputs(shapes), indexSources: [], instructions, results };
}

/** Makes a program of an expression of `count` numbers. */
export function scalarProgram(count: number, expression: Expression): LoopProgram {
  const shapes = Array.from({ length: count }, (): Shape => []);
  const reads = shapes.map((shape, value) => whole(value, shape));
  return programOf(shapes, [{ kind: "map", shape: [], reads, expression }]);
}
