import type { Graph, Input, Point, Seed } from "../graph/index.ts";
import type { Procedure, Program } from "../programs/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  at,
  checkAll,
  fail,
  type Issue,
  MAXIMUM_ISSUES,
  ok,
  pointerTo,
  type Result,
} from "../shapes/index.ts";
import {
  decodeTensor,
  type FlatTensor,
  type PointJson,
  plainTensor,
  type SeedJson,
  type TensorJson,
} from "../wire/index.ts";
import { embeddedProgram, validateEmbedding } from "./embedded.ts";
import { decodePoint, decodeSeeds, decodeTangents } from "./point.ts";

/** A program, and where one call of its entry begins. */
export interface ProgramCase {
  readonly program: Program;
  /** Values of the entry's parameters, then of the persistent locations; and Δ. */
  readonly point: Point;
  readonly generator: { readonly key: readonly [number, number]; readonly drawn: number };
  /** Each channel receives these tensors from outside. */
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  /** Cotangents of the entry's results; `id` is the place of the result. */
  readonly seeds: readonly Seed[];
  readonly note?: string;
}

/** A call of the entry is given these. */
export interface EntryCall extends Pick<ProgramCase, "received" | "seeds"> {
  readonly parameters: readonly FlatTensor[];
}

/** {@link EntryCall} as JSON. */
export interface CallJson {
  readonly parameters: readonly TensorJson[];
  readonly received: ReceivedJson;
  readonly seeds: readonly SeedJson[];
}

/** {@link ProgramCase} as JSON. */
export interface ProgramCaseJson {
  readonly format: "adjudge.program-case.v1";
  readonly program: Program;
  readonly parameters: readonly TensorJson[];
  readonly state: readonly TensorJson[];
  readonly environment: PointJson["environment"];
  readonly generator: ProgramCase["generator"];
  readonly received: ReceivedJson;
  readonly seeds: readonly SeedJson[];
  readonly note?: string;
}

/** Each channel receives these tensors from outside, as JSON. */
export interface ReceivedJson {
  readonly [channel: string]: readonly TensorJson[];
}

const readCase: Validator<ProgramCaseJson> = outlineOf("program-case.schema.json");

/**
 * Returns the program case that `json` denotes: its program by `checkProgram`, tensors of the declared
 * shapes. Fails: `schema/…`, as `checkProgram` does, `point/…`, `seed/…` (ids are places of results),
 * `tensor/…`.
 */
export function checkProgramCase(json: unknown): Result<ProgramCase, Issue[]> {
  const valid = validateEmbedding(json, readCase, embeddedProgram("program"));
  if (!valid.ok) return valid;
  const { program, parameters, state, environment, generator, received, seeds, note } = valid.value;
  const { parameters: declared, results } = entryOf(program);
  const counted = countIssues(parameters.length, declared.length);
  if (counted.length > 0) return fail(counted);
  const inputs = [...declared, ...program.state];
  const point = decodeProgramPoint(program, inputs, { inputs: [...parameters, ...state], environment });
  const world = decodeReceived(received);
  const shapes = results.map(({ shape }) => shape);
  const seeded = decodeSeeds(shapes, seeds, "/seeds", "results");
  if (!point.ok || !world.ok || !seeded.ok) {
    const issues = [point, world, seeded].flatMap((part) => (part.ok ? [] : part.error));
    return fail(issues.slice(0, MAXIMUM_ISSUES));
  }
  const parts = { program, point: point.value, generator, received: world.value };
  return ok({ ...parts, seeds: seeded.value, ...(note === undefined ? {} : { note }) });
}

/** Returns a call of a program's entry. Fails: `point/count`, `point/shape`, `seed/…`, `tensor/…`. */
export function decodeCall(program: Program, json: CallJson): Result<EntryCall, Issue[]> {
  const { parameters: declared, results } = entryOf(program);
  const parameters = decodeTangents(inputsAlone(declared), json.parameters, "/parameters");
  const received = decodeReceived(json.received);
  const shapes = results.map(({ shape }) => shape);
  const seeds = decodeSeeds(shapes, json.seeds, "/seeds", "results");
  if (parameters.ok && received.ok && seeds.ok)
    return ok({ parameters: parameters.value, received: received.value, seeds: seeds.value });
  const issues = [parameters, received, seeds].flatMap((part) => (part.ok ? [] : part.error));
  return fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns a call as JSON, its numbers in decimal. */
export function encodeCall({ parameters, received, seeds }: EntryCall): CallJson {
  return {
    parameters: parameters.map(plainTensor),
    received: Object.fromEntries(
      [...received].map(([channel, tensors]) => [channel, tensors.map(plainTensor)]),
    ),
    seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: plainTensor(cotangent) })),
  };
}

/** Returns a program case as JSON, its numbers in decimal. Law: `checkProgramCase` of it is the case. */
export function encodeProgramCase({
  program,
  point,
  generator,
  note,
  ...call
}: ProgramCase): ProgramCaseJson {
  const count = entryOf(program).parameters.length;
  const { parameters, received, seeds } = encodeCall({ ...call, parameters: point.inputs.slice(0, count) });
  return {
    format: "adjudge.program-case.v1",
    program,
    parameters,
    state: point.inputs.slice(count).map(plainTensor),
    environment: Object.fromEntries(
      [...point.environment].map(([name, tensor]) => [name, plainTensor(tensor)]),
    ),
    generator,
    received,
    seeds,
    ...(note === undefined ? {} : { note }),
  };
}

/** Returns the procedure that a call of the program runs. */
export function entryOf({ procedures }: Program): Procedure {
  return at(procedures, 0);
}

/** Tensors for inputs that a program declares, and its Δ. Fails: `point/…`, `tensor/…`. */
export function decodeProgramPoint(
  { environment }: Program,
  inputs: readonly Input[],
  point: PointJson,
): Result<Point, Issue[]> {
  return decodePoint({ ...inputsAlone(inputs), environment }, point, "");
}

/** Makes a graph of inputs alone. */
function inputsAlone(inputs: readonly Input[]): Graph {
  return { format: "adjudge.graph.v1", inputs, environment: [], nodes: [] };
}

/** Compares counts of tensors. The first ones are parameters, and the others the state. */
function countIssues(given: number, wanted: number): Issue[] {
  if (given === wanted) return [];
  return [
    {
      code: "point/count",
      pointer: "/parameters",
      message: `there are ${given} tensors for ${wanted} parameters.`,
      hint: "give one for each parameter of the entry, in order",
    },
  ];
}

/** Decodes what comes from outside. Fails: `tensor/…`. */
export function decodeReceived(
  received: ReceivedJson,
): Result<ReadonlyMap<string, readonly FlatTensor[]>, Issue[]> {
  const channels = checkAll(Object.entries(received), ([channel, tensors]) => {
    const place = pointerTo("/received", channel);
    const decoded = checkAll(tensors, (tensor, i) => decodeTensor(tensor, pointerTo(place, i)));
    return decoded.ok ? ok([channel, decoded.value] as const) : decoded;
  });
  return channels.ok ? ok(new Map(channels.value)) : channels;
}
