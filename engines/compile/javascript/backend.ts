import { at, present, sizeOf } from "../../../spec/shapes/index.ts";
import {
  type Backend,
  type Executable,
  type Numbers,
  type Order,
  type Precision,
  shapeOfValue,
} from "../plan/index.ts";
import { bindRoutine } from "../plan/routines/index.ts";
import { assemble, type RoutineCall } from "./assembly.ts";
import { arithmeticOf } from "./emit/arithmetic.ts";
import { loopProgramText } from "./loops/program.ts";
import { straightProgramText } from "./straight/program.ts";

/** The shapes of code: chosen by size or, in tests, forced: one function, tiny functions, or loops. */
export type CodeShape = "chosen" | "straight" | "pieces" | "loops";

/** The length of functions in each shape of straight-line code. */
const lengths: Readonly<Record<CodeShape, number | undefined>> = {
  chosen: undefined,
  straight: Number.MAX_SAFE_INTEGER,
  pieces: 5,
  loops: undefined,
};

/** Generates JavaScript: straight-line code for few scalar operations, else a loop per instruction. */
export const javascript: Backend = {
  name: "javascript",
  build: (order) => buildAs(order, "chosen"),
};

/** Builds an executable in this shape; a program that cannot be straight-line code becomes loops. */
export function buildAs(order: Order, shape: CodeShape): Executable {
  const { program, layout, precision, regime } = order;
  const arena = arenaOf(precision, layout.length);
  const memory = { program, layout, arithmetic: arithmeticOf(precision, regime) };
  const view = (value: number): Numbers => {
    const offset = at(layout.places, value - program.sources.length);
    return arena.subarray(offset, offset + sizeOf(shapeOfValue(program, value)));
  };
  let bytes = arena.byteLength;
  const routines = program.instructions.map((instruction, n): RoutineCall | undefined => {
    if (instruction.kind !== "routine") return undefined;
    const shapes = instruction.operands.map((value) => shapeOfValue(program, value));
    const routine = bindRoutine(instruction, shapes, precision);
    bytes += routine.bytes;
    const operands = instruction.operands.map((value) =>
      value < program.sources.length ? value : view(value),
    );
    const out = view(program.sources.length + n);
    return (sources, indices) => {
      const found = operands.map((operand) =>
        typeof operand === "number" ? present(sources[operand], `source ${operand}`) : operand,
      );
      routine.run(found, out, indices);
    };
  });
  const straight = shape === "loops" ? undefined : straightProgramText(memory, regime, lengths[shape]);
  const run = assemble(straight ?? loopProgramText(memory, regime), { arena, routines });
  return { run, results: program.results.map(view), bytes };
}

/** Makes the memory of an executable, outside V8's heap even if it is small, so that its address is fixed. */
function arenaOf(precision: Precision, length: number): Numbers {
  return precision === "float32"
    ? new Float32Array(new ArrayBuffer(4 * length))
    : new Float64Array(new ArrayBuffer(8 * length));
}
