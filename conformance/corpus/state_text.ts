import { overwrites, sessionCases } from "../../oracle/programs/index.ts";
import {
  checkProgramCase,
  decodeCall,
  type ExpectedCall,
  entryOf,
  type ProgramCase,
  type ProgramVector,
} from "../../spec/documents/index.ts";
import {
  type Parameter,
  type Program,
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramProcedure,
  type ProgramReference,
  type ProgramValue,
  program,
} from "../../spec/programs/index.ts";
import {
  formatIssue,
  InvariantError,
  type Issue,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { Refusal } from "../../spec/tapes/index.ts";
import type { TensorJson } from "../../spec/wire/index.ts";
import { array, entitled, type Nested, type Titled } from "./case_text.ts";
import { expectedCall } from "./state_expected.ts";

/** A call of a program as a suite writes it. */
interface CallText {
  readonly parameters?: readonly Nested[];
  readonly received?: Readonly<Record<string, readonly Nested[]>>;
  /** Cotangents of results by place; 3, 5, 7, 11, … unless given, none for an empty list. */
  readonly seeds?: readonly Nested[];
}

/** A program that states a fault openly, in place of the whole answer or of the cotangents alone. */
interface WrongProgram {
  readonly program: Program;
  readonly part: "all" | "sweep";
}

/** A catalogue's numbers for the last call, seeded with ones: the right, and the wrong that were given. */
interface ProgramProbe {
  readonly right: ProbedNumbers;
  readonly wrong?: ProbedNumbers;
}

/** Lists cotangents of the parameters, then of the persistent locations; `undefined` says nothing. */
export interface ProbedNumbers {
  readonly results?: readonly (Nested | undefined)[];
  readonly state?: readonly (Nested | undefined)[];
  readonly cotangents?: readonly (Nested | undefined)[];
  readonly retained?: readonly (Nested | undefined)[];
}

/** A vector of a program as a suite writes it; what is expected is derived from it. */
export interface StateText extends CallText, Titled {
  /** It says what goes wrong here. */
  readonly note: string;
  /** Reports that are not entries of the catalogue. */
  readonly links?: readonly string[];
  /** Faults of this vector alone, by name. */
  readonly wrong?: Readonly<Record<string, WrongProgram>>;
  readonly program: Program;
  readonly state?: readonly Nested[];
  readonly environment?: Readonly<Record<string, Nested>>;
  readonly generator?: ProgramCase["generator"];
  readonly calls?: readonly CallText[];
  /** Says whether an engine may refuse; by default {@link refusalOf} the session. */
  readonly refuse?: Refusal;
  /** It says why `refuse` departs from the default. */
  readonly why?: string;
  readonly probe?: ProgramProbe;
}

/** Writes a vector under its title, which {@link entitled} reads; `faults` may be a list where it is long. */
export function vector(title: string, rest: Omit<StateText, Exclude<keyof Titled, "faults">>): StateText {
  return { ...entitled(title), ...rest };
}

type Write = (builder: ProgramBuilder) => readonly ProgramOperand[];
type OnLocation<R> = (a: ProgramReference, x: ProgramValue, builder: ProgramBuilder) => R;

/** Names a program that states a fault of this vector alone. */
export function wrongly(part: WrongProgram["part"], name: string, write: Write): Pick<StateText, "wrong"> {
  return { wrong: { [name]: { part, program: program(write) } } };
}

/** Writes a program and, where `isWrong`, the version of it that states a fault of this vector alone. */
export function forked(
  part: WrongProgram["part"],
  name: string,
  write: (isWrong: boolean, builder: ProgramBuilder) => readonly ProgramOperand[],
): Pick<StateText, "program" | "wrong"> {
  const right = program((builder) => write(false, builder));
  return { program: right, ...wrongly(part, name, (builder) => write(true, builder)) };
}

type Asked = Pick<StateText, "program" | "parameters">;

/** Writes a program and what it is asked at. */
export function asked(parameters: readonly Nested[], write: Write): Asked {
  return { program: program(write), parameters };
}

/** Writes a program that copies its first parameter `x` to a location `a`; its results are the body's. */
export function onLocation(
  parameters: readonly Nested[],
  body: OnLocation<readonly ProgramOperand[]>,
): Asked {
  const [shape] = array(parameters[0] ?? 0);
  return asked(parameters, (builder) => {
    const x = builder.input("x", shape);
    return body(builder.buffer(x), x, builder);
  });
}

/** Writes a program that copies its first parameter `x` to a location `a`, works on it, and answers `a`. */
export function inPlace(parameters: readonly Nested[], body: OnLocation<void>): Asked {
  return onLocation(parameters, (a, x, builder) => {
    body(a, x, builder);
    return [a];
  });
}

/** Declares a procedure's parameter that is handed over as a copy; a scalar unless a shape is given. */
export function byValue(name: string, shape: Shape = []): Parameter {
  return { name, kind: "value", shape };
}

/** Declares a procedure's parameter that is the caller's location; a scalar unless a shape is given. */
export function byReference(name: string, shape: Shape = []): Parameter {
  return { name, kind: "reference", shape };
}

type Declare = ProgramBuilder["procedure"];

/** Declares a procedure of scalars that are handed over as copies. */
export function formula(
  procedure: Declare,
  name: string,
  parameters: readonly string[],
  body: (...values: readonly ProgramValue[]) => readonly ProgramOperand[],
): ProgramProcedure {
  const declared = parameters.map((each) => byValue(each));
  return procedure(name, declared, (...given) => body(...given.map(value)));
}

/** Declares a procedure that works on one location of the caller and returns nothing. */
export function onCallers(
  procedure: Declare,
  name: string,
  parameter: Parameter,
  body: (location: ProgramReference) => void,
): ProgramProcedure {
  return procedure(name, [parameter], (given) => {
    body(reference(given));
    return [];
  });
}

/** Sums a vector. */
export const overRow = { axes: [0], keepdims: false } as const;

/** Sums a matrix. */
export const overMatrix = { axes: [0, 1], keepdims: false } as const;

/** Differentiates the first result of a procedure by its first parameter, backward. */
export const pullback = { mode: "vjp", of: 0, wrt: 0 } as const;

/** Returns the vector a text stands for. Throws {@link InvariantError} where our text is not well-formed. */
export function programVectorFrom(text: StateText): ProgramVector {
  const { name, clause, note, defects = [], faults = [], wrong = {}, why } = text;
  const first = caseOf(text);
  const calls = (text.calls ?? []).map((call) =>
    wellFormed(text, decodeCall(text.program, callJson(text.program, call))),
  );
  const cases = wellFormed(text, sessionCases(first, calls));
  const expected = cases.map(expectedCall);
  return {
    name,
    clause,
    note,
    defects,
    links: text.links ?? [],
    faults: [...faults, ...Object.keys(wrong)],
    case: first,
    calls,
    refuse: text.refuse ?? refusalOf(cases, expected),
    ...(why === undefined ? {} : { why }),
    expected,
  };
}

/** Returns `must` where the reference refuses, `may` where a saved operand is overwritten, else `never`. */
export function refusalOf(cases: readonly ProgramCase[], expected: readonly ExpectedCall[]): Refusal {
  if (expected.some(({ kind }) => kind === "refused")) return "must";
  return cases.some(overwrites) ? "may" : "never";
}

function caseOf(text: StateText): ProgramCase {
  const { program, environment = {}, generator = { key: [0, 1], drawn: 0 } } = text;
  return wellFormed(
    text,
    checkProgramCase(
      JSON.parse(
        JSON.stringify({
          format: "adjudge.program-case.v1",
          program,
          ...callJson(program, text),
          state: (text.state ?? []).map(tensorJson),
          environment: Object.fromEntries(
            Object.entries(environment).map(([name, nested]) => [name, tensorJson(nested)]),
          ),
          generator,
        }),
      ),
    ),
  );
}

function callJson(
  program: Program,
  { parameters = [], received = {}, seeds }: CallText,
): {
  readonly parameters: TensorJson[];
  readonly received: Record<string, TensorJson[]>;
  readonly seeds: { readonly id: number; readonly cotangent: TensorJson }[];
} {
  const shapes = entryOf(program).results.map(({ shape }) => shape);
  const cotangents = seeds?.map(tensorJson) ?? genericSeeds(shapes);
  return {
    parameters: parameters.map(tensorJson),
    received: Object.fromEntries(
      Object.entries(received).map(([channel, tensors]) => [channel, tensors.map(tensorJson)]),
    ),
    seeds: cotangents.map((cotangent, id) => ({ id, cotangent })),
  };
}

function tensorJson(nested: Nested): TensorJson {
  const [shape, elements] = array(nested);
  return { shape, data: elements.map((x) => (Number.isSafeInteger(x) ? x : String(x))) };
}

const primes: readonly number[] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71];

/** Seeds the results with cotangents that differ from each other and from 1. */
function genericSeeds(shapes: readonly Shape[]): TensorJson[] {
  let next = 0;
  return shapes.map((shape) => ({
    shape: [...shape],
    data: Array.from({ length: sizeOf(shape) }, () => primes[next++] ?? next),
  }));
}

function wellFormed<T>({ name }: StateText, checked: Result<T, Issue[]>): T {
  if (!checked.ok) throw new InvariantError(`${name}: ${checked.error.map(formatIssue).join("; ")}`);
  return checked.value;
}

/** Narrows a procedure's parameter to a reference. Throws {@link InvariantError} for a value. */
export function reference(parameter: ProgramValue | ProgramReference | undefined): ProgramReference {
  if (parameter !== undefined && "isReference" in parameter) return parameter;
  throw new InvariantError("the parameter is a value");
}

/** Narrows a procedure's parameter to a value. Throws {@link InvariantError} for a reference. */
export function value(parameter: ProgramValue | ProgramReference | undefined): ProgramValue {
  if (parameter !== undefined && "becomes" in parameter) return parameter;
  throw new InvariantError("the parameter is a reference");
}
