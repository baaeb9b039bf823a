import { isDeepStrictEqual } from "node:util";
import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import type { ResultName } from "../../spec/programs/index.ts";
import { sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { questionOf } from "./question.ts";
import type { ProgramTask } from "./task.ts";

/** A tensor with more elements gets other numbers as a whole, or none. */
const ONE_BY_ONE = 16;

/**
 * Returns the task with numbers of which no two of a tensor are alike: a tensor that the entry fills with one
 * number becomes a parameter, if there are no later calls. A number is kept where another one would decide a
 * condition or an index otherwise: the run executes the same statements. Cost: a recording, or one for each
 * tensor and each element of a small one.
 */
export function differing(task: ProgramTask): ProgramTask {
  const given = withNumbers(task.calls.length === 0 ? withParameters(task.case) : task.case);
  const { inputs } = given.point;
  const tangents = inputs.map((input, place) => different(input, place + inputs.length));
  return { ...task, case: given, tangents };
}

/** Makes each tensor that the entry fills with one number a parameter of the same name. */
function withParameters(given: ProgramCase): ProgramCase {
  const { program, point } = given;
  const [{ parameters, body, ...entry }, others] = [entryOf(program), program.procedures.slice(1)];
  const filled = body.flatMap((one) =>
    one.do === "let" && one.op === "full" && sizeOf(one.attributes.shape) > 1 ? [one] : [],
  );
  const added = filled.map(({ name, attributes: { shape } }) => ({ name, kind: "value" as const, shape }));
  const values = filled.map(({ attributes: { shape, value } }) => ({
    shape,
    data: new Float64Array(sizeOf(shape)).fill(value),
  }));
  const left = body.filter((one) => !filled.some((other) => other === one));
  const count = parameters.length;
  const changed = { ...entry, parameters: [...parameters, ...added], body: left };
  const inputs = [...point.inputs.slice(0, count), ...values, ...point.inputs.slice(count)];
  return {
    ...given,
    program: { ...program, procedures: [changed, ...others] },
    point: { ...point, inputs },
  };
}

function withNumbers(given: ProgramCase): ProgramCase {
  const { point } = given;
  const other = point.inputs.map(different);
  const run = decisionsOf(given);
  const at = (inputs: readonly FlatTensor[]): ProgramCase => ({ ...given, point: { ...point, inputs } });
  const isSameRun = (inputs: readonly FlatTensor[]): boolean =>
    isDeepStrictEqual(decisionsOf(at(inputs)), run);
  if (run === undefined || isSameRun(other)) return at(other);
  let inputs = point.inputs;
  const changed = (place: number, to: FlatTensor): boolean => {
    const candidate = inputs.with(place, to);
    if (!isSameRun(candidate)) return false;
    inputs = candidate;
    return true;
  };
  for (const [place, { shape, data }] of other.entries()) {
    if (changed(place, { shape, data }) || data.length > ONE_BY_ONE) continue;
    for (const [element, value] of data.entries()) {
      const withElement = (to: number): FlatTensor => ({
        shape,
        data: Float64Array.from(inputs[place]?.data ?? [], (old, i) => (i === element ? to : old)),
      });
      if (!changed(place, withElement(value))) changed(place, withElement(-value));
    }
  }
  return at(inputs);
}

/** Returns what the conditions and indices of a run decide; `undefined` if it has no end. */
function decisionsOf(given: ProgramCase): unknown {
  const asked = questionOf(given);
  return asked.ok ? asked.value.recording.decisions : undefined;
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

/** Returns those results of the program that stand for something by now. */
export function ownResults({ program }: ProgramCase, names: readonly ResultName[]): readonly ResultName[] {
  return entryOf(program).results.filter(({ name }) => names.some((known) => known.name === name));
}
