import { type EnclosedRow, isEnclosed } from "./enclosed.ts";
import type { Subject } from "./subject.ts";

/** A theorem of an exported file: its name, what it says, and its proof. */
export interface Claim {
  readonly name: string;
  readonly proposition: string;
  readonly proof: string;
}

/** The counts of inputs and numbers decide which theorems a file has. */
export interface ClaimedTrace {
  readonly program: { readonly inputs: readonly unknown[] };
  readonly run: { readonly values: readonly (readonly unknown[])[] };
}

/** The kernel proves this by computing. */
export const decided = "by decide +kernel";

/** A claim of this kind is made of each id. */
export interface Kind {
  readonly noun: string;
  /** The predicate of the ids from a first to before a last. */
  readonly predicate: string;
}

/** These claims say that shape, value and cotangent are right (`Adjudge.Replay.Check`). */
const kinds: readonly Kind[] = [
  { noun: "shape", predicate: "ShapesAgree program" },
  { noun: "value", predicate: "ValuesAgree program run" },
  { noun: "cotangent", predicate: "CotangentsAgree program run" },
];

/** Of a run by a table the same, and that the rows of the table are near the functions. */
const tabledKinds: readonly Kind[] = [
  { noun: "shape", predicate: "ShapesAgreeBy program" },
  { noun: "value", predicate: "ValuesAgreeBy program table run" },
  { noun: "cotangent", predicate: "CotangentsAgreeBy program table run" },
];

/** These claims say that an engine rounds as it may, and that its bounds are the derived ones. */
const engineKinds: readonly Kind[] = [
  { noun: "rounding", predicate: "RoundingsHold program run engine" },
  { noun: "cotangent_rounding", predicate: "CotangentRoundingsHold program run engine" },
  { noun: "bound", predicate: "BoundsDerived program run engine" },
  { noun: "cotangent_bound", predicate: "CotangentBoundsDerived program run engine" },
];

/**
 * Up to this many ids have theorems of their own. A theorem costs the kernel as much as a hundred ids, since
 * it forgets between theorems what it has computed. More ids share theorems, and `refine` tells them apart.
 */
const MAXIMUM_SINGLE = 8;

/** Ids that share a theorem have at most this many numbers: the kernel remembers all it computes for one. */
const MAXIMUM_NUMBERS = 1_000;

const dataPredicate = "DataFits program run";
const runs = "program.Runs run";
const isConsistent = "TableConsistent table";
const runsBy = "program.RunsBy table run";
const rowsSeen: Kind = { noun: "row", predicate: "TableSeen table" };
const rowsNear = "TableTrue table";
const valuesWithin = "ValuesWithin run engine";
const cotangentsWithin = "CotangentsWithin run engine";
const runsNearby = "program.Runs run ∧ engine.Rounds program run ∧ engine.IsNear run";

/** A system of dimensions is claimed to have no solution. */
export const obstructed = { name: "dimensions_disagree", proposition: "system.Obstructed" } as const;

/**
 * Returns all that a theorem of an exported file can state, with 7 and 9 where two numbers stand: each is one
 * of these, for two numbers or for none.
 */
export function statementsOf(subject: Exclude<Subject, { readonly kind: "verdict" }>): readonly string[] {
  if (subject.kind === "system") return [obstructed.proposition];
  const { hasEngine } = subject;
  if (subject.hasTable === true) {
    const predicates = [...[...tabledKinds, rowsSeen].map(({ predicate }) => predicate), dataPredicate];
    const near = [`${rowsNear} 7 9`, `${runsBy} ∧ ${rowsNear} 7 9`];
    return [...predicates.map((predicate) => `${predicate} 7 9`), isConsistent, runsBy, ...near];
  }
  const ranges = [...kinds, ...(hasEngine ? engineKinds : [])].map(({ predicate }) => predicate);
  const spans = [...ranges, dataPredicate].map((predicate) => `${predicate} 7 9`);
  return [...spans, runs, ...(hasEngine ? [valuesWithin, cotangentsWithin, runsNearby] : [])];
}

/** Returns every theorem of the trace. The last says that the run evaluates and backpropagates it. */
export function traceClaims(trace: ClaimedTrace): Claim[] {
  return [
    ...partsOf(kinds, trace),
    {
      name: "run_is_backpropagation",
      proposition: runs,
      proof: "runs_of_segments data shapes values cotangents",
    },
  ];
}

/** A run by a table decides by the rows too: each that is near its function is claimed to be. */
export interface TabledClaims extends ClaimedTrace {
  readonly table: readonly EnclosedRow[];
}

/**
 * Returns every theorem of a run by a table. The last says that it is one for all functions that agree with
 * it, and that its first rows, to which {@link isEnclosed} holds, are near the elementary functions.
 */
