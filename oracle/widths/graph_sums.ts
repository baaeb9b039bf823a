import {
  type Instruction,
  type LoopProgram,
  type Source,
  type ValueId,
  writtenOut,
} from "../../engines/compile/plan/index.ts";
import { attributed, type Maker } from "../../engines/compile/plan/lower/index.ts";
import type { BoundedSum, Register, Summand } from "../../reference/numerics/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { nameOfId } from "../case/index.ts";
import { type KnownRanges, nothingKnown, rangeOfId, rangesOver } from "./code_ranges.ts";
import { type CodeRange, hullOf, type Summands } from "./summands.ts";
import { type ProgramSum, sumsOf } from "./sums.ts";

/** This is a sum with its name in the graph. */
export interface NamedSum extends BoundedSum {
  readonly name: string;
}

/** A user asks for the sums of these values and gradients. */
export interface SumsAsked {
  readonly graph: Graph;
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly register: Register;
  /** Gradients are accumulated over this many batches, in registers that are kept so long. */
  readonly batches: number;
  /** This gives the range of each source; without it sources may be any codes. */
  readonly given: ((source: Source) => CodeRange) | undefined;
}

/** Finds the known ranges of a program from those of its sources. */
export function knownOf(program: LoopProgram, { register, given }: SumsAsked): KnownRanges {
  return given === undefined ? nothingKnown(register) : rangesOver(program, register, given);
}

/** Counts the runs that each instruction's register is kept over: all batches for a gradient. */
export function livesIn(
  { sources, results }: LoopProgram,
  { of, batches }: Pick<SumsAsked, "of" | "batches">,
): (instruction: number) => number {
  const gradients = new Set(results.slice(of.length));
  return (instruction) => (gradients.has(sources.length + instruction) ? batches : 1);
}

/** Lowers the question to values and cotangents pulled back from ones; names what instructions are for. */
export function loweredFor(
  { graph, of, wrt }: Pick<SumsAsked, "graph" | "of" | "wrt">,
  regime: "bit_exact" | "fast",
): ReturnType<typeof attributed> & { readonly nameOf: (maker: Maker) => string } {
  const { graph: written, ids } = writtenOut(graph, regime, undefined);
  const [results, wanted] = [of, wrt].map((some) => some.map((id) => at(ids, id)));
  const seeds = (results ?? []).map((id) => ({ id, from: "ones" as const }));
  const request = { values: results ?? [], cotangents: { ids: wanted ?? [], seeds } };
  return { ...attributed(written, request, regime), nameOf: (maker) => nameIn(graph, ids, maker) };
}

/**
 * Lists the sums of a graph and its gradient as the definition takes them, with composites expanded: each
 * element of a sum, matrix product, running or scattered sum, of a pullback that adds, and of a cotangent
 * with more than one contribution. `det` and `solve` add inside routines, and are left out. Cost: linear in
 * the nodes, whatever the shapes are.
 */
export function graphSums(asked: SumsAsked): NamedSum[] {
  const { register } = asked;
  const { program, makers, nameOf } = loweredFor(asked, "bit_exact");
  const known = knownOf(program, asked);
  const livesOf = livesIn(program, asked);
  const taken = sumsOf(program, known, register, livesOf).map((sum): ProgramSum & NamedSum => ({
    ...sum,
    name: nameOf(at(makers, sum.instruction)),
  }));
  const gathered = contributions(program, makers).map(({ last, parts, maker }): ProgramSum & NamedSum => ({
    ...boundsOfValues(parts, known, register),
    terms: parts.length * livesOf(last),
    instruction: last,
    name: nameOf(maker),
  }));
  const told = [...taken, ...gathered];
  const inOrder = told.toSorted((a, b) => a.instruction - b.instruction);
  return [
    ...inOrder.map(({ instruction, ...sum }) => sum),
    ...overBatches(program, asked, known, new Set(told.map(({ instruction }) => instruction))),
  ];
}

/** Lists the gradients that are no sums in one batch, but are over several. */
function overBatches(
  { sources, results }: LoopProgram,
  { graph, of, wrt, batches, register }: SumsAsked,
  known: KnownRanges,
  told: ReadonlySet<number>,
): NamedSum[] {
  if (batches < 2) return [];
  return results.slice(of.length).flatMap((value, place): NamedSum[] => {
    if (told.has(value - sources.length)) return [];
    const bounds = boundsOfValues([value], known, register);
    return [{ ...bounds, terms: batches, name: `${nameOfId(graph, at(wrt, place))}, its gradient` }];
  });
}

/** Bounds values as summands. */
function boundsOfValues(values: readonly ValueId[], known: KnownRanges, register: Register): Summands {
  const ends = values.flatMap((value): Summand[] => {
    const { low, high } = rangeOfId(known, value);
    return [[low], [high]];
  });
  return hullOf(ends, register);
}

/** Several values are added up to a cotangent. */
interface Contributions {
  readonly maker: Maker;
  /** This is the number of the last addition. */
  readonly last: number;
  /** These values are added. */
  readonly parts: readonly ValueId[];
}

function contributions({ sources, instructions }: LoopProgram, makers: readonly Maker[]): Contributions[] {
  const additions = instructions
    .map((instruction, number) => ({ instruction, number, maker: makers[number] }))
    .filter(
      (one): one is { instruction: Instruction; number: number; maker: Maker } =>
        one.maker?.role === "contributions",
    );
  return [...Map.groupBy(additions, ({ maker }) => maker.id).values()].flatMap((group) => {
    const own = new Set(group.map(({ number }) => sources.length + number));
    const last = group.at(-1);
    const parts = group.flatMap(({ instruction }) =>
      "reads" in instruction ? instruction.reads.map(({ value }) => value) : [],
    );
    const leaves = parts.filter((value) => !own.has(value));
    return last === undefined ? [] : [{ maker: last.maker, last: last.number, parts: leaves }];
  });
}

/** Names an instruction by the graph's id it comes from; a composite's steps have the composite's name. */
function nameIn(graph: Graph, ids: readonly NodeId[], { role, id }: Maker): string {
  const name = nameOfId(graph, nodeId(ids.findIndex((place) => place >= id)));
  switch (role) {
    case "value":
      return name;
    case "pullback":
      return `${name}, pulled back`;
    case "contributions":
      return `${name}, its cotangent`;
    case "tangent":
      return `${name}, its tangent`;
    case "seed":
      return `${name}, its seed`;
  }
}
