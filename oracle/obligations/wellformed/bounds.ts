import type { Access, Instruction, LoopProgram } from "../../../engines/compile/plan/index.ts";
import { InvariantError, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { integerIn } from "../accumulators/index.ts";
import type { Execution, Hypothesis, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { type Arithmetic, positionIn, resultsOver } from "../rewrites/index.ts";
import { lastPosition, limitAt, type Site, sitesOf } from "./accesses.ts";
import { thrownBy } from "./lemma.ts";

/** A program has bounds on the entries of its index sources. */
export interface Bounded {
  readonly name: string;
  readonly program: LoopProgram;
  /** Each index source, by number, has limits. */
  readonly limits: readonly (readonly number[])[];
}

/**
 * States that no access of a program leaves its tensor, for all indices within the loops' extents, and all
 * index entries below the limits that the shape rules state.
 */
export function boundsObligation(bounded: Bounded): Obligation {
  const { name, program } = bounded;
  const sites = sitesOf(program);
  const encoded = sites.map((site, number) => encodedSite(bounded, site, number));
  const conjunction = (parts: readonly string[]): string =>
    parts.length === 1 ? (parts[0] ?? "true") : `(and ${parts.join(" ")})`;
  const below = encoded.flatMap(({ limits }) => limits);
  const hypotheses: Hypothesis[] = [
    { name: "within_loops", formula: conjunction(encoded.flatMap(({ loops }) => loops)) },
    ...(below.length === 0 ? [] : [{ name: "below_limits", formula: conjunction(below) }]),
  ];
  return {
    id: `wellformed/${name}`,
    statement: `No access of ${name.replaceAll("_", " ").replace("/", ", ")}, leaves its tensor.`,
    clause: "SEMANTICS §1",
    logic: "QF_LIA",
    scope: { kind: "graph", graph: name },
    tier: "everyday",
    declarations: encoded.flatMap(({ declarations }) => declarations).join("\n"),
    hypotheses,
    goal: conjunction(encoded.map(({ goal }) => goal)),
    rlimit: 2_000_000,
    requiredCore: hypotheses.map((hypothesis) => hypothesis.name),
    mutants: mutantsOf(bounded, sites),
    dependsOn: [],
    metaArgument:
      "The accesses are those of the loops that the graph is lowered to, at these extents; a loop of extent 0 reads nothing. Elements that two accesses look up need not be the same.",
  };
}

/** One access is written as formulas over its loop indices `i…` and looked-up elements `j…`. */
interface Encoded {
  readonly declarations: readonly string[];
  readonly loops: readonly string[];
  readonly limits: readonly string[];
  readonly goal: string;
  readonly symbols: readonly string[];
}

/** An encoding may be off by this. */
interface Slack {
  /** Loops are so much longer. */
  readonly loops?: number;
  /** Limits are so much higher. */
  readonly limits?: number;
}

function encodedSite({ program, limits }: Bounded, site: Site, number: number, slack: Slack = {}): Encoded {
  const { extents, access, size } = site;
  const used = extents.map((extent, axis) => ({ name: `i${number}_${axis}`, extent, axis }));
  const looked = access.indirections.map((lookup, n) => ({ lookup, name: `j${number}_${n}` }));
  const affine = (offset: number, strides: readonly number[]): readonly string[] => [
    integer(offset),
    ...used
      .filter(({ axis }) => (strides[axis] ?? 0) !== 0)
      .map(({ name, axis }) => `(* ${integer(strides[axis] ?? 0)} ${name})`),
  ];
  const within = (term: string, most: number): string => `(and (<= 0 ${term}) (< ${term} ${most}))`;
  const position = sum([
    ...affine(access.offset, access.strides),
    ...looked.map(({ lookup, name }) => `(* ${integer(lookup.scale)} ${name})`),
  ]);
  const entries = looked.map(({ lookup }) =>
    within(sum(affine(lookup.offset, lookup.strides)), program.indexSources[lookup.index]?.size ?? 0),
  );
  const symbols = [...used.map(({ name }) => name), ...looked.map(({ name }) => name)];
  return {
    declarations: symbols.map((name) => `(declare-const ${name} Int)`),
    loops: used.map(({ name, extent }) => within(name, extent + (slack.loops ?? 0))),
    limits: looked.map(({ lookup, name }) =>
      within(name, limitAt(limits[lookup.index] ?? [], lookup.offset, lookup.strides) + (slack.limits ?? 0)),
    ),
    goal: `(and ${[within(position, size), ...entries].join(" ")})`,
    symbols,
  };
}

function integer(value: number): string {
  return value < 0 ? `(- ${-value})` : String(value);
}

function sum(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? "0") : `(+ ${parts.join(" ")})`;
}

/** A wrong access or loop, in the place of one, leaves the tensor. */
interface Planted {
  readonly name: string;
  readonly fault: string;
  readonly site: Site;
  readonly number: number;
  readonly slack: Slack;
  /** At the same indices this is right, where they are the right loops'. */
  readonly right?: Site;
  /** Runs the program with the fault in it. */
  run(): void;
}

function mutantsOf(bounded: Bounded, sites: readonly Site[]): readonly ObligationMutant[] {
  return [stride(bounded, sites), longerLoop(bounded, sites), ...higherLimit(bounded, sites)].map((planted) =>
    mutantOf(bounded, planted),
  );
}

/** Asks about the one access with the fault. */
function mutantOf(bounded: Bounded, planted: Planted): ObligationMutant {
  const { name, fault, site, number, slack } = planted;
  const { declarations, loops, limits, goal, symbols } = encodedSite(bounded, site, number, slack);
  const formula = (parts: readonly string[]): string => `(and true ${parts.join(" ")})`;
  const hasLimits = bounded.limits.length > 0;
  return {
    name,
    fault,
    declarations: declarations.join("\n"),
    instead: [
      { name: "within_loops", formula: formula(loops) },
      ...(hasLimits ? [{ name: "below_limits", formula: formula(limits) }] : []),
    ],
    goal,
    ask: symbols,
    execute: (model) => executed(bounded, planted, model),
  };
}

/**
 * Runs the right program, and the right access at the model's indices and entries where they are allowed;
 * then the wrong access at the same numbers, and the program with the fault.
 */
function executed(bounded: Bounded, { site, number, right, run }: Planted, model: Model): Execution {
  const numbers = (letter: string, count: number): readonly number[] =>
    Array.from({ length: count }, (_, n) => Number(integerIn(model, `${letter}${number}_${n}`)));
  const index = numbers("i", site.extents.length);
  const entries = numbers("j", site.access.indirections.length);
  const holds =
    thrownBy(() => runOn(bounded, bounded.program)) ??
    (right === undefined ? undefined : thrownBy(() => readAt(bounded.program, right, index, entries)));
  const wrong = thrownBy(() => readAt(bounded.program, site, index, entries));
  return {
    showsFault: holds === undefined && wrong !== undefined && thrownBy(run) !== undefined,
    told: `instruction ${site.instruction} at [${index.join()}], index entries [${entries.join()}]: ${wrong ?? "nothing thrown"}`,
  };
}

/** Reads an access at an index of its loops, with these entries for its lookups. */
function readAt(
  program: LoopProgram,
  { access, size }: Site,
  index: readonly number[],
  entries: readonly number[],
): void {
  const indices = program.indexSources.map((source) => new Array<number>(source.size).fill(0));
  for (const [n, { index: source, offset, strides }] of access.indirections.entries()) {
    const place = strides.reduce((sum, stride, axis) => sum + stride * (index[axis] ?? 0), offset);
    const data = indices[source];
    if (data?.[place] !== undefined) data[place] = entries[n] ?? 0;
  }
  const position = positionIn(access, index, indices);
  if (position < 0 || position >= size) throw new RangeError(`no element ${position} of ${size}`);
}

/** Positions do not depend on numbers. */
const noNumbers: Arithmetic<number> = { literal: () => 0, apply: () => 0 };

/** Runs a program on zeros, with the highest index entries within the limits, or `beyond` higher. */
function runOn({ limits }: Bounded, program: LoopProgram, beyond = 0): void {
  const sources = program.sources.map(({ shape }) => new Array<number>(sizeOf(shape)).fill(0));
  const indices = program.indexSources.map(({ size }, number) => {
    const own = limits[number] ?? [];
    return Array.from({ length: size }, (_, n) => (own[n % own.length] ?? 1) - 1 + beyond);
  });
  resultsOver(program, noNumbers, { sources, indices });
}

/** Finds the first access with an axis along which a step longer by one leaves the tensor. */
function stride(bounded: Bounded, sites: readonly Site[]): Planted {
  for (const [number, site] of sites.entries()) {
    if (site.access.indirections.length > 0) continue;
    for (const [axis, extent] of site.extents.entries()) {
      const isOver = lastPosition(site) + extent - 1 >= site.size && (site.access.strides[axis] ?? 0) > 0;
      if (extent < 2 || !isOver) continue;
      const strides = site.access.strides.map((step, other) => (other === axis ? step + 1 : step));
      const access = { ...site.access, strides };
      return {
        name: "stride",
        fault: `instruction ${site.instruction} steps one element too far along axis ${axis}.`,
        site: { ...site, access },
        number,
        slack: {},
        right: site,
        run: () => runOn(bounded, withAccess(bounded.program, site, access)),
      };
    }
  }
  throw new InvariantError(`${bounded.name} has no access to plant a stride in`);
}

/** Finds the first loop nest that leaves the tensor if each of its loops runs one further. */
function longerLoop(bounded: Bounded, sites: readonly Site[]): Planted {
  const more = { loops: 1 };
  for (const [number, site] of sites.entries()) {
    const instruction = bounded.program.instructions[site.instruction];
    const longer = { ...site, extents: site.extents.map((extent) => extent + 1) };
    if (site.access.indirections.length > 0 || lastPosition(longer) < site.size) continue;
    if (instruction === undefined || instruction.kind === "routine") continue;
    return {
      name: "longer_loop",
      fault: `the loops of instruction ${site.instruction} run one index too far.`,
      site,
      number,
      slack: more,
      run: () => runOn(bounded, withInstruction(bounded.program, site.instruction, lengthened(instruction))),
    };
  }
  throw new InvariantError(`${bounded.name} has no loop to lengthen`);
}

function lengthened(instruction: Instruction): Instruction {
  const longer = (shape: Shape): Shape => shape.map((extent) => extent + 1);
  switch (instruction.kind) {
    case "map":
    case "scan":
      return { ...instruction, shape: longer(instruction.shape) };
    case "fold":
      return { ...instruction, shape: longer(instruction.shape), over: longer(instruction.over) };
    case "scatter":
      return { ...instruction, over: longer(instruction.over) };
    case "assemble":
      return {
        ...instruction,
        pieces: instruction.pieces.map((piece) => ({ ...piece, shape: longer(piece.shape) })),
      };
    case "routine":
      return instruction;
  }
}

/** Raises an index entry to its limit, where there are some. */
function higherLimit(bounded: Bounded, sites: readonly Site[]): readonly Planted[] {
  const number = sites.findIndex(({ access }) => access.indirections.length > 0);
  const site = sites[number];
  if (site === undefined) return [];
  return [
    {
      name: "higher_limit",
      fault: "an index entry may be the extent of its axis.",
      site,
      number,
      slack: { limits: 1 },
      run: () => runOn(bounded, bounded.program, 1),
    },
  ];
}

function withInstruction(program: LoopProgram, number: number, instruction: Instruction): LoopProgram {
  return { ...program, instructions: program.instructions.with(number, instruction) };
}

/** Changes the access at a site; the value that it reads stays. */
function withAccess(program: LoopProgram, { instruction: number, access }: Site, other: Access): LoopProgram {
  const swap = <Kind extends Access>(one: Kind): Kind =>
    Object.is(one, access) ? { ...one, strides: other.strides } : one;
  const before = program.instructions[number];
  switch (before?.kind) {
    case "map":
    case "fold":
    case "scan":
      return withInstruction(program, number, { ...before, reads: before.reads.map(swap) });
    case "scatter":
      return withInstruction(program, number, {
        ...before,
        reads: before.reads.map(swap),
        place: swap(before.place),
      });
    case "assemble":
      return withInstruction(program, number, {
        ...before,
        pieces: before.pieces.map((piece) => ({
          ...piece,
          reads: piece.reads.map(swap),
          place: swap(piece.place),
        })),
      });
    default:
      throw new InvariantError("no loop nest to plant an access in");
  }
}
