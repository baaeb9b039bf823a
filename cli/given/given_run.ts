import type { Case } from "../../oracle/case/index.ts";
import { recordedCase } from "../../oracle/programs/index.ts";
import type { RunTexts } from "../../reference/index.ts";
import { checkQuestion, encodeCase, isQuestion } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  fail,
  formatShape,
  type Issue,
  ok,
  quote,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { TensorJson } from "../../spec/wire/index.ts";
import { documentIn } from "../files/documents.ts";
import { graphOf } from "./given_graph.ts";
import { noCase, programOf } from "./given_program.ts";

/** These options of the command line give numbers: `x=1,2/3`. */
export interface Assignments {
  readonly input: readonly string[];
  readonly environment: readonly string[];
  readonly cotangent: readonly string[];
}

/** A graph has here every number that a run of it needs, as text. */
export interface GivenRun {
  readonly graph: Graph;
  readonly texts: RunTexts;
}

/**
 * Reads the graph in a file and its numbers: those of a case, or the recorded run of a program's case,
 * replaced where an option names them. Fails: as reading, checking and recording do; `program/case`;
 * `run/name` for what the graph does not have, `run/missing` for what has no number, `run/seed` where only
 * the user can say which cotangent is meant.
 */
export async function readGivenRun(file: string, options: Assignments): Promise<Result<GivenRun, Issue[]>> {
  const json = await documentIn(file);
  return json.ok ? runOfDocument(json.value, options) : json;
}

/** Reads a run in a document likewise. */
export function runOfDocument(
  json: unknown,
  options: Assignments = { input: [], environment: [], cotangent: [] },
): Result<GivenRun, Issue[]> {
  const start = startOf(json);
  return start.ok ? withAssignments(start.value, options) : start;
}

function startOf(json: unknown): Result<GivenRun, Issue[]> {
  const given = programOf(json);
  if (given === undefined) return isQuestion(json) ? fromCase(json) : fromGraph(json);
  if (!given.ok) return given;
  const { question } = given.value;
  const recorded = question === undefined ? fail([noCase]) : recordedCase(question);
  return recorded.ok ? ok(runOfCase(recorded.value)) : recorded;
}

function withAssignments({ graph, texts }: GivenRun, options: Assignments): Result<GivenRun, Issue[]> {
  const inputs = new Map(options.input.map(splitAssignment));
  const ownEntries = new Map(options.environment.map(splitAssignment));
  const ownSeeds = new Map(options.cotangent.map(splitAssignment));
  const entries = new Map([...texts.environment, ...ownEntries]);
  const issues = [
    ...unknownNames("input", [...inputs.keys()], graph.inputs),
    ...unknownNames("environment", [...ownEntries.keys()], graph.environment),
    ...[...ownSeeds.keys()].filter((id) => !/^[0-9]+$/.test(id)).map(noId),
    ...missing("input", graph.inputs, (name, id) => inputs.has(name) || texts.inputs[id] !== undefined),
    ...missing("environment", graph.environment, (name) => entries.has(name)),
  ];
  if (issues.length > 0) return fail(issues);
  const seeds = ownSeeds.size > 0 ? numbered(ownSeeds) : texts.seeds;
  const seeded = seeds.size > 0 ? ok(seeds) : defaultSeed(graph);
  if (!seeded.ok) return seeded;
  const given = graph.inputs.map(({ name }, id) => inputs.get(name) ?? texts.inputs[id] ?? []);
  return ok({ graph, texts: { inputs: given, environment: entries, seeds: seeded.value } });
}

function numbered(seeds: ReadonlyMap<string, readonly string[]>): Map<number, readonly string[]> {
  return new Map([...seeds].map(([id, numbers]) => [Number(id), numbers]));
}

function fromCase(json: unknown): Result<GivenRun, Issue[]> {
  const checked = checkQuestion(json);
  return checked.ok ? ok(runOfCase(checked.value.case)) : checked;
}

/** Returns the graph of a case and its numbers, as they are written. */
export function runOfCase(question: Case): GivenRun {
  const { graph, point, seeds } = encodeCase(question);
  return {
    graph,
    texts: {
      inputs: point.inputs.map(textsOf),
      environment: new Map(
        Object.entries(point.environment).map(([name, tensor]) => [name, textsOf(tensor)]),
      ),
      seeds: new Map(seeds.map(({ id, cotangent }) => [id, textsOf(cotangent)])),
    },
  };
}

function fromGraph(json: unknown): Result<GivenRun, Issue[]> {
  const graph = graphOf(json);
  if (!graph.ok) return graph;
  return ok({ graph: graph.value, texts: { inputs: [], environment: new Map(), seeds: new Map() } });
}

function textsOf(tensor: TensorJson): string[] {
  return "data" in tensor ? tensor.data.map(String) : [];
}

/** Splits `x=1,2/3` into `["x", ["1", "2/3"]]`. The list of `x=` is empty. */
function splitAssignment(text: string): readonly [string, readonly string[]] {
  const middle = text.indexOf("=");
  const [name, numbers] = middle < 0 ? [text, ""] : [text.slice(0, middle), text.slice(middle + 1)];
  return [name, numbers === "" ? [] : numbers.split(",")];
}

/** `--input` and `--environment` give numbers to such names. */
interface Place {
  readonly name: string;
  readonly shape: Shape;
}

/** Returns an issue for each assignment that names nothing in the graph. */
function unknownNames(option: string, given: readonly string[], places: readonly Place[]): Issue[] {
  const names = places.map(({ name }) => name);
  return given
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: "run/name",
      pointer: "",
      message: `--${option}: the graph has no ${quote(name)} there.`,
      hint: names.length === 0 ? "it has none" : `it has ${names.slice(0, SHOWN_NAMES).join(", ")}`,
    }));
}

/** This many names show how they are written. */
const SHOWN_NAMES = 20;

function noId(text: string): Issue {
  return {
    code: "run/name",
    pointer: "",
    message: `--cotangent: ${quote(text)} is no id.`,
    hint: "ids are numbers: inputs are counted first, then nodes, from 0",
  };
}

/** Returns an issue for each name that needs numbers and has none. */
function missing(
  option: string,
  places: readonly Place[],
  isGiven: (name: string, position: number) => boolean,
): Issue[] {
  return places
    .filter(({ name, shape }, position) => sizeOf(shape) > 0 && !isGiven(name, position))
    .map(({ name, shape }) => ({
      code: "run/missing",
      pointer: "",
      message: `nothing says what ${name} of shape ${formatShape(shape)} is.`,
      hint: `give its elements, ${sizeOf(shape)} in all, separated by commas: --${option} ${name}=…`,
    }));
}

/** Returns the seed of the plain gradient: 1 on a scalar last node. Fails: `run/seed` for any other shape. */
function defaultSeed(graph: Graph): Result<ReadonlyMap<number, readonly string[]>, Issue[]> {
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const shape = shapes[last];
  if (shape !== undefined && shape.length === 0) return ok(new Map([[last, ["1"]]]));
  return fail([
    {
      code: "run/seed",
      pointer: "",
      message:
        shape === undefined
          ? "the graph is empty."
          : `the last value has shape ${formatShape(shape)}, not a scalar's.`,
      hint: `give its cotangent with --cotangent ${Math.max(0, last)}=…`,
    },
  ]);
}
