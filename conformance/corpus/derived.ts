import type { Case } from "../../oracle/case/index.ts";
import { overwrites, sessionCases } from "../../oracle/programs/index.ts";
import {
  type CaseData,
  checkProgramVector,
  checkTapeVector,
  checkVector,
  type ExpectedCall,
  type ExpectedSweep,
  graphOfStep,
  isOfFormat,
  type ProgramCase,
  recordOfStep,
} from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { type Graph, idCount } from "../../spec/graph/index.ts";
import { InvariantError, nodeId, present, sizeOf } from "../../spec/shapes/index.ts";
import type { Refusal, SweepStep, TapeCase } from "../../spec/tapes/index.ts";
import {
  type Clause,
  expectedLines,
  expectLines,
  owedLines,
  type Place,
  type TextDocument,
} from "../../spec/text/index.ts";
import type { Expected, VectorFlag } from "../../spec/wire/index.ts";
import { catalogue } from "./catalogue.ts";
import { expectedCotangents, expectedOf, joinExpected } from "./expected.ts";
import { expectedCall } from "./state_expected.ts";
import type { SuiteText } from "./suite.ts";

/** A part of a text and what comes in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Clauses of one kind, and the lines that should be there. */
interface Derived {
  readonly own: readonly Clause[];
  readonly lines: readonly string[];
  /** The lines go behind this where there are none yet. */
  readonly behind: Place;
}

/**
 * Returns the text of a suite's file with the lines anew that follow from the others: reports of the defects,
 * flags, whether a call may be refused, and what is true. Cost: a truth, or a run, for each vector.
 */
export function refreshed({ text, documents }: SuiteText): string {
  const edits = [...documents.values()].flatMap((document) =>
    derivedOf(document).flatMap((derived) => editsOf(text, derived)),
  );
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
}

