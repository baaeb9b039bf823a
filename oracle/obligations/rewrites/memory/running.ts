import { buildAs } from "../../../../engines/compile/javascript/index.ts";
import type { Layout, LoopProgram } from "../../../../engines/compile/plan/index.ts";
import { type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Execution } from "../../obligation.ts";
import { allReuse, type LayOut, noReuse, soundLayOut } from "./layouts.ts";

/** Numbers of no pattern, none of them like its neighbours. */
function numbersOf(shape: Shape, source: number): Float64Array {
  return Float64Array.from(
    { length: sizeOf(shape) },
    (_, n) => (((37 * n + 11 * source + 5) % 97) - 48) / 32,
  );
}

/** Every element of the results, as loops in generated JavaScript compute them in a memory that is laid out so. */
export function resultsIn(program: LoopProgram, layout: Layout): readonly number[] {
  const { run, results } = buildAs({ program, layout, precision: "float64", regime: "bit_exact" }, "loops");
  const sources = program.sources.map(({ shape }, source) => numbersOf(shape, source));
  // Any index that all of the tensors here have.
  const indices = program.indexSources.map(({ size }) =>
    Uint32Array.from({ length: size }, (_, n) => (2 * n) % 3),
  );
  run(sources, indices);
  return results.flatMap((result) => [...result]);
}

/**
 * The program in the engines' layout and in a wrong one, beside one where no value has the place of another: the first must give the same bits, the second must not.
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
