import {
  type EntryCall,
  type ExpectedCall,
  entryOf,
  type ProgramCase,
  type ProgramVector,
} from "../documents/index.ts";
import { isSameShape } from "../shapes/index.ts";
import type { FlatTensor } from "../wire/index.ts";
import { programText } from "./program_writer.ts";
import { USUAL_PROGRAM_CLAUSE } from "./usual.ts";
import { folded, nameText, programNameText, shapeText, tensorText } from "./words.ts";

/** Writes a program case. Law: it is read as the same. */
export function programCaseText(question: ProgramCase, name?: string): string {
  const first = startLines(question);
  return [
    programText(question.program, name),
    ...said("note", question.note),
    ...(first.length === 0 ? ["at\n"] : first),
  ].join("");
}

/** Writes a program vector. Law: it is read as the same. */
export function programVectorText(vector: ProgramVector): string {
  const { name, clause, note, defects, links, faults, refuse, why, calls, expected } = vector;
  const { program, generator, seeds } = vector.case;
  const list = (head: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${head} ${all.map(nameText).join(" ")}\n`];
  const isUsual = refuse === (expected.at(-1)?.kind === "refused" ? "must" : "may");
  const left = (i: number): string[] => {
    const isSwept = (i === 0 ? seeds : (calls[i - 1]?.seeds ?? [])).length > 0;
    const before = expected[i - 1];
    const drawn = before?.kind === "left" ? before.drawn : generator.drawn;
    return leftLines(program, expected[i], isSwept, drawn);
  };
  return [
    programText(program, name),
    ...said("note", note),
    ...said("note", vector.case.note),
    ...(clause === USUAL_PROGRAM_CLAUSE ? [] : [`clause ${clause}\n`]),
    ...list("defects", defects),
    ...links.flatMap((link) => said("links", link)),
    ...list("faults", faults),
    ...(isUsual ? [] : [`refuse ${refuse}\n`]),
    ...said("why", why),
    ...startLines(vector.case),
    ...left(0),
    ...calls.flatMap((call, i) => ["again\n", ...callLines(vector.case, call), ...left(i + 1)]),
  ].join("");
}

function said(head: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`${head} ${JSON.stringify(text)}\n`];
}

/** Where the first call begins. */
function startLines(question: ProgramCase): string[] {
  const { program, point, generator } = question;
  const { key, drawn } = generator;
  const [a, b] = key;
  const { parameters } = entryOf(program);
  const taken = new Set([...parameters, ...program.state].map(({ name }) => name));
  return [
    ...(a === 0 && b === 1 && drawn === 0 ? [] : [`generator key ${a}, ${b} drawn ${drawn}\n`]),
    ...callLines(question, { ...question, parameters: point.inputs.slice(0, parameters.length) }),
    ...program.state.flatMap(({ name }, i) =>
      line("at", programNameText(name), point.inputs[parameters.length + i]),
    ),
    ...program.environment.flatMap(({ name }) =>
      line(taken.has(name) ? "at given" : "at", programNameText(name), point.environment.get(name)),
    ),
  ];
}

function callLines({ program }: ProgramCase, { parameters, received, seeds }: EntryCall): string[] {
  const entry = entryOf(program);
  return [
    ...entry.parameters.flatMap(({ name }, i) => line("at", programNameText(name), parameters[i])),
    ...[...received].flatMap(([channel, tensors]) =>
      tensors.length === 0
        ? said("receives", channel)
        : tensors.flatMap((one) => shapedLine("receives", channel, one)),
    ),
    ...seeds.flatMap(({ id, cotangent }) => line("seed", resultText(entry.results, id), cotangent)),
  ];
}

/** What a call leaves; a count of draws that did not change is left out where something else is said. */
function leftLines(
  program: ProgramCase["program"],
  expected: ExpectedCall | undefined,
  isSwept: boolean,
  drawnBefore: number,
): string[] {
  if (expected === undefined) return [];
  if (expected.kind === "refused") return said("expect refused", expected.code);
  const { results, state, sent, drawn, cotangents, retained } = expected;
  const { parameters, results: declared } = entryOf(program);
  const inputs = [...parameters, ...program.state];
  const lines = [
    ...results.flatMap((one, i) => line("expect result", resultText(declared, i), one)),
    ...program.state.flatMap(({ name }, i) => line("expect state", programNameText(name), state[i])),
    ...sent.flatMap(({ channel, value }) => shapedLine("expect sent", channel, value)),
    ...(isSwept
      ? inputs.flatMap(({ name }, i) => line("expect cotangent", programNameText(name), cotangents[i]))
      : []),
    ...retained.flatMap((one, i) => line("expect retained", `${i}: ${shapeText(one.shape)}`, one)),
  ];
  return drawn === drawnBefore && lines.length > 0 ? lines : [...lines, `expect drawn ${drawn}\n`];
}

/** Names a result by its name where no other has it and somebody chose it, or by its place. */
function resultText(results: readonly { readonly name: string }[], place: number): string {
  const name = results[place]?.name ?? "";
  const isOnly = results.filter((result) => result.name === name).length === 1;
  return isOnly && !name.startsWith("%") ? programNameText(name) : `${place}`;
}

function shapedLine(head: string, channel: string, tensor: FlatTensor): string[] {
  const shape = isSameShape(tensor.shape, []) ? "" : `: ${shapeText(tensor.shape)}`;
  return line(head, JSON.stringify(channel) + shape, tensor);
}

/** Writes `head name = data` in lines of a width that can be read. */
function line(head: string, name: string, tensor: FlatTensor | undefined): string[] {
  return tensor === undefined ? [] : [`${folded(`${head} ${name} = ${tensorText(tensor)}`)}\n`];
}
