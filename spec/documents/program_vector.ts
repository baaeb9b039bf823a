import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  checkAll,
  counted,
  fail,
  formatShape,
  type Issue,
  isSameShape,
  issuesWithin,
  MAXIMUM_ISSUES,
  ok,
  pointerTo,
  type Result,
  type Shape,
} from "../shapes/index.ts";
import type { Refusal } from "../tapes/index.ts";
import { decodeTensor, type FlatTensor, parseJson, plainTensor, type TensorJson } from "../wire/index.ts";
import { validateEmbedding } from "./embedded.ts";
import {
  type CallJson,
  checkProgramCase,
  decodeCall,
  type EntryCall,
  encodeCall,
  encodeProgramCase,
  entryOf,
  type ProgramCase,
  type ProgramCaseJson,
} from "./program_case.ts";

/**
 * A call leaves this behind, by the reference in float64. Cotangents are of the parameters, the persistent
 * locations as they were, and the retained values in order; there are none without a seed.
 */
export interface LeftBehind {
  readonly kind: "left";
  readonly results: readonly FlatTensor[];
  readonly state: readonly FlatTensor[];
  readonly sent: readonly { readonly channel: string; readonly value: FlatTensor }[];
  /** The generator has been drawn from so often, calls before included. */
  readonly drawn: number;
  readonly cotangents: readonly FlatTensor[];
  readonly retained: readonly FlatTensor[];
}

/** A call is expected to leave this, or to be refused with the code of the reference's issue. */
export type ExpectedCall = LeftBehind | { readonly kind: "refused"; readonly code: string };

/** A session of calls of a program, and what is true of it. Calls with seeds are swept. */
export interface ProgramVector {
  readonly name: string;
  /** The clause of SEMANTICS.md that is tested. */
  readonly clause: string;
  /** The note tells people what goes wrong here. */
  readonly note: string;
  /** Entries of the catalogues of defects. */
  readonly defects: readonly string[];
  readonly links: readonly string[];
  /** The vector tells engines with these faults from an honest one. */
  readonly faults: readonly string[];
  /** The program, and the first call. */
  readonly case: ProgramCase;
  /** The later calls, each over the locations and generator that those before have left. */
  readonly calls: readonly EntryCall[];
  /**
   * It is said of the calls that leave something; `must`: these are answered, and the last call is refused.
   */
  readonly refuse: Refusal;
  /** It is there if the call must be answered though a saved operand is overwritten. */
  readonly why?: string;
  /** One is expected for each call, the first included. */
  readonly expected: readonly ExpectedCall[];
}

/** {@link ProgramVector} as JSON. */
export interface ProgramVectorJson extends Omit<ProgramVector, "case" | "calls" | "expected"> {
  readonly format: "adjudge.program-vector.v1";
  readonly case: ProgramCaseJson;
  readonly calls?: readonly CallJson[];
  readonly expected: readonly ExpectedJson[];
}

interface LeftJson {
  readonly kind: "left";
  readonly results: readonly TensorJson[];
  readonly state: readonly TensorJson[];
  readonly sent: readonly { readonly channel: string; readonly value: TensorJson }[];
  readonly drawn: number;
  readonly cotangents: readonly TensorJson[];
  readonly retained: readonly TensorJson[];
}

type ExpectedJson = LeftJson | { readonly kind: "refused"; readonly code: string };

/** The schema reads this; the case has a check of its own. */
type Read = Omit<ProgramVectorJson, "case"> & { readonly case: ProgramCase };

const readVector: Validator<Read> = outlineOf("program-vector.schema.json");

const embeddedCase = {
  property: "case",
  empty: {
    format: "adjudge.program-case.v1",
    program: {
      format: "adjudge.program.v1",
      state: [],
      environment: [],
      procedures: [{ name: "main", parameters: [], body: [], results: [] }],
    },
    parameters: [],
    state: [],
    environment: {},
    generator: { key: [0, 0], drawn: 0 },
    received: {},
    seeds: [],
  },
  check: checkProgramCase,
} as const;

/** Returns the vector that a JSON text denotes; see {@link checkProgramVector}. Fails: `json/…` too. */
export function checkProgramVectorText(text: string): Result<ProgramVector, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkProgramVector(json.value) : json;
}

/**
 * Returns the vector that `json` denotes: its case by `checkProgramCase`, calls that fit the program, and for
 * each an expectation of the declared shapes. The last call is expected to be refused if and only if the
 * vector says `must`. Law: `checkProgramVector(encodeProgramVector(v))` is `v`. Fails: as `checkProgramCase`
 * does; `vector/calls`, `vector/shape`, `vector/refuse`.
 */
