import { buildAs } from "../../../../engines/compile/javascript/index.ts";
import type { Layout, LoopProgram } from "../../../../engines/compile/plan/index.ts";
import { type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Execution } from "../../obligation.ts";
import { allReuse, type LayOut, noReuse, soundLayOut } from "./layouts.ts";

/** Makes numbers without a pattern, each unlike its neighbours. */
function numbersOf(shape: Shape, source: number): Float64Array {
  return Float64Array.from(
    { length: sizeOf(shape) },
    (_, n) => (((37 * n + 11 * source + 5) % 97) - 48) / 32,
  );
}

/** Runs a program as generated JavaScript, in a memory with this layout, and lists the results' elements. */
export function resultsIn(program: LoopProgram, layout: Layout): readonly number[] {
  const { run, results } = buildAs({ program, layout, precision: "float64", regime: "bit_exact" }, "loops");
  const sources = program.sources.map(({ shape }, source) => numbersOf(shape, source));
  // All tensors here have these indices.
  const indices = program.indexSources.map(({ size }) =>
    Uint32Array.from({ length: size }, (_, n) => (2 * n) % 3),
  );
  run(sources, indices);
  return results.flatMap((result) => [...result]);
}

/**
 * Runs the program in the engines' layout, in a wrong one, and with all values apart: the first must give the
 * same bits as the last, the second must not.
 */
export function ranIn(program: LoopProgram, wrong: LayOut, conflict: string): Execution {
  const [plain, sound, faulty] = [
    soundLayOut(program, noReuse),
    soundLayOut(program, allReuse),
    wrong(program, allReuse),
  ].map(({ layout }) => resultsIn(program, layout));
  const spoiled = (plain ?? []).filter((x, n) => !Object.is(x, faulty?.[n])).length;
  const isSound = plain?.every((x, n) => Object.is(x, sound?.[n])) ?? false;
  return {
    showsFault: isSound && spoiled > 0,
    told: `${conflict}: of ${plain?.length} numbers of the results ${spoiled} are others; in the engine's layout ${isSound ? "none" : "some"}`,
  };
}