export function tabledClaims(trace: TabledClaims): Claim[] {
  const count = trace.table.filter(isEnclosed).length;
  const near = `${rowsNear} 0 ${count}`;
  const rows = partClaims(rowsSeen, count === 0 ? [] : [[0, count]]);
  return [
    { name: "table_is_consistent", proposition: isConsistent, proof: decided },
    ...partsOf(tabledKinds, trace),
    {
      name: "run_is_backpropagation",
      proposition: runsBy,
      proof: "runsBy_of_segments table_is_consistent data shapes values cotangents",
    },
    ...rows,
    ...rows.map(({ name }) => ({ name: "table_is_near", proposition: near, proof: `tableTrue_of ${name}` })),
    ...rows.map(() => ({
      name: "run_by_near_functions",
      proposition: `${runsBy} ∧ ${near}`,
      proof: "⟨run_is_backpropagation, table_is_near⟩",
    })),
  ];
}

/**
 * The claims about each id, and about the data: after the shapes, since what a wrong one does not fit is
 * right.
 */
function partsOf(kindsOfRun: readonly Kind[], trace: ClaimedTrace): Claim[] {
  const { program, run } = trace;
  const inputs = program.inputs.length;
  return [
    ...kindsOfRun.flatMap((kind) => kindClaims(kind, kind.noun === "shape" ? inputs : 0, trace)),
    { name: "data", proposition: `${dataPredicate} ${inputs} ${run.values.length}`, proof: decided },
  ];
}

/**
 * Lists what is claimed of a float run beside {@link traceClaims} of its exact one, the last being that the
 * engine rounds as it may, and that each of its numbers is within its derived bound of the true one.
 */
export function engineClaims(trace: ClaimedTrace): Claim[] {
  return [
    ...engineKinds.flatMap((kind) => kindClaims(kind, 0, trace)),
    { name: "values_within", proposition: valuesWithin, proof: decided },
    { name: "cotangents_within", proposition: cotangentsWithin, proof: decided },
    {
      name: "engine_is_near",
      proposition: runsNearby,
      proof:
        "⟨run_is_backpropagation,\n" +
        "    rounds_of_segments data roundings cotangent_roundings bounds cotangent_bounds,\n" +
        "    isNear_of_within values_within cotangents_within⟩",
    },
  ];
}

/** The theorems of a kind, and the one about all ids that follows from them. */
export function kindClaims(
  kind: Kind,
  first: number,
  trace: ClaimedTrace,
  maximumSingle: number = MAXIMUM_SINGLE,
): Claim[] {
  const parts = partClaims(kind, segmentsOf(first, trace, maximumSingle));
  const proposition = `${kind.predicate} ${first} ${trace.run.values.length}`;
  return [...inOrder(kind, parts), { name: `${kind.noun}s`, proposition, proof: joined(parts) }];
}

/**
 * Puts theorems in the order of a sweep: values upwards, cotangents downwards. What a wrong number makes
 * wrong comes after the claim about it, so that the first one refused is the one to look at.
 */
export function inOrder({ noun }: { readonly noun: string }, parts: readonly Claim[]): readonly Claim[] {
  return noun.startsWith("cotangent") ? parts.toReversed() : parts;
}

/** The ids from a first on to before a last. */
export type Segment = readonly [from: number, to: number];

/** Lists the claims about the ids of each segment. */
export function partClaims({ noun, predicate }: Kind, segments: readonly Segment[]): Claim[] {
  return segments.map(([from, to]) => ({
    name: to === from + 1 ? `${noun}_${from}` : `${noun}s_${from}_${to}`,
    proposition: `${predicate} ${from} ${to}`,
    proof: decided,
  }));
}

/** Returns all ids from `first` on, those together that share theorems. */
function segmentsOf(first: number, { run }: ClaimedTrace, maximumSingle: number): Segment[] {
  const count = run.values.length;
  if (count <= maximumSingle) return evenSegments([first, count], 1);
  const segments: Segment[] = [];
  let from = first;
  let numbers = 0;
  for (let id = first; id < count; id++) {
    const own = Math.max(1, run.values[id]?.length ?? 0);
    if (id > from && numbers + own > MAXIMUM_NUMBERS) {
      segments.push([from, id]);
      from = id;
      numbers = 0;
    }
    numbers += own;
  }
  if (from < count) segments.push([from, count]);
  return segments;
}

/** Returns a segment cut into segments of so many ids, the last of what is left. */
export function evenSegments([first, last]: Segment, size: number): Segment[] {
  return Array.from({ length: Math.ceil((last - first) / size) }, (_, part) => {
    const from = first + part * size;
    return [from, Math.min(last, from + size)];
  });
}

/** The proof for all ids from those for their parts, the first two put together first. */
function joined(parts: readonly Claim[]): string {
  const [first, ...rest] = parts.map(({ name }) => name);
  if (first === undefined) return decided;
  const [second, ...others] = rest;
  if (second === undefined) return first;
  return others.reduce((proof, name) => `(${proof}).trans ${name}`, `${first}.trans ${second}`);
}

/** Returns a claim as a Lean theorem. */
export function leanTheorem({ name, proposition, proof }: Claim): string {
  return `theorem ${name} : ${proposition} :=\n  ${proof}\n`;
}
