import { type ExpectedSweep, graphOfStep, recordOfStep, type TapeVector } from "../documents/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import { isSameShape, present } from "../shapes/index.ts";
import type { RecordStep, SweepStep, TapeCase, TapeStep } from "../tapes/index.ts";
import type { ComponentsAt } from "../wire/index.ts";
import { headText, idText, nodeLines } from "./graph_writer.ts";
import type { Style } from "./question_writer.ts";
import { stepWords } from "./tape_steps.ts";
import { USUAL_NOTE } from "./usual.ts";
import { folded, nameText, setsText, shapedText, tensorText, WIDTH } from "./words.ts";

/** Writes a case of tapes. Law: it is read as the same case. Cost: linear. */
export function tapeCaseText(question: TapeCase, name: string = "t", style: Style = "lines"): string {
  const { note } = question;
  return [
    ...linesOf(question, name, style, []),
    ...(note === undefined ? [] : [`note ${JSON.stringify(note)}`]),
    "",
  ].join("\n");
}

/** Writes a vector of tapes, with what each sweep owes below it. Law: it is read as the same vector. */
export function tapeVectorText(vector: TapeVector, style: Style = "lines"): string {
  const { name, note, clause, defects, links, faults } = vector;
  return [
    ...linesOf(vector.case, name, style, vector.expected),
    ...(note === USUAL_NOTE ? [] : [`note ${JSON.stringify(note)}`]),
    `clause ${clause}`,
    ...(defects.length === 0 ? [] : [`defects ${defects.join(" ")}`]),
    ...links.map((link) => `links ${JSON.stringify(link)}`),
    ...(faults.length === 0 ? [] : [`faults ${faults.map(nameText).join(" ")}`]),
    "",
  ].join("\n");
}

function linesOf(
  question: TapeCase,
  name: string,
  style: Style,
  expected: readonly ExpectedSweep[],
): readonly string[] {
  const { graphs, steps } = question;
  const spoken = graphs.map((graph) => namedIds(question, graph, expected));
  return [
    `tapes ${nameText(name)}`,
    ...graphs.flatMap((graph, place) => [
      folded(`  ${headText(`graph ${graphName(graphs, place)}`, graph)}`),
      ...nodeLines(graph, "    ", style === "nested" ? { named: spoken[place] ?? new Set() } : {}),
    ]),
    ...steps.flatMap((step, place) => [
      ...stepLines(question, step),
      ...owedLines(
        question,
        step,
        expected.find((owed) => owed.step === place),
      ),
    ]),
  ];
}

/** Returns the ids of a graph that steps or expectations speak of. */
function namedIds(question: TapeCase, graph: Graph, expected: readonly ExpectedSweep[]): ReadonlySet<number> {
  const ids = question.steps.flatMap((step) => {
    if (graphOfStep(question, step) !== graph) return [];
    if (step.do === "record") return [...step.of, ...(step.hooks ?? [])];
    return step.do === "sweep" ? step.seeds.map(({ id }) => id) : [];
  });
  const owed = expected.flatMap(({ cotangents, hooks = [] }) => [...cotangents, ...hooks]);
  const last = graph.inputs.length + graph.nodes.length - 1;
  return new Set<number>([...ids, ...owed.map(({ id }) => id), last]);
}

function graphName(graphs: readonly Graph[], place: number): string {
  return graphs.length === 1 ? "g" : `g${place}`;
}

function stepLines(question: TapeCase, step: TapeStep): readonly string[] {
  switch (step.do) {
    case "record":
      return recordLines(question, step);
    case "sweep":
      return sweepLines(question, step);
    case "release":
      return [`  release ${wordText(step.tape)}`];
  }
}

/** Writes numbers behind a step, or, where there are too many, on lines of their own below it. */
function withNumbers(
  [first, rest]: readonly [first: string, rest: string],
  [between, head]: readonly [between: string, head: string],
  given: readonly string[],
): readonly string[] {
  if (given.length === 0) return [`  ${first}${rest}`];
  const line = `  ${first} ${between} ${given.join(", ")}${rest}`;
  return line.length <= WIDTH
    ? [line]
    : [`  ${first}${rest}`, ...given.map((one) => folded(`    ${head} ${one}`))];
}

function recordLines(
  { graphs }: TapeCase,
  { tape, graph: place, point, life, of, hooks }: RecordStep,
): readonly string[] {
  const graph = present(graphs[place], "the graph of a tape");
  const { inputs, environment } = graph;
  const nameOf = (id: number): string => (id < inputs.length ? wordText(inputs[id]?.name ?? "") : `%${id}`);
  const names = (ids: readonly number[]): string => ids.map(nameOf).join(", ");
  const isUsual = of.length === 1 && of[0] === inputs.length + graph.nodes.length - 1;
  const entries = environment.flatMap(({ name }) => {
    const tensor = point.environment.get(name);
    return tensor === undefined ? [] : [[name, tensor] as const];
  });
  const given = [...point.inputs.map((tensor, i) => [inputs[i]?.name ?? "", tensor] as const), ...entries];
  const first = [
    `record ${wordText(tape)} of ${graphName(graphs, place)}`,
    ...(life === "once" ? ["once"] : []),
    ...(isUsual ? [] : [`from ${names(of)}`]),
    ...(hooks === undefined ? [] : [`hooks ${names(hooks)}`]),
  ].join(" ");
  const numbers = given.map(([name, tensor]) => `${nameText(name)} = ${tensorText(tensor)}`);
  return withNumbers([first, ""], ["at", "at"], numbers);
}

function sweepLines(question: TapeCase, step: SweepStep): readonly string[] {
  const { tape, seeds, refuse, together } = step;
  const graph = graphOfStep(question, step);
  const shapes = graph === undefined ? [] : shapesOf(graph);
  const given = seeds.map(({ id, cotangent }) => {
    const name = graph === undefined || id >= shapes.length ? `%${id}` : idText(graph, id);
    const fits = isSameShape(shapes[id] ?? [-1], cotangent.shape);
    return `${name} = ${fits ? tensorText(cotangent) : shapedText(cotangent)}`;
  });
  const rest = `${together === true ? " beside" : ""}${refuse === "never" ? "" : ` ${refuse} refuse`}`;
  const first = `sweep ${wordText(tape)}`;
  return withNumbers([given.length === 0 ? `${first} from nothing` : first, rest], ["from", "seed"], given);
}

/** Writes what a step owes, in lines below it. */
export function owedLines(
  question: TapeCase,
  step: TapeStep,
  owed: ExpectedSweep | undefined,
): readonly string[] {
  const graph = graphOfStep(question, step);
  if (owed === undefined || graph === undefined) return [];
  const shapes = shapesOf(graph);
  const lines = (part: string, all: readonly ComponentsAt[]): readonly string[] =>
    all.map(({ id, sets }) =>
      folded(`    expect ${part} ${idText(graph, id)} = ${setsText(shapes[id] ?? [], sets)}`),
    );
  const hooks = recordOfStep(question, step)?.hooks === undefined ? [] : (owed.hooks ?? []);
  return [...lines("cotangent", owed.cotangents), ...lines("hook", hooks)];
}

/** Writes a name that stands where the words of a step do. */
function wordText(name: string): string {
  return stepWords.includes(name) ? JSON.stringify(name) : nameText(name);
}
