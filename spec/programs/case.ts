import type { Graph } from "../graph.ts";
import type { Point, Seed } from "../point.ts";
import { issuesWithin, pointerTo } from "../pointer.ts";
import { checkAll, fail, type Issue, MAXIMUM_ISSUES, ok, type Result } from "../result.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import type { PointJson, SeedJson } from "../wire/case.ts";
import { decodePoint, decodeSeeds } from "../wire/point.ts";
import { decodeTensor, type FlatTensor, type TensorJson } from "../wire/tensor.ts";
import { checkProgram } from "./check.ts";
import type { Program } from "./program.ts";

/** A program, and where one call of its entry begins. */
export interface ProgramCase {
  readonly program: Program;
  /** Values of the entry's parameters, then of the persistent locations; and Δ. */
  readonly point: Point;
  readonly generator: { readonly key: readonly [number, number]; readonly drawn: number };
  /** By channel, what comes from outside. */
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  /** Cotangents of the entry's results; `id` is the place of the result. */
  readonly seeds: readonly Seed[];
  readonly note?: string;
}

interface ProgramCaseJson {
  readonly program: unknown;
  readonly parameters: readonly TensorJson[];
  readonly state: readonly TensorJson[];
  readonly environment: PointJson["environment"];
  readonly generator: ProgramCase["generator"];
  readonly received: { readonly [channel: string]: readonly TensorJson[] };
  readonly seeds: readonly SeedJson[];
  readonly note?: string;
}

const readCase: Validator<ProgramCaseJson> = outlineOf("program-case.schema.json");

const emptyProgram = {
  format: "adjudge.program.v1",
  state: [],
  environment: [],
  procedures: [{ name: "main", parameters: [], body: [], results: [] }],
};

/**
 * The program case that `json` denotes: its program by {@link checkProgram}, tensors of the shapes that it declares.
 * Fails: `schema/…`, what `checkProgram` finds, `point/…`, `seed/…` (ids are places of results), `tensor/…`.
 */
export function checkProgramCase(json: unknown): Result<ProgramCase, Issue[]> {
  if (typeof json !== "object" || json === null) return fail(failed(readCase(json)));
  const { program: embedded, ...rest }: { readonly program?: unknown } = json;
  const valid = readCase(embedded === undefined ? rest : { ...rest, program: emptyProgram });
  if (!valid.ok) return valid;
  const program = checkProgram(embedded);
  if (!program.ok) return fail(issuesWithin("/program", program.error));
  const { parameters, state, environment, generator, received, seeds, note } = valid.value;
  const [entry] = program.value.procedures;
  const graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: [...(entry?.parameters ?? []), ...program.value.state],
    environment: program.value.environment,
    nodes: [],
  };
  const counted = countIssues(parameters.length, entry?.parameters.length ?? 0);
  if (counted.length > 0) return fail(counted);
  const point = decodePoint(graph, { inputs: [...parameters, ...state], environment }, "");
  const world = decodeWorld(received);
  const shapes = (entry?.results ?? []).map(({ shape }) => shape);
  const seeded = decodeSeeds(shapes, seeds, "/seeds");
  if (!point.ok || !world.ok || !seeded.ok) {
    const issues = [point, world, seeded].flatMap((part) => (part.ok ? [] : part.error));
    return fail(issues.slice(0, MAXIMUM_ISSUES));
  }
  const parts = { program: program.value, point: point.value, generator, received: world.value };
  return ok({ ...parts, seeds: seeded.value, ...(note === undefined ? {} : { note }) });
}

/** Which of the tensors are parameters is said by their number: what is left is the state. */
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

function decodeWorld(
  received: ProgramCaseJson["received"],
): Result<ReadonlyMap<string, readonly FlatTensor[]>, Issue[]> {
  const channels = checkAll(Object.entries(received), ([channel, tensors]) => {
    const place = pointerTo("/received", channel);
    const decoded = checkAll(tensors, (tensor, i) => decodeTensor(tensor, pointerTo(place, i)));
    return decoded.ok ? ok([channel, decoded.value] as const) : decoded;
  });
  return channels.ok ? ok(new Map(channels.value)) : channels;
}

function failed(result: Result<unknown, Issue[]>): Issue[] {
  return result.ok ? [] : result.error;
}
