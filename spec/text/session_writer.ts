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
import type { WrongProgram } from "./question_reader.ts";
import type { Style } from "./question_writer.ts";
import { USUAL_NOTE, USUAL_PROGRAM_CLAUSE } from "./usual.ts";
import { folded, nameText, programNameText, shapeText, tensorText, WIDTH } from "./words.ts";

/** Writes a program case. Law: it is read as the same. */
export function programCaseText(question: ProgramCase, name?: string, style?: Style): string {
  const first = startLines(question);
  return [
    programText(question.program, name, style),
    ...said("note", question.note),
    ...(first.length === 0 ? ["at\n"] : first),
  ].join("");
}

/** Writes a program vector. Law: it is read as the same. */
export function programVectorText(vector: ProgramVector, style?: Style): string {
  const { name, clause, note, defects, links, faults, refuse, why, calls, expected } = vector;
  const { program } = vector.case;
  const list = (head: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${head} ${all.map(nameText).join(" ")}\n`];
  const isUsual = refuse === (expected.at(-1)?.kind === "refused" ? "must" : "may");
  const [first = [], ...further] = expectedLines(vector);
  return [
    programText(program, name, style),
    ...(note === USUAL_NOTE && vector.case.note === undefined ? [] : said("note", note)),
    ...said("note", vector.case.note),
    ...(clause === USUAL_PROGRAM_CLAUSE ? [] : [`clause ${clause}\n`]),
    ...list("defects", defects),
    ...links.flatMap((link) => said("links", link)),
    ...list("faults", faults),
    ...(isUsual ? [] : [`refuse ${refuse}\n`]),
    ...said("why", why),
    ...startLines(vector.case),
    ...first,
    ...calls.flatMap((call, i) => ["again\n", ...callLines(vector.case, call), ...(further[i] ?? [])]),
  ].join("");
}

/** Writes what is expected of each call, in lines that end. */
export function expectedLines({
  case: first,
  calls,
  expected,
}: Pick<ProgramVector, "case" | "calls" | "expected">): readonly (readonly string[])[] {
  return expected.map((each, i) => {
    const { seeds } = calls[i - 1] ?? first;
    const before = expected.slice(0, i).findLast((earlier) => earlier.kind === "left");
    return leftLines(first.program, each, seeds.length > 0, before?.drawn ?? first.generator.drawn);
  });
}

/** Writes a wrong program that stands below a vector. Law: it is read as the same, behind the right one. */
export function wrongText(name: string, { part, program }: WrongProgram, style?: Style): string {
  // The first line is that of the right program.
  const body = programText(program, name, style).split("\n").slice(1);
  return [`wrong ${nameText(name)}${part === "sweep" ? " sweep" : ""}`, ...body].join("\n");
}

function said(head: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`${head} ${JSON.stringify(text)}\n`];
}

/** What one assignment of a clause says: `x = [1, 2]`. */
type Said = readonly [name: string, tensor: FlatTensor | undefined];

/** Where the first call begins. */
function startLines(question: ProgramCase): string[] {
  const { program, point, generator } = question;
  const { key, drawn } = generator;
  const [a, b] = key;
  const { parameters } = entryOf(program);
  const taken = new Set([...parameters, ...program.state].map(({ name }) => name));
  const given = program.environment.map(({ name }) => [name, point.environment.get(name)] as const);
  const written = given.map(([name, tensor]) => [programNameText(name), tensor] as const);
  const placed = [
    ...saying("at", named(program.state, point.inputs.slice(parameters.length))),
    ...saying(
      "at",
      written.filter((_, i) => !taken.has(given[i]?.[0] ?? "")),
    ),
    ...saying(
      "at given",
      written.filter((_, i) => taken.has(given[i]?.[0] ?? "")),
    ),
  ];
  const call = { ...question, parameters: point.inputs.slice(0, parameters.length) };
  return [
    ...(a === 0 && b === 1 && drawn === 0 ? [] : [`generator key ${a}, ${b} drawn ${drawn}\n`]),
    ...callLines(question, call, placed),
  ];
}

/** What a call is given; the lines `placed` are of the first call alone. */
function callLines(
  { program }: ProgramCase,
  { parameters, received, seeds }: EntryCall,
  placed: readonly string[] = [],
): string[] {
  const entry = entryOf(program);
  const results = seeds.map(({ id, cotangent }) => [resultText(entry.results, id), cotangent] as const);
  return [
    ...saying("at", named(entry.parameters, parameters)),
    ...placed,
    ...[...received].flatMap(([channel, tensors]) =>
      tensors.length === 0
        ? said("receives", channel)
        : saying(
            "receives",
            tensors.map((tensor) => shaped(channel, tensor)),
          ),
    ),
    ...saying("seed", results),
  ];
}

/** What a call leaves; a count of draws that did not change is left out where something else is said. */
function leftLines(
  program: ProgramCase["program"],
  expected: ExpectedCall,
  isSwept: boolean,
  drawnBefore: number,
): string[] {
  if (expected.kind === "refused") return said("expect refused", expected.code);
  const { results, state, sent, drawn, cotangents, retained } = expected;
  const { parameters, results: declared } = entryOf(program);
  const lines = [
    ...saying(
      "expect result",
      results.map((tensor, i) => [resultText(declared, i), tensor]),
    ),
    ...saying("expect state", named(program.state, state)),
    ...saying(
      "expect sent",
      sent.map(({ channel, value }) => shaped(channel, value)),
    ),
    ...(isSwept ? saying("expect cotangent", named([...parameters, ...program.state], cotangents)) : []),
    ...saying(
      "expect retained",
      retained.map((tensor, i) => [`${i}: ${shapeText(tensor.shape)}`, tensor]),
    ),
  ];
  return drawn === drawnBefore && lines.length > 0 ? lines : [...lines, `expect drawn ${drawn}\n`];
}

/** Names a result by its name where no other has it and somebody chose it, or by its place. */
function resultText(results: readonly { readonly name: string }[], place: number): string {
  const name = results[place]?.name ?? "";
  const isOnly = results.filter((result) => result.name === name).length === 1;
  return isOnly && !name.startsWith("%") ? programNameText(name) : `${place}`;
}

function named(all: readonly { readonly name: string }[], tensors: readonly FlatTensor[]): readonly Said[] {
  return all.map(({ name }, i) => [programNameText(name), tensors[i]]);
}

/** A channel's tensor says its shape, unless it is a scalar. */
function shaped(channel: string, tensor: FlatTensor): Said {
  const shape = isSameShape(tensor.shape, []) ? "" : `: ${shapeText(tensor.shape)}`;
  return [JSON.stringify(channel) + shape, tensor];
}

/** Writes `head name = data, name = data` in lines of a width that can be read. */
function saying(head: string, all: readonly Said[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [name, tensor] of all) {
    if (tensor === undefined) continue;
    const own = `${name} = ${tensorText(tensor)}`;
    const longer = line === "" ? `${head} ${own}` : `${line}, ${own}`;
    if (line !== "" && longer.length > WIDTH) {
      lines.push(line);
      line = `${head} ${own}`;
    } else line = longer;
  }
  return [...lines, ...(line === "" ? [] : [line])].map((text) => `${folded(text)}\n`);
}
