import type { PositFormat } from "../../spec/wire/index.ts";

/** An instruction of `Adjudge.Program` as Lean has it. */
export interface SeenInstruction {
  readonly operator: string;
  /** Flags, numbers and lists of numbers, in the order of the constructor. */
  readonly attributes: readonly unknown[];
  readonly parents: readonly number[];
  readonly shape: readonly number[];
}

/** Numbers as they stand in a trace: `-1/3`. */
type Rows = readonly (readonly string[])[];

/** The definitions of an exported file in Lean's environment, as data, with each number as it is there. */
export interface SeenTrace {
  readonly program: {
    readonly inputs: readonly (readonly number[])[];
    readonly environment: readonly (readonly number[])[];
    readonly nodes: readonly SeenInstruction[];
  };
  /** The trace has a table if it has elementary functions. */
  readonly table: readonly SeenRow[] | undefined;
  /** The trace has an engine if its numbers are rounded. */
  readonly engine: SeenEngine | undefined;
  readonly run: {
    readonly inputs: Rows;
    readonly environment: Rows;
    readonly seeds: readonly { readonly id: number; readonly numbers: readonly string[] }[];
    readonly values: Rows;
    readonly cotangents: Rows;
  };
}

/** A row of a table of elementary functions as `Adjudge.TableRow` has it. */
export interface SeenRow {
  readonly f: string;
  readonly arguments: readonly string[];
  readonly value: string;
  readonly slopes: readonly string[];
}

/** An engine that rounds as Lean has it: its numbers, and how far each may be from the true one. */
export interface SeenEngine {
  readonly arithmetic: SeenArithmetic;
  readonly values: Rows;
  readonly cotangents: Rows;
  readonly valueBounds: Rows;
  readonly cotangentBounds: Rows;
}

/** The file says that the engine computes in this `Adjudge.Arithmetic`. */
export type SeenArithmetic =
  | { readonly kind: "float"; readonly unit: string; readonly smallest: string }
  | { readonly kind: "posit"; readonly format: PositFormat };

/** `Adjudge.Interval.between` of two numbers. */
export type SeenInterval = readonly [low: string, high: string];

/** A row of a file with a verdict as `Adjudge.FunctionRow` has it. */
export interface SeenFunctionRow {
  readonly f: string;
  readonly arguments: readonly SeenInterval[];
  readonly value: SeenInterval;
  readonly slopes: readonly SeenInterval[];
}

/** An answer as `Adjudge.Answer` has it. */
export interface SeenAnswer {
  readonly isCotangent: boolean;
  readonly id: number;
  readonly element: number;
  readonly number: string;
  readonly bound: string;
  readonly isRefuted: boolean;
}

/** The definitions of a file with a verdict. */
export interface SeenJudgement {
  readonly program: SeenTrace["program"];
  readonly given: Pick<SeenTrace["run"], "inputs" | "environment" | "seeds">;
  readonly functions: readonly SeenFunctionRow[];
  readonly enclosure: {
    readonly values: readonly (readonly SeenInterval[])[];
    readonly cotangents: readonly (readonly SeenInterval[])[];
  };
  readonly answers: readonly SeenAnswer[];
}

/** A system of dimensions as `Adjudge.DimensionSystem` has it. */
export interface SeenSystem {
  readonly bases: number;
  /** Each an id and how many times it is taken; the first ids are the bases. */
  readonly equations: readonly (readonly SeenTerm[])[];
}

interface SeenTerm {
  readonly id: number;
  readonly times: string;
}

/** The definitions were read as this. A part that is not written as data is `undefined`. */
export interface Seen {
  readonly program: SeenTrace["program"] | undefined;
  readonly run: SeenTrace["run"] | undefined;
  readonly engine: SeenEngine | undefined;
  readonly table: readonly SeenRow[] | undefined;
  readonly system: SeenSystem | undefined;
  readonly judgement: SeenJudgement | undefined;
}

/** Reads what the driver says of the definitions. What has another form is `undefined`. */
export function readSeen(value: unknown): Seen | undefined {
  if (!isRecord(value)) return undefined;
  return {
    program: readProgram(value.program),
    run: readRun(value.run),
    engine: readEngine(value.engine),
    table: listOf(value.table, readRow),
    system: readSystem(value.system),
    judgement: readJudgement(value),
  };
}

function readJudgement(value: Readonly<Record<string, unknown>>): SeenJudgement | undefined {
  const program = readProgram(value.program);
  const given = readGiven(value.given);
  const functions = listOf(value.functions, readFunctionRow);
  const answers = listOf(value.answers, readAnswer);
  const { enclosure } = value;
  if (program === undefined || given === undefined || functions === undefined) return undefined;
  if (answers === undefined || !isRecord(enclosure)) return undefined;
  const values = listOf(enclosure.values, readIntervals);
  const cotangents = listOf(enclosure.cotangents, readIntervals);
  return values && cotangents && { program, given, functions, enclosure: { values, cotangents }, answers };
}

function readInterval(value: unknown): SeenInterval | undefined {
  const [low, high, ...more] = texts(value) ?? [];
  return low === undefined || high === undefined || more.length > 0 ? undefined : [low, high];
}

function readIntervals(value: unknown): readonly SeenInterval[] | undefined {
  return listOf(value, readInterval);
}

