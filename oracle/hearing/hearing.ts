import {
  type Asked,
  answerIn,
  type Engine,
  type LoadedGraph,
  type Reply,
} from "../../spec/contract/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64, type Mode } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import type { Part, Truth } from "../truth/index.ts";
import type { Standard } from "../truth/standard/index.ts";

/** A hearing is a case before an engine that has loaded its graph. */
export interface Hearing {
  readonly question: Case;
  readonly engine: Engine;
  readonly program: LoadedGraph;
  readonly standard: Standard;
  readonly truth: Truth;
  /** The engine is handed copies of the tensors, so that one that writes into them only fools itself. */
  readonly handed: Asked;
  /** The engine offers these modes. */
  readonly modes: readonly Mode[];
  /** Returns the engine's answer in a mode: the one compared with the truth, if one was. */
  answer(mode: Mode): Promise<Answer>;
  /** Is told how far apart two answers to one question are, as a part of the larger; both may be right. */
  varied?(apart: number): void;
}

/** An answer in a mode has these numbers. */
export const partOf: Readonly<Record<Mode, Part>> = {
  evaluate: "value",
  jvp: "tangent",
  vjp: "cotangent",
  backward_dense: "cotangent",
};

/** An answer was given to a case. */
export interface Answer {
  /** This is a copy made when the answer came, or the answer if nothing is asked after it is looked at. */
  readonly given: Reply<readonly FlatTensor[]>;
  /** This is the answer itself, which is the caller's to keep: it must stay what was given. */
  readonly held: Reply<readonly FlatTensor[]>;
}

/** Asks an engine in a mode. */
export async function answerOf(program: LoadedGraph, mode: Mode, handed: Asked): Promise<Answer> {
  const held = await answerIn(program, mode, handed);
  return { given: held.kind === "result" ? { ...held, value: held.value.map(copied) } : held, held };
}

/** Asks an engine once in each mode, when its answer is first wanted; copied if looked at again later. */
export function answersOf(program: LoadedGraph, handed: Asked, isCopied = true): Hearing["answer"] {
  const answers = new Map<Mode, Promise<Answer>>();
  const asked = async (mode: Mode): Promise<Answer> => {
    const held = await answerIn(program, mode, handed);
    return { given: held, held };
  };
  return (mode) => {
    const answer = answers.get(mode) ?? (isCopied ? answerOf(program, mode, handed) : asked(mode));
    answers.set(mode, answer);
    return answer;
  };
}

/** Unloads what was asked. An engine that queues is not waited for, since the next question comes behind. */
export async function release({ queues = false }: Engine, program: LoadedGraph): Promise<void> {
  const unloaded = program.unload();
  if (!queues) await unloaded;
}

/** Says what of its arguments an engine has overwritten; one in another process has none of our arrays. */
export function writtenInto({ question, handed, engine }: Hearing): string | undefined {
  if (engine.queues === true) return undefined;
  const after = argumentsOf(handed);
  for (const [place, [name, { data }]] of argumentsOf(question).entries()) {
    const now = at(after, place)[1].data;
    const element = data.findIndex((x, i) => !Object.is(x, now[i]));
    if (element < 0) continue;
    const [before, found] = [data, now].map((numbers) => formatFloat64(numbers[element] ?? Number.NaN));
    return `the engine has written into its arguments: ${name}, element ${element}, was ${before} and is ${found}`;
  }
  return undefined;
}

function argumentsOf({ point, tangents, seeds }: Asked): (readonly [name: string, FlatTensor])[] {
  return [
    ...point.inputs.map((tensor, id) => [`the input ${id}`, tensor] as const),
    ...Array.from(point.environment, ([name, tensor]) => [`the entry ${name}`, tensor] as const),
    ...tangents.map((tensor, id) => [`the tangent of input ${id}`, tensor] as const),
    ...seeds.map(({ id, cotangent }) => [`the cotangent of ${id}`, cotangent] as const),
  ];
}

export function lent({ point, tangents, seeds }: Case): Asked {
  return { point: lentPoint(point), tangents: tangents.map(copied), seeds: lentSeeds(seeds) };
}

export function lentPoint({ inputs, environment }: Point): Point {
  return {
    inputs: inputs.map(copied),
    environment: new Map([...environment].map(([name, tensor]) => [name, copied(tensor)])),
  };
}

export function lentSeeds(seeds: readonly Seed[]): Seed[] {
  return seeds.map(({ id, cotangent }) => ({ id, cotangent: copied(cotangent) }));
}

export function copied({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: new Float64Array(data) };
}
