import {
  checkTapeCase,
  type ExpectedSweep,
  graphOfStep,
  recordOfStep,
  type TapeVector,
} from "../../spec/documents/index.ts";
import { formatIssue, InvariantError, present, type Shape } from "../../spec/shapes/index.ts";
import type { SweepStep, TapeCase } from "../../spec/tapes/index.ts";
import type { TapeLife, TensorJson } from "../../spec/wire/index.ts";
import { array, entitled, type Nested, type NodeText, nodesFrom, type Titled } from "./case_text.ts";
import { expectedCotangents, expectedOf } from "./expected.ts";

/** A graph as the suite of tapes writes it. */
export interface GraphText {
  readonly inputs: Readonly<Record<string, Shape>>;
  readonly constants?: Readonly<Record<string, Shape>>;
  readonly indices?: Readonly<Record<string, Shape>>;
  readonly nodes: readonly NodeText[];
}

/** Writes a graph by its inputs, the text of its nodes, and Δ if it has one. */
export function graph(
  inputs: GraphText["inputs"],
  list: string,
  environment: Pick<GraphText, "constants" | "indices"> = {},
): GraphText {
  return { inputs, nodes: nodesFrom(list), ...environment };
}

/** Numbers of inputs and of Δ, by name. */
type PointText = Readonly<Record<string, Nested>>;

/** A step that becomes JSON once the graphs are known. */
export type StepText = (graphs: readonly GraphText[]) => object;

/** A vector of tapes as the suite writes it; what is expected of an engine is derived from it. */
export interface MannersText extends Titled {
  readonly note: string;
  readonly links?: readonly string[];
  readonly graphs: readonly GraphText[];
  readonly steps: readonly StepText[];
}

/** Says where recording departs from the default: graph 0, until released, seeds at the last id. */
interface Terms {
  readonly graph?: number;
  readonly life?: TapeLife;
  readonly of?: readonly number[];
  readonly hooks?: readonly number[];
}

/** Records a tape at a point. */
export function record(
  tape: string,
  point: PointText,
  { graph = 0, life = "until released", of, hooks }: Terms = {},
): StepText {
  return (graphs) => {
    const { inputs, constants = {}, indices = {}, nodes } = present(graphs[graph], "a graph");
    const names = Object.keys(inputs);
    const given = (name: string): TensorJson => tensorJson(present(point[name], `numbers for ${name}`));
    const entries = [...Object.keys(constants), ...Object.keys(indices)];
    const environment = Object.fromEntries(entries.map((name) => [name, given(name)]));
    const seeded = of ?? [names.length + nodes.length - 1];
    const at = { inputs: names.map(given), environment };
    return {
      do: "record",
      tape,
      graph,
      point: at,
      life,
      of: seeded,
      ...(hooks === undefined ? {} : { hooks }),
    };
  };
}

/**
 * Reads steps. `a 2=[3,7]` sweeps tape a from a cotangent of id 2; with `must` behind it the sweep must be
 * refused, with `may` it may be. `beside a 2=[3,7]` begins while the sweep before it is under way, and
 * `release a` releases the tape.
 */
export function script(text: string): readonly StepText[] {
  return text.split("; ").map((step) => () => stepJson(step.split(" ")));
}

function stepJson([first = "", ...rest]: readonly string[]): object {
  if (first === "beside") return { ...stepJson(rest), together: true };
  if (first === "release") return { do: "release", tape: rest[0] };
  const seeds = rest.flatMap((word) => {
    const [id, cotangent] = word.split("=");
    return cotangent === undefined ? [] : [{ id: Number(id), cotangent: tensorJson(JSON.parse(cotangent)) }];
  });
  const refuse = rest.find((word) => word === "must" || word === "may") ?? "never";
  return { do: "sweep", tape: first, seeds, refuse };
}

/** Writes a vector under its title, which {@link entitled} reads; `faults` may be a list where it is long. */
export function tapes(title: string, rest: Omit<MannersText, Exclude<keyof Titled, "faults">>): MannersText {
  return { ...entitled(title), ...rest };
}

/** Returns the vector of a text; `linksOf` gives reports. Throws {@link InvariantError} if ill-formed. */
export function tapeVectorFrom(
  text: MannersText,
  linksOf: (defect: string) => readonly string[] = () => [],
): TapeVector {
  const { name, clause, note, defects = [], links = [], faults = [] } = text;
  const question = caseOf(text);
  return {
    name,
    clause,
    note,
    defects,
    links: [...new Set([...links, ...defects.flatMap(linksOf)])],
    faults,
    case: question,
    expected: question.steps.flatMap((step, i) =>
      step.do === "sweep" && step.refuse !== "must" ? [expectedSweep(question, step, i)] : [],
    ),
  };
}

function caseOf({ name, graphs, steps }: MannersText): TapeCase {
  const checked = checkTapeCase(
    JSON.parse(
      JSON.stringify({
        format: "adjudge.tape-case.v1",
        graphs: graphs.map(graphJson),
        steps: steps.map((step) => step(graphs)),
      }),
    ),
  );
  if (!checked.ok) throw new InvariantError(`${name}: ${checked.error.map(formatIssue).join("; ")}`);
  return checked.value;
}

function expectedSweep(question: TapeCase, sweep: SweepStep, step: number): ExpectedSweep {
  const graph = present(graphOfStep(question, sweep), "the graph of a sweep");
  const { point, hooks } = present(recordOfStep(question, sweep), "the recording of a tape");
  const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
  const asked = { graph, point, tangents, seeds: sweep.seeds };
  return {
    step,
    cotangents: expectedOf(asked).cotangents,
    ...(hooks === undefined ? {} : { hooks: expectedCotangents(asked, hooks) }),
  };
}

function graphJson({ inputs, constants = {}, indices = {}, nodes }: GraphText): object {
  const entries = (of: Readonly<Record<string, Shape>>, kind: "real" | "index"): object[] =>
    Object.entries(of).map(([name, shape]) => ({ name, shape, kind }));
  return {
    format: "adjudge.graph.v1",
    inputs: Object.entries(inputs).map(([name, shape]) => ({ name, shape })),
    environment: [...entries(constants, "real"), ...entries(indices, "index")],
    nodes: nodes.map(([op, parents, attributes = {}]) => ({ op, attributes, parents })),
  };
}

function tensorJson(nested: Nested): TensorJson {
  const [shape, elements] = array(nested);
  return { shape, data: elements.map((x) => (Number.isSafeInteger(x) ? x : String(x))) };
}
