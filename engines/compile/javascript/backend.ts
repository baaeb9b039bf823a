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

/** The shapes of code: chosen by the size of the program, or, by tests, forced: `straight` in one function, `pieces` in tiny ones. */
export type CodeShape = "chosen" | "straight" | "pieces" | "loops";

/** How long the functions of a shape of straight-line code are. */
const lengths: Readonly<Record<CodeShape, number | undefined>> = {
  chosen: undefined,
  straight: Number.MAX_SAFE_INTEGER,
  pieces: 5,
  loops: undefined,
};

/** Generated JavaScript: straight-line code for programs of few scalar operations, else a function of loops per instruction. */
export const javascript: Backend = {
  name: "javascript",
  build: (order) => buildAs(order, "chosen"),
};

/** An executable in the given shape of code. A program that cannot be written as straight-line code becomes loops. */
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

/** The memory of an executable. It stands in a buffer outside V8's heap even if it is small: such a one has a fixed address. */
function arenaOf(precision: Precision, length: number): Numbers {
  return precision === "float32"
    ? new Float32Array(new ArrayBuffer(4 * length))
    : new Float64Array(new ArrayBuffer(8 * length));
}
