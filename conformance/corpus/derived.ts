import type { Case } from "../../oracle/case/index.ts";
import { type CaseData, checkVector } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { type Graph, idCount } from "../../spec/graph/index.ts";
import { InvariantError, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import { expectLines, type TextDocument } from "../../spec/text/index.ts";
import type { Expected, VectorFlag } from "../../spec/wire/index.ts";
import { catalogue } from "./catalogue.ts";
import { expectedOf, joinExpected } from "./expected.ts";
import type { SuiteText } from "./suite.ts";

/** These lines of a vector follow from the others: `npm run golden` writes them. */
const derivedHeads = ["links", "flags", "expect"] as const;

type Derived = Readonly<Record<(typeof derivedHeads)[number], readonly string[]>>;

/** A part of a text and what comes in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the text of a file of vectors of graphs with the lines anew that follow from the others: reports of
 * the defects, flags, and the sets that the truth gives. Cost: a truth for each vector.
 */
export function refreshed({ text, documents }: SuiteText): string {
  const edits = [...documents.values()].flatMap((document) =>
    document.json.format === "adjudge.vector.v1" ? editsOf(text, document) : [],
  );
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
}

/** Puts the derived lines where lines of their kind stand, or else behind the defects, the note, or all. */
function editsOf(text: string, document: TextDocument): Edit[] {
  const { clauses, place } = document;
  const derived = derivedOf(document);
  const endOfLine = (offset: number): number => {
    const end = text.indexOf("\n", offset);
    return end < 0 ? text.length : end + 1;
  };
  return derivedHeads.flatMap((head): Edit[] => {
    const own = clauses.filter((clause) => clause.head.text === head);
    const lines = derived[head].join("");
    const [first, ...others] = own.map((clause) => ({
      start: clause.place.start,
      end: endOfLine(clause.place.end),
      text: "",
    }));
    if (first !== undefined) return [{ ...first, text: lines }, ...others];
    const before = head === "expect" ? undefined : clauses.find((clause) => clause.head.text === "defects");
    const at = endOfLine((before?.place ?? place).end);
    return lines === "" ? [] : [{ start: at, end: at, text: lines }];
  });
}

function derivedOf(document: TextDocument): Derived {
  const vector = checkVector(document.json);
  if (!vector.ok) throw new InvariantError(`${document.name} is no vector`);
  const { case: question, links, defects, flags } = vector.value;
  const expected = expectedFor(question, document);
  const all = [...links, ...defects.flatMap((defect) => catalogue.get(defect)?.links ?? [])];
  const own = [...flags.filter((flag) => !derivedFlags.has(flag)), ...flagsOf(question, expected)];
  return {
    links: [...new Set(all)].map((link) => `links ${JSON.stringify(link)}\n`),
    flags: own.length === 0 ? [] : [`flags ${own.join(" ")}\n`],
    expect: expectLines(question.graph, expected),
  };
}

/** Returns the true sets of a question; of a policy, those of its choices together. */
export function expectedFor(question: CaseData, { choices, clauses }: TextDocument): Expected {
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
