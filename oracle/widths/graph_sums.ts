import {
  type Instruction,
  type LoopProgram,
  type Source,
  type ValueId,
  writtenOut,
} from "../../engines/compile/plan/index.ts";
import { attributed, type Maker } from "../../engines/compile/plan/lower/index.ts";
import { rationalFromNumber } from "../../reference/index.ts";
import type { BoundedSum, Register, Summand } from "../../reference/numerics/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { PositFormat } from "../../spec/wire/index.ts";
import { nameOfId } from "../case/index.ts";
import { type KnownRanges, nothingKnown, rangeOfId, rangesOver } from "./code_ranges.ts";
import { between } from "./scalar_ranges.ts";
import { anyCode, type CodeRange, hullOf, type Summands } from "./summands.ts";
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
  /**
   * Gradients are pulled back in reverse; or values are pushed forward along directions ±1 of `wrt`, inputs.
   */
  readonly mode?: "reverse" | "forward";
  readonly register: Register;
  /** Gradients are accumulated over this many batches, in registers that are kept so long. */
  readonly batches: number;
  /** This gives the range of each source; without it sources may be any codes. */
  readonly given: ((source: Source) => CodeRange) | undefined;
}

/** Finds the known ranges of a program from those of its sources. */
export function knownOf(program: LoopProgram, asked: SumsAsked): KnownRanges {
  const { register, given, mode } = asked;
  const { codes } = register;
  if (mode === "forward" && codes.kind === "posit") {
    const { format } = codes;
    return rangesOver(program, register, (one) => directionOf(one, asked, format) ?? anyOf(one, asked));
  }
  return given === undefined ? nothingKnown(register) : rangesOver(program, register, given);
}

/** Bounds the direction of an input: ±1 if its gradient is estimated, and 0 else. */
function directionOf({ origin }: Source, { wrt }: SumsAsked, format: PositFormat): CodeRange | undefined {
  if (origin.kind !== "tangent") return undefined;
  if (!wrt.some((id) => id === origin.position)) return { low: 0n, high: 0n };
  return between(rationalFromNumber(-1), rationalFromNumber(1), format);
}

function anyOf(source: Source, { given, register }: SumsAsked): CodeRange {
  return given === undefined ? anyCode(register) : given(source);
}

/** Counts the runs that each instruction's register is kept over: all batches for a gradient. */
export function livesIn(
  { sources, results }: LoopProgram,
  { of, batches, mode }: Pick<SumsAsked, "of" | "batches" | "mode">,
): (instruction: number) => number {
  if (mode === "forward") return () => 1;
  const gradients = new Set(results.slice(of.length));
  return (instruction) => (gradients.has(sources.length + instruction) ? batches : 1);
}

/**
 * Lowers the question to values and cotangents pulled back from ones, or tangents pushed forward; names what
 * instructions are for.
 */
export function loweredFor(
  { graph, of, wrt, mode }: Pick<SumsAsked, "graph" | "of" | "wrt" | "mode">,
  regime: "bit_exact" | "fast",
): ReturnType<typeof attributed> & { readonly nameOf: (maker: Maker) => string } {
  const { graph: written, ids } = writtenOut(graph, regime, undefined);
  const values = of.map((id) => at(ids, id));
  const seeds = values.map((id) => ({ id, from: "ones" as const }));
  const request =
    mode === "forward"
      ? { values, tangents: { ids: values, count: 1 } }
      : { values, cotangents: { ids: wrt.map((id) => at(ids, id)), seeds } };
  return { ...attributed(written, request, regime), nameOf: (maker) => nameIn(graph, ids, maker) };
}

/**
 * Lists the sums of a graph and its gradient as the definition takes them, with composites expanded: each
 * element of a sum, matrix product, running or scattered sum, of a pullback that adds, and of a cotangent
 * with more than one contribution. Forward they are those of the values and tangents, and the slope. `det`
 * and `solve` add inside routines, and are left out. Cost: linear in the nodes, whatever the shapes are.
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
  const sums = inOrder.map(({ instruction, ...sum }) => sum);
  if (asked.mode === "forward") return moving([...sums, ...slopes(program, asked, known)], register);
  return [
    ...sums,
    ...overBatches(program, asked, known, new Set(told.map(({ instruction }) => instruction))),
  ];
}

/** Leaves out sums of zeros: what the direction does not move. */
export function moving<S extends BoundedSum>(sums: readonly S[], { units }: Register): S[] {
  return sums.filter(({ least, greatest }) => units(least) !== 0n || units(greatest) !== 0n);
}

/** Returns the sum of the tangents of all results, if they have more than one element: the slope ∇f · v. */
function slopes(
  { results }: LoopProgram,
  { graph, of, register }: SumsAsked,
  known: KnownRanges,
): NamedSum[] {
  const shapes = shapesOf(graph);
  const terms = of.reduce((sum, id) => sum + sizeOf(at(shapes, id)), 0);
  if (terms < 2) return [];
  return [{ ...boundsOfValues(results.slice(of.length), known, register), terms, name: "the slope ∇f · v" }];
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
