import { checkProgram, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import { type Block, type Program, statementsOf } from "../../spec/programs/index.ts";
import { isSameShape, nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { shrinkProgram } from "./shrink.ts";

/**
 * Returns a smaller case that still `fails`: its program by {@link shrinkProgram}, then without the
 * parameters, locations and messages that nothing names, then with simpler numbers. Law: the result fails; it
 * is `question` itself if nothing smaller does. Deterministic. Cost: at most `budget` calls of `fails`.
 */
export async function shrinkCase(
  question: ProgramCase,
  fails: (smaller: ProgramCase) => Promise<boolean>,
  budget: number,
): Promise<ProgramCase> {
  let left = budget;
  const stillFails = async (candidate: ProgramCase): Promise<boolean> => {
    if (left <= 0) return false;
    left--;
    return fails(candidate);
  };
  const { seeds } = question;
  const results = entryOf(question.program).results;
  const withProgram = (program: Program): ProgramCase => ({
    ...question,
    program,
    // A result keeps its seed when its place changes.
    seeds: entryOf(program).results.flatMap((result, place) => {
      const seed = seeds.find(({ id }) => results[id] === result);
      return seed === undefined ? [] : [{ ...seed, id: nodeId(place) }];
    }),
  });
  const program = await shrinkProgram(question.program, (smaller) => stillFails(withProgram(smaller)));
  let current = withProgram(program);
  for (const simpler of [withoutIdleInputs, withoutMessages, withOneGenerator]) {
    const candidate = simpler(current);
    if (candidate !== current && (await stillFails(candidate))) current = candidate;
  }
  return simplerNumbers(current, stillFails);
}

/** Drops the parameters and locations that nothing names. */
function withoutIdleInputs(question: ProgramCase): ProgramCase {
  const { program, point } = question;
  const named = new Set(namesIn(program));
  const entry = entryOf(program);
  const count = entry.parameters.length;
  const inputs = [...entry.parameters, ...program.state];
  const kept = inputs.map(({ name }) => named.has(name));
  if (!kept.includes(false)) return question;
  const parameters = entry.parameters.filter((_, i) => kept[i]);
  const state = program.state.filter((_, i) => kept[count + i]);
  const procedures = [{ ...entry, parameters }, ...program.procedures.slice(1)];
  const smaller = { ...program, state, procedures };
  if (!checkProgram(smaller).ok) return question;
  return {
    ...question,
    program: smaller,
    point: { ...point, inputs: point.inputs.filter((_, i) => kept[i]) },
  };
}

/** Collects every name that the entry's statements and results have. */
function namesIn(program: Program): string[] {
  const entry = entryOf(program);
  const within = (block: Block): string[] =>
    block.flatMap((statement) =>
      Object.values(statement).flatMap((part: unknown): string[] => {
        if (typeof part === "string") return [part];
        if (!Array.isArray(part)) return [];
        return part.filter((item: unknown): item is string => typeof item === "string");
      }),
    );
  const all = statementsOf({ ...program, procedures: [entry] });
  return [...within([...(program.aliases ?? []), ...all]), ...entry.results.map(({ name }) => name)];
}

/** Drops the messages on channels that nobody asks. */
function withoutMessages(question: ProgramCase): ProgramCase {
  const asked = new Set(
    statementsOf(question.program).flatMap((statement) =>
      statement.do === "receive" ? [statement.channel] : [],
    ),
  );
  const received = new Map([...question.received].filter(([channel]) => asked.has(channel)));
  return received.size === question.received.size ? question : { ...question, received };
}

function withOneGenerator(question: ProgramCase): ProgramCase {
  const { key, drawn } = question.generator;
  const isPlain = key[0] === 0 && key[1] === 0 && drawn === 0;
  return isPlain ? question : { ...question, generator: { key: [0, 0], drawn: 0 } };
}

/** Simplifies the numbers of each tensor: to ones, to 1, 2, 3 and so on, or by rounding. */
async function simplerNumbers(
  question: ProgramCase,
  fails: (smaller: ProgramCase) => Promise<boolean>,
): Promise<ProgramCase> {
  let current = question;
  for (const [place, tensor] of question.point.inputs.entries()) {
    for (const simpler of plainTensors(tensor)) {
      const { point } = current;
      const candidate = { ...current, point: { ...point, inputs: point.inputs.with(place, simpler) } };
      if (!(await fails(candidate))) continue;
      current = candidate;
      break;
    }
  }
  for (const [place, seed] of question.seeds.entries()) {
    for (const cotangent of plainTensors(seed.cotangent)) {
      const candidate = { ...current, seeds: current.seeds.with(place, { ...seed, cotangent }) };
      if (!(await fails(candidate))) continue;
      current = candidate;
      break;
    }
  }
  return current;
}

function plainTensors(tensor: FlatTensor): FlatTensor[] {
  const { shape, data } = tensor;
  const plain = [data.map(() => 1), data.map((_, i) => i + 1), data.map(Math.round)];
  return plain.map((numbers) => ({ shape, data: numbers })).filter((one) => !isSameTensor(one, tensor));
}

function isSameTensor(x: FlatTensor, y: FlatTensor): boolean {
  return isSameShape(x.shape, y.shape) && x.data.every((value, i) => Object.is(value, y.data[i]));
}
