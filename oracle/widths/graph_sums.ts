import {
  type Instruction,
  type LoopProgram,
  type Source,
  type ValueId,
  writtenOut,
} from "../../engines/compile/plan/index.ts";
import { attributed, type Maker } from "../../engines/compile/plan/lower/index.ts";
import type { BoundedSum, Register, Summand } from "../../reference/numerics/index.ts";
import { type Graph, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, visible } from "../../spec/shapes/index.ts";
import { type KnownRanges, nothingKnown, rangesOver } from "./code_ranges.ts";
import { type CodeRange, hullOf, type Summands } from "./summands.ts";
import { type ProgramSum, sumsOf } from "./sums.ts";

/** A sum with what it is called in its graph. */
export interface NamedSum extends BoundedSum {
  readonly name: string;
}

/** Whose value and gradient is asked about. */
export interface SumsAsked {
  readonly graph: Graph;
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly register: Register;
  /** Over how many batches gradients are gathered, in registers that are kept so long. */
  readonly batches: number;
  /** Between which codes what is given lies; nothing where that is not said. */
  readonly given: ((source: Source) => CodeRange) | undefined;
}

/** What is known of a program by what is known of its sources. */
export function knownOf(program: LoopProgram, { register, given }: SumsAsked): KnownRanges {
  return given === undefined ? nothingKnown(register) : rangesOver(program, register, given);
}

/** Over how many runs the register of each instruction is kept: of a gradient over all batches. */
export function livesIn(
  { sources, results }: LoopProgram,
  { of, batches }: Pick<SumsAsked, "of" | "batches">,
): (instruction: number) => number {
  const gradients = new Set(results.slice(of.length));
  return (instruction) => (gradients.has(sources.length + instruction) ? batches : 1);
}

/** What a lowering makes of the question, with what each instruction is for: values, and cotangents that are pulled back from ones. */
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
 * The sums of a graph and of its gradient, as the definition takes them: composites are written out, and each element of a sum, a product of matrices, a running or scattered
 * sum, of a pullback that adds and of a cotangent that more than one reader contributes to is one. `det` and `solve` add as ever, and are not told.
 * Cost: linear in the nodes, whatever the shapes are.
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

/** The gradients that are no sums in one batch, and are over several. */
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

/** Between what values lie, as summands. */
function boundsOfValues(values: readonly ValueId[], known: KnownRanges, register: Register): Summands {
  const ends = values.flatMap((value): Summand[] => {
    const read = { kind: "read", read: 0 } as const;
    const reads = [{ value, offset: 0, strides: [], indirections: [] }];
    const { low, high } = known({ reads, expression: read })(read);
    return [[low], [high]];
  });
  return hullOf(ends, register);
}

/** The values that are added up to a cotangent. */
interface Contributions {
  readonly maker: Maker;
  /** The number of the last addition, */
  readonly last: number;
  /** and what is added. */
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

/** What an instruction is called by the id of the graph that it comes from: of a composite's steps, the composite. */
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

function nameOfId(graph: Graph, id: NodeId): string {
  const input = graph.inputs[id];
  return input === undefined ? `node ${id} (${nodeAt(graph, id)?.op})` : `input ${visible(input.name, 40)}`;
}
