import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import type { ResultName } from "../../spec/programs/index.ts";
import { sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { ProgramTask } from "./ask.ts";

/** Returns the task with numbers of which no two of a tensor are alike. */
export function differing(task: ProgramTask): ProgramTask {
  const { point } = task.case;
  const inputs = point.inputs.map(different);
  const tangents = inputs.map((input, place) => different(input, place + inputs.length));
  return { ...task, case: { ...task.case, point: { ...point, inputs } }, tangents };
}

/** Returns multiples of ¼ of which no two are alike, in steps that differ from those of places beside it. */
export function different({ shape }: Pick<FlatTensor, "shape">, place: number): FlatTensor {
  const [first, step] = [1 + (place % 4) / 4, 1 + (place % 5) / 2];
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => first + step * i) };
}

/** Returns the cotangent that the program has for this name, or zeros. */
export function ownCotangent({ program, seeds }: ProgramCase, { name, shape }: ResultName): FlatTensor {
  const place = entryOf(program).results.findIndex((result) => result.name === name);
  const seed = seeds.find(({ id }) => id === place);
  return seed?.cotangent ?? { shape, data: new Float64Array(sizeOf(shape)) };
}
