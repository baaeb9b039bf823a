import {
  checkTapeCase,
  type ExpectedSweep,
  graphOfStep,
  type Refusal,
  recordOfStep,
  type TapeVector,
} from "../../spec/documents/index.ts";
import { formatIssue, InvariantError, present, type Shape } from "../../spec/shapes/index.ts";
import type { SweepStep, TapeCase } from "../../spec/tapes/index.ts";
import type { TapeLife, TensorJson } from "../../spec/wire/index.ts";
import { array, type Nested, type NodeText, type TensorText } from "./case_text.ts";
import { expectedCotangents, expectedOf } from "./expected.ts";

/** A graph as the suite of tapes writes it. */
export interface GraphText {
  readonly inputs: Readonly<Record<string, Shape>>;
  readonly constants?: Readonly<Record<string, Shape>>;
  readonly indices?: Readonly<Record<string, Shape>>;
  readonly nodes: readonly NodeText[];
}

/** Numbers of a tensor: nested brackets, or with their shape where there are none. */
type Numbers = Nested | { readonly tensor: TensorText };

/** Numbers of inputs and of Δ, by name. */
type PointText = Readonly<Record<string, Numbers>>;

/** A step that becomes JSON once the graphs are known. */
export type StepText = (graphs: readonly GraphText[]) => object;

/** A vector of tapes as the suite writes it; what is expected of an engine is derived from it. */
export interface MannersText {
  /** It names the file too. */
  readonly name: string;
  readonly clause: string;
  readonly note: string;
  readonly defects?: readonly string[];
  readonly links?: readonly string[];
  /** Mutants of the engines' tapes that it exposes, by name; a test checks the claim. */
  readonly faults?: readonly string[];
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

/** Sweeps a tape from cotangents by id. */
export function sweep(
  tape: string,
  seeds: Readonly<Record<number, Numbers>>,
  refuse: Refusal = "never",
): StepText {
  return () => ({ do: "sweep", tape, seeds: seedsJson(seeds), refuse });
}

/** Sweeps a tape as `sweep` does, begun while the sweep before it is under way. */
export function beside(
  tape: string,
  seeds: Readonly<Record<number, Numbers>>,
  refuse: Refusal = "never",
): StepText {
  return () => ({ do: "sweep", tape, seeds: seedsJson(seeds), refuse, together: true });
}

/** Releases a tape. */
export function release(tape: string): StepText {
  return () => ({ do: "release", tape });
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

function seedsJson(seeds: Readonly<Record<number, Numbers>>): object[] {
  return Object.entries(seeds).map(([id, numbers]) => ({ id: Number(id), cotangent: tensorJson(numbers) }));
}

function tensorJson(numbers: Numbers): TensorJson {
  const [shape, elements] = isTensor(numbers) ? numbers.tensor : array(numbers);
  return { shape, data: elements.map((x) => (Number.isSafeInteger(x) ? x : String(x))) };
}

function isTensor(numbers: Numbers): numbers is { readonly tensor: TensorText } {
  return typeof numbers === "object" && "tensor" in numbers;
}
