import {
  attributed,
  type Instruction,
  type LoopProgram,
  type Maker,
  type Source,
  writtenOut,
} from "../../engines/plan/index.ts";
import type { BoundedSum, Register } from "../../reference/numerics/index.ts";
import { at, type Graph, type NodeId, nodeAt, nodeId, visible } from "../../spec/index.ts";
import { type KnownRanges, nothingKnown, rangesOver } from "./code_ranges.ts";
import { type CodeRange, hullOf } from "./summands.ts";
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
  /** Between which codes what is given lies; nothing where that is not said. */
  readonly given: ((source: Source) => CodeRange) | undefined;
}

/** What is known of a program by what is known of its sources. */
export function knownOf(program: LoopProgram, { register, given }: SumsAsked): KnownRanges {
  return given === undefined ? nothingKnown(register) : rangesOver(program, register, given);
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
  const { program, makers, nameOf } = loweredFor(asked, "bit_exact");
  const known = knownOf(program, asked);
  const taken = sumsOf(program, known, asked.register).map(
    ({ instruction, ...sum }): ProgramSum & NamedSum => ({
      ...sum,
      instruction,
      name: nameOf(at(makers, instruction)),
    }),
  );
  const gathered = contributions(program, makers).map((one): ProgramSum & NamedSum => {
    const ranges = one.parts.map((value) => {
      const read = { kind: "read", read: 0 } as const;
      const reads = [{ value, offset: 0, strides: [], indirections: [] }];
      return known({ reads, expression: read })(read);
    });
    const ends = ranges.flatMap(({ low, high }) => [[low], [high]] as const);
    const bounds = hullOf(ends, asked.register);
    return { ...bounds, terms: one.parts.length, instruction: one.instruction, name: nameOf(one.maker) };
  });
  return [...taken, ...gathered]
    .toSorted((a, b) => a.instruction - b.instruction)
    .map(({ instruction, ...sum }) => sum);
}

/** The values that are added up to a cotangent. */
interface Contributions {
  readonly maker: Maker;
  /** The first addition. */
  readonly instruction: number;
  readonly parts: readonly number[];
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
    const [first] = group;
    const parts = group.flatMap(({ instruction }) =>
      "reads" in instruction ? instruction.reads.map(({ value }) => value) : [],
    );
    return first === undefined
      ? []
      : [
          {
            maker: first.maker,
            instruction: first.number,
            parts: parts.filter((value) => !own.has(value)),
          },
        ];
  });
}

/** What an instruction is called by the id of the graph that it comes from: of a composite's steps, the composite. */
function nameIn(graph: Graph, ids: readonly NodeId[], { role, id }: Maker): string {
  const original = nodeId(ids.findIndex((place) => place >= id));
  const input = graph.inputs[original];
  const name =
    input === undefined
      ? `node ${original} (${nodeAt(graph, original)?.op})`
      : `input ${visible(input.name, 40)}`;
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