/** Puts lines where those of their kind stand, or behind another line. */
function editsOf(text: string, { own, lines, behind }: Derived): Edit[] {
  const endOfLine = (offset: number): number => {
    const end = text.indexOf("\n", offset);
    return end < 0 ? text.length : end + 1;
  };
  const wanted = lines.join("");
  const startOfLine = (offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;
  const [first, ...others] = own.map(({ place }) => ({
    start: startOfLine(place.start),
    end: endOfLine(place.end),
    text: "",
  }));
  if (first !== undefined) return [{ ...first, text: wanted }, ...others];
  const at = endOfLine(behind.end);
  return wanted === "" ? [] : [{ start: at, end: at, text: wanted }];
}

function derivedOf(document: TextDocument): Derived[] {
  const { json } = document;
  if (isOfFormat(json, "adjudge.vector.v1")) return derivedOfGraph(document);
  if (isOfFormat(json, "adjudge.tape-vector.v1")) return derivedOfTapes(document);
  return isOfFormat(json, "adjudge.program-vector.v1") ? derivedOfProgram(document) : [];
}

/** The reports of a vector: those that it names itself, and those of its defects. */
function reportsOf(
  { clauses, place }: TextDocument,
  links: readonly string[],
  defects: readonly string[],
): Derived {
  const all = [...links, ...defects.flatMap((defect) => catalogue.get(defect)?.links ?? [])];
  return {
    own: clauses.filter(({ head }) => head.text === "links"),
    lines: [...new Set(all)].map((link) => `links ${JSON.stringify(link)}\n`),
    behind: clauses.find(({ head }) => head.text === "defects")?.place ?? place,
  };
}

/** Of tapes each sweep has what it owes below it. */
function derivedOfTapes(document: TextDocument): Derived[] {
  const vector = checkTapeVector(document.json);
  if (!vector.ok) throw new InvariantError(`${document.name} is no vector`);
  const { case: question, links, defects } = vector.value;
  const owed = question.steps.map((step, place): Derived => {
    const clause = present(document.steps?.[place], "the line of a step");
    const expected =
      step.do === "sweep" && step.refuse !== "must" ? expectedSweep(question, step, place) : undefined;
    return {
      own: clause.body.flatMap((line) =>
        line.kind === "clause" && line.head.text === "expect" ? [line] : [],
      ),
      lines: owedLines(question, step, expected).map((line) => `${line}\n`),
      behind: (clause.body.at(-1) ?? clause).place,
    };
  });
  return [...owed, reportsOf(document, links, defects)];
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

function derivedOfGraph(document: TextDocument): Derived[] {
  const { clauses, place } = document;
  const vector = checkVector(document.json);
  if (!vector.ok) throw new InvariantError(`${document.name} is no vector`);
  const { case: question, links, defects, flags } = vector.value;
  const expected = expectedFor(question, document);
  const own = [...flags.filter((flag) => !derivedFlags.has(flag)), ...flagsOf(question, expected)];
  const headed = (head: string): readonly Clause[] => clauses.filter((clause) => clause.head.text === head);
  const behind = headed("defects")[0]?.place ?? place;
  return [
    reportsOf(document, links, defects),
    { own: headed("flags"), lines: own.length === 0 ? [] : [`flags ${own.join(" ")}\n`], behind },
    { own: headed("expect"), lines: expectLines(question.graph, expected), behind: place },
  ];
}

/** Of a program's session each call has its expectations, before the next. */
function derivedOfProgram(document: TextDocument): Derived[] {
  const { clauses, place } = document;
  const vector = checkProgramVector(document.json);
  if (!vector.ok) throw new InvariantError(`${document.name} is no vector`);
  const { case: first, calls, why } = vector.value;
  const cases = sessionCases(first, calls);
  const expected = cases.map(expectedCall);
  const refuse = refusalOf(cases, expected);
  const isUsual = refuse === (expected.at(-1)?.kind === "refused" ? "must" : "may");
  const refusing = clauses.filter(({ head }) => head.text === "refuse");
  const sections: Clause[][] = [[]];
  for (const clause of clauses) {
    if (clause.head.text === "again") sections.push([]);
    sections.at(-1)?.push(clause);
  }
  const lines = expectedLines({ case: first, calls, expected });
  return [
    ...(why === undefined
      ? [{ own: refusing, lines: isUsual ? [] : [`refuse ${refuse}\n`], behind: clauses[0]?.place ?? place }]
      : []),
    ...sections.map((section, i) => ({
      own: section.filter(({ head }) => head.text === "expect"),
      lines: lines[i] ?? [],
      behind: section.at(-1)?.place ?? place,
    })),
  ];
}

/** Returns `must` where the last call fails, `may` where a saved operand is overwritten, else `never`. */
export function refusalOf(cases: readonly ProgramCase[], expected: readonly ExpectedCall[]): Refusal {
  if (expected.at(-1)?.kind === "refused") return "must";
  return cases.some(overwrites) ? "may" : "never";
}

/** Returns the true sets of a question; of a policy, those of its choices together. */
function expectedFor(question: CaseData, { choices, clauses }: TextDocument): Expected {
  if (choices === undefined) return expectedOf(question);
  const join = clauses.find(({ head }) => head.text === "join")?.words[0]?.text;
  const truths = [...choices.values()].map((graph) => expectedOf(chosen(question, graph), "ieee"));
  return joinExpected(truths, join === "hull" ? "hull" : "one_of", question);
}

/** Returns the question to the graph of a choice, whose last id stands for the last one of the question. */
export function chosen(question: Case, graph: Graph): Case {
  const [last, own] = [idCount(question.graph) - 1, nodeId(idCount(graph) - 1)];
  const seeds = question.seeds.map((seed) => (seed.id === last ? { ...seed, id: own } : seed));
  return { ...question, graph, seeds };
}

/** These flags follow from the content. */
const derivedFlags: ReadonlySet<VectorFlag> = new Set(["empty", "generic_cotangent", "undecided"]);

function flagsOf(question: CaseData, { values, tangents, cotangents }: Expected): VectorFlag[] {
  const isEmpty = shapesOf(question.graph).some((shape) => sizeOf(shape) === 0);
  const seeds = question.seeds.flatMap(({ cotangent }) => [...cotangent.data]);
  const isGeneric = new Set(seeds).size === seeds.length && !seeds.includes(1);
  const isUndecided = [...values, ...tangents, ...cotangents].some(({ sets }) =>
    sets.some(({ kind }) => kind === "undecided"),
  );
  return [
    ...(isEmpty ? (["empty"] as const) : []),
    ...(isGeneric ? (["generic_cotangent"] as const) : []),
    ...(isUndecided ? (["undecided"] as const) : []),
  ];
}
