import { overwrites, sessionCases } from "../../oracle/programs/index.ts";
import {
  checkProgramCase,
  decodeCall,
  type ExpectedCall,
  entryOf,
  type ProgramCase,
  type ProgramVector,
  type Refusal,
} from "../../spec/documents/index.ts";
import type { Program, ProgramReference, ProgramValue } from "../../spec/programs/index.ts";
import {
  formatIssue,
  InvariantError,
  type Issue,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { TensorJson } from "../../spec/wire/index.ts";
import { array, type Nested } from "./case_text.ts";
import { expectedCall } from "./state_expected.ts";

/** What a call of a program is given, as a suite writes it. */
interface CallText {
  readonly parameters?: readonly Nested[];
  readonly received?: Readonly<Record<string, readonly Nested[]>>;
  /** By place, cotangents of results; 3, 5, 7, 11, … unless given, and none for an empty list. */
  readonly seeds?: readonly Nested[];
}

/** Another program that does in the open what a fault does in secret: to all, or to what the sweep gives alone. */
interface WrongProgram {
  readonly program: Program;
  readonly part: "all" | "sweep";
}

/** Numbers of a catalogue for the last call, with seeds of ones: the right ones, and wrong ones that were really given. */
interface ProgramProbe {
  readonly right: ProbedNumbers;
  readonly wrong?: ProbedNumbers;
}

/** Cotangents are of the parameters, then of the persistent locations; `undefined` where nothing is said. */
export interface ProbedNumbers {
  readonly results?: readonly (Nested | undefined)[];
  readonly state?: readonly (Nested | undefined)[];
  readonly cotangents?: readonly (Nested | undefined)[];
  readonly retained?: readonly (Nested | undefined)[];
}

/** A vector of a program as a suite writes it: what is expected is not among it. */
export interface StateText extends CallText {
  /** Also the name of its file. */
  readonly name: string;
  /** What goes wrong here. */
  readonly note: string;
  /** The clause of SEMANTICS.md that is tested. */
  readonly clause: string;
  /** Entries of the catalogue that the vector shows; it has their links. */
  readonly defects?: readonly string[];
  /** Reports that are no entries. */
  readonly links?: readonly string[];
  /** Faults that change the answer, by the names that the suite's test knows them by. */
  readonly faults?: readonly string[];
  /** Faults of this vector's own, by name. */
  readonly wrong?: Readonly<Record<string, WrongProgram>>;
  readonly program: Program;
  readonly state?: readonly Nested[];
  readonly environment?: Readonly<Record<string, Nested>>;
  readonly generator?: ProgramCase["generator"];
  readonly calls?: readonly CallText[];
  /** Follows from the run unless given: `never` without a hazard, else `may`. */
  readonly refuse?: Refusal;
  /** Why `refuse` is not what follows. */
  readonly why?: string;
  readonly probe?: ProgramProbe;
}

/** The vector that a text stands for. Throws {@link InvariantError} if it is not well-formed: the suite is ours. */
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

/** What follows from a session: it must be refused where the reference does so, and may be where a saved operand is overwritten. */
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

/** Cotangents that differ from each other and from 1. */
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

/** A parameter of a procedure that the text declared as a reference. Throws {@link InvariantError} for a value. */
export function reference(parameter: ProgramValue | ProgramReference | undefined): ProgramReference {
  if (parameter !== undefined && "isReference" in parameter) return parameter;
  throw new InvariantError("the parameter is a value");
}

/** A parameter of a procedure that the text declared as a value. Throws {@link InvariantError} for a reference. */
export function value(parameter: ProgramValue | ProgramReference | undefined): ProgramValue {
  if (parameter !== undefined && "becomes" in parameter) return parameter;
  throw new InvariantError("the parameter is a reference");
}