function readFunctionRow(value: unknown): SeenFunctionRow | undefined {
  if (!isRecord(value) || typeof value.f !== "string") return undefined;
  const operands = readIntervals(value.arguments);
  const own = readInterval(value.value);
  const slopes = readIntervals(value.slopes);
  return operands && own && slopes && { f: value.f, arguments: operands, value: own, slopes };
}

function readAnswer(value: unknown): SeenAnswer | undefined {
  if (!isRecord(value)) return undefined;
  const { isCotangent, isRefuted, number, bound } = value;
  const [id, element] = [natural(value.id), natural(value.element)];
  if (typeof isCotangent !== "boolean" || typeof isRefuted !== "boolean") return undefined;
  if (typeof number !== "string" || typeof bound !== "string") return undefined;
  if (id === undefined || element === undefined) return undefined;
  return { isCotangent, id, element, number, bound, isRefuted };
}

function readSystem(value: unknown): SeenSystem | undefined {
  if (!isRecord(value)) return undefined;
  const bases = natural(value.bases);
  const equations = listOf(value.equations, (terms) => listOf(terms, readTerm));
  return bases === undefined ? undefined : equations && { bases, equations };
}

function readTerm(value: unknown): SeenTerm | undefined {
  if (!isRecord(value)) return undefined;
  const { times } = value;
  const id = natural(value.id);
  return id === undefined || typeof times !== "string" ? undefined : { id, times };
}

function readEngine(value: unknown): SeenEngine | undefined {
  if (!isRecord(value)) return undefined;
  const arithmetic = readArithmetic(value.arithmetic);
  const [values, cotangents, valueBounds, cotangentBounds] = [
    value.values,
    value.cotangents,
    value.valueBounds,
    value.cotangentBounds,
  ].map((rows) => listOf(rows, texts));
  if (arithmetic === undefined || values === undefined || cotangents === undefined) return undefined;
  return valueBounds && cotangentBounds && { arithmetic, values, cotangents, valueBounds, cotangentBounds };
}

function readArithmetic(value: unknown): SeenArithmetic | undefined {
  if (!isRecord(value)) return undefined;
  const { unit, smallest, posit } = value;
  const format = readPositFormat(posit);
  if (format !== undefined) return { kind: "posit", format };
  return typeof unit === "string" && typeof smallest === "string"
    ? { kind: "float", unit, smallest }
    : undefined;
}

function readPositFormat(value: unknown): PositFormat | undefined {
  if (!isRecord(value)) return undefined;
  const width = natural(value.width);
  const regimeBits = natural(value.regimeBits);
  const exponentBits = natural(value.exponentBits);
  if (width === undefined || regimeBits === undefined || exponentBits === undefined) return undefined;
  return { width, regimeBits, exponentBits };
}

function readRow(value: unknown): SeenRow | undefined {
  if (!isRecord(value)) return undefined;
  const operands = texts(value.arguments);
  const slopes = texts(value.slopes);
  const [f, own] = texts([value.f, value.value]) ?? [];
  if (operands === undefined || slopes === undefined || f === undefined || own === undefined)
    return undefined;
  return { f, arguments: operands, value: own, slopes };
}

function readProgram(value: unknown): SeenTrace["program"] | undefined {
  if (!isRecord(value)) return undefined;
  const inputs = listOf(value.inputs, naturals);
  const environment = listOf(value.environment, naturals);
  const nodes = listOf(value.nodes, readInstruction);
  if (inputs === undefined || environment === undefined || nodes === undefined) return undefined;
  return { inputs, environment, nodes };
}

function readInstruction(value: unknown): SeenInstruction | undefined {
  if (!isRecord(value) || !isRecord(value.operator)) return undefined;
  const { name, attributes } = value.operator;
  const parents = naturals(value.parents);
  const shape = naturals(value.shape);
  if (typeof name !== "string" || !Array.isArray(attributes)) return undefined;
  return parents && shape && { operator: name, attributes, parents, shape };
}

function readRun(value: unknown): SeenTrace["run"] | undefined {
  if (!isRecord(value)) return undefined;
  const given = readGiven(value);
  const [values, cotangents] = [value.values, value.cotangents].map((rows) => listOf(rows, texts));
  return given && values && cotangents && { ...given, values, cotangents };
}

function readGiven(value: unknown): SeenJudgement["given"] | undefined {
  if (!isRecord(value)) return undefined;
  const [inputs, environment] = [value.inputs, value.environment].map((rows) => listOf(rows, texts));
  const seeds = listOf(value.seeds, readSeed);
  return inputs && environment && seeds && { inputs, environment, seeds };
}

function readSeed(value: unknown): SeenTrace["run"]["seeds"][number] | undefined {
  if (!isRecord(value)) return undefined;
  const id = natural(value.id);
  const numbers = texts(value.numbers);
  return id === undefined || numbers === undefined ? undefined : { id, numbers };
}

function natural(value: unknown): number | undefined {
  return typeof value === "string" && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
}

function naturals(value: unknown): readonly number[] | undefined {
  return listOf(value, natural);
}

function texts(value: unknown): readonly string[] | undefined {
  return listOf(value, (text) => (typeof text === "string" ? text : undefined));
}

function listOf<T>(value: unknown, read: (entry: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((entry: unknown) => read(entry));
  const found = entries.flatMap((entry) => (entry === undefined ? [] : [entry]));
  return found.length === entries.length ? found : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
