import {
  type Asked,
  answerIn,
  type Engine,
  type LoadedGraph,
  type Reply,
} from "../../spec/contract/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64, type Mode } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import type { Part, Truth } from "../truth/index.ts";
import type { Standard } from "../truth/standard/index.ts";
import { type Finding, writtenText } from "./finding.ts";

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

/**
 * Finds what an engine has overwritten of its arguments when it was asked in a mode; one in another process
 * has none of our arrays.
 */
export function writtenInto({ question, handed, engine }: Hearing, mode: Mode): Finding | undefined {
  if (engine.queues === true || isAsLent(question, handed)) return undefined;
  const after = argumentsOf(handed);
  for (const [place, { name, id, tensor }] of argumentsOf(question).entries()) {
    const now = at(after, place).tensor.data;
    const element = tensor.data.findIndex((x, i) => !Object.is(x, now[i]));
    if (element < 0) continue;
    const answer = writtenText(formatFloat64(now[element] ?? Number.NaN), name);
    const expected = formatFloat64(tensor.data[element] ?? Number.NaN);
    return { question: mode, id, element, answer, expected, bound: "0x0p+0" };
  }
  return undefined;
}

/** Tells whether no number of the arguments was overwritten. */
function isAsLent(question: Asked, handed: Asked): boolean {
  const { inputs, environment } = handed.point;
  for (const [name, tensor] of question.point.environment)
    if (!isSame(tensor, environment.get(name))) return false;
  return (
    question.point.inputs.every((tensor, place) => isSame(tensor, inputs[place])) &&
    question.tangents.every((tensor, place) => isSame(tensor, handed.tangents[place])) &&
    question.seeds.every(({ cotangent }, place) => isSame(cotangent, handed.seeds[place]?.cotangent))
  );
}

function isSame({ data }: FlatTensor, now: FlatTensor | undefined): boolean {
  if (now === undefined) return false;
  for (let place = 0; place < data.length; place++)
    if (!Object.is(data[place], now.data[place])) return false;
  return true;
}

/** An argument of an engine belongs to an id; an entry of Δ, which has none, to the first. */
interface Argument {
  readonly name: string;
  readonly id: NodeId;
  readonly tensor: FlatTensor;
}

function argumentsOf({ point, tangents, seeds }: Asked): Argument[] {
  const ofInput = (what: string) => (tensor: FlatTensor, place: number) => {
    return { name: `${what} ${place}`, id: nodeId(place), tensor };
  };
  return [
    ...point.inputs.map(ofInput("the input")),
    ...Array.from(point.environment, ([name, tensor]) => ({
      name: `the entry ${name}`,
      id: nodeId(0),
      tensor,
    })),
    ...tangents.map(ofInput("the tangent of input")),
    ...seeds.map(({ id, cotangent }) => ({ name: `the cotangent of ${id}`, id, tensor: cotangent })),
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