export function checkProgramVector(json: unknown): Result<ProgramVector, Issue[]> {
  const valid = validateEmbedding(json, readVector, embeddedCase);
  if (!valid.ok) return valid;
  const { format: _, calls = [], expected, ...rest } = valid.value;
  const { program } = rest.case;
  const further = checkAll(calls, (call, i) => {
    const place = pointerTo("/calls", i);
    const decoded = decodeCall(program, call);
    return decoded.ok ? decoded : fail(issuesWithin(place, decoded.error));
  });
  const left = checkAll(
    expected,
    (each, i): Result<ExpectedCall, Issue[]> =>
      each.kind === "refused" ? ok(each) : decodeLeft(each, pointerTo("/expected", i)),
  );
  if (!further.ok || !left.ok) {
    const issues = [further, left].flatMap((part) => (part.ok ? [] : part.error));
    return fail(issues.slice(0, MAXIMUM_ISSUES));
  }
  const vector = { ...rest, calls: further.value, expected: left.value };
  const issues = [...refusalIssues(vector), ...countIssues(vector), ...shapeIssues(vector)];
  return issues.length === 0 ? ok(vector) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns the vector as JSON, its numbers in decimal: a float's shortest text is that float again. */
export function encodeProgramVector(vector: ProgramVector): ProgramVectorJson {
  const { name, clause, note, defects, links, faults, refuse, why, calls, expected } = vector;
  return {
    format: "adjudge.program-vector.v1",
    name,
    clause,
    note,
    defects,
    links,
    faults,
    refuse,
    ...(why === undefined ? {} : { why }),
    case: encodeProgramCase(vector.case),
    ...(calls.length === 0 ? {} : { calls: calls.map(encodeCall) }),
    expected: expected.map((each) => (each.kind === "refused" ? each : encodeLeft(each))),
  };
}

function decodeLeft(left: LeftJson, pointer: string): Result<LeftBehind, Issue[]> {
  const list = (part: Exclude<keyof LeftJson, "kind" | "sent" | "drawn">): Result<FlatTensor[], Issue[]> =>
    checkAll(left[part], (tensor, i) => decodeTensor(tensor, `${pointer}/${part}/${i}`));
  const [results, state, cotangents, retained] = [
    list("results"),
    list("state"),
    list("cotangents"),
    list("retained"),
  ];
  const sent = checkAll(left.sent, ({ channel, value }, i) => {
    const decoded = decodeTensor(value, `${pointer}/sent/${i}/value`);
    return decoded.ok ? ok({ channel, value: decoded.value }) : decoded;
  });
  if (!results.ok || !state.ok || !cotangents.ok || !retained.ok || !sent.ok) {
    const parts = [results, state, cotangents, retained, sent];
    return fail(parts.flatMap((part) => (part.ok ? [] : part.error)));
  }
  return ok({
    kind: "left",
    results: results.value,
    state: state.value,
    sent: sent.value,
    drawn: left.drawn,
    cotangents: cotangents.value,
    retained: retained.value,
  });
}

function encodeLeft({ kind, results, state, sent, drawn, cotangents, retained }: LeftBehind): LeftJson {
  return {
    kind,
    results: results.map(plainTensor),
    state: state.map(plainTensor),
    sent: sent.map(({ channel, value }) => ({ channel, value: plainTensor(value) })),
    drawn,
    cotangents: cotangents.map(plainTensor),
    retained: retained.map(plainTensor),
  };
}

function countIssues({ calls, expected }: ProgramVector): Issue[] {
  if (expected.length === calls.length + 1) return [];
  return [
    {
      code: "vector/calls",
      pointer: "/expected",
      message: `something is expected of ${counted(expected.length, "call")}, and there are ${calls.length + 1}.`,
      hint: "say what each call leaves behind; the first is that of the case",
    },
  ];
}

/** Checks that the last call is refused if and only if the vector says `must`. */
function refusalIssues({ refuse, expected }: ProgramVector): Issue[] {
  const isRefused = expected.at(-1)?.kind === "refused";
  if (isRefused === (refuse === "must")) return [];
  return [
    {
      code: "vector/refuse",
      pointer: `/expected/${Math.max(expected.length - 1, 0)}/kind`,
      message: isRefused
        ? 'the last call is expected to be refused, and the vector does not say "must".'
        : "the last call of a vector that must be refused is expected to leave something behind.",
      hint: 'a last call that is "refused", and "refuse": "must", go together',
    },
  ];
}

/** Results, locations and cotangents have the shapes that the program declares. */
function shapeIssues({ case: first, calls, expected }: ProgramVector): Issue[] {
  const { program, seeds } = first;
  const { parameters, results } = entryOf(program);
  const locations = program.state.map(({ shape }) => shape);
  const inputs = [...parameters.map(({ shape }) => shape), ...locations];
  return expected.flatMap((each, i) => {
    if (each.kind === "refused") return [];
    const isAsked = (i === 0 ? seeds : (calls[i - 1]?.seeds ?? [])).length > 0;
    const place = `/expected/${i}`;
    return [
      ...listIssues(
        each.results,
        results.map(({ shape }) => shape),
        `${place}/results`,
      ),
      ...listIssues(each.state, locations, `${place}/state`),
      ...listIssues(each.cotangents, isAsked ? inputs : [], `${place}/cotangents`),
      ...(isAsked ? [] : listIssues(each.retained, [], `${place}/retained`)),
    ];
  });
}

function listIssues(tensors: readonly FlatTensor[], wanted: readonly Shape[], pointer: string): Issue[] {
  const shapes = tensors.map(({ shape }) => shape);
  if (shapes.length === wanted.length && shapes.every((shape, i) => isSameShape(shape, wanted[i] ?? [])))
    return [];
  const shown = (list: readonly Shape[]): string => list.map(formatShape).join(", ") || "none";
  return [
    {
      code: "vector/shape",
      pointer,
      message: `the shapes are ${shown(shapes)}, and those of the program are ${shown(wanted)}.`,
      hint: "cotangents are of the parameters, then of the persistent locations, and of none without a seed",
    },
  ];
}
