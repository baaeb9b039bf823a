import type { CaseData, VectorData } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { InvariantError, sizeOf } from "../../spec/shapes/index.ts";
import type { DataType, VectorFlag } from "../../spec/wire/index.ts";
import { type CaseText, caseFrom, type NodesText, question, type TensorText } from "./case_text.ts";
import { expectedOf, joinExpected } from "./expected.ts";

/** The catalogue's numbers for a vector, by input: the right gradient, and a wrong one that was given. */
export interface Probe {
  readonly right: Readonly<Record<string, readonly number[]>>;
  readonly wrong?: Readonly<Record<string, readonly number[]>>;
  /** The cotangent of the last id that they belong to; all ones unless given. */
  readonly seed?: TensorText;
}

/** A choice left to engines: programs over the vector's inputs, any of which may replace its last node. */
export interface PolicyText {
  readonly name: string;
  /** It says whether numbers between the choices are right as well: if a `hull`, they are. */
  readonly join: "one_of" | "hull";
  readonly choices: Readonly<Record<string, NodesText>>;
}

/** A vector as a suite writes it; the expected numbers are derived from it. */
export interface VectorText extends CaseText {
  /** The clause of SEMANTICS.md that it tests. */
  readonly clause: string;
  /** Entries of the catalogue that the vector shows. */
  readonly defects?: readonly string[];
  readonly links?: readonly string[];
  /** The precision is float64 unless given. */
  readonly dtype?: DataType;
  /** Flags that do not follow from the content. */
  readonly flags?: readonly VectorFlag[];
  readonly policy?: PolicyText;
  readonly probe?: Probe;
}

/** A vector without what its heading tells. */
type Headed = Omit<VectorText, "name" | "clause" | "defects" | "note">;

/** Returns the vectors of a table by heading, `name (clause, defect, defect): note`; a text is a question. */
export function vectors(table: Readonly<Record<string, Headed | string>>): VectorText[] {
  return Object.entries(table).map(([heading, asked]) => {
    const text = typeof asked === "string" ? question(asked) : asked;
    const [, name, clause, defects, note] = /^(\w+) \(([\d.]+)((?:, \w+)*)\): (.+)$/.exec(heading) ?? [];
    if (name === undefined || clause === undefined || note === undefined)
      throw new InvariantError(`no heading of a vector: ${heading}`);
    return { name, clause, defects: defects?.split(", ").slice(1) ?? [], note, ...text };
  });
}

/**
 * Returns the vector of a text, with sets taken from the truth and links from its defects too. Throws as
 * {@link caseFrom} does.
 */
export function vectorFrom(
  text: VectorText,
  linksOf: (defect: string) => readonly string[],
): Omit<VectorData, "id"> {
  const { clause, defects = [], dtype = "float64", note, policy } = text;
  const question = caseFrom(text);
  const plain = { clause, defects, dtype, case: { ...question, note } };
  const links = [...new Set([...(text.links ?? []), ...defects.flatMap(linksOf)])];
  const truths =
    policy === undefined
      ? [expectedOf(question)]
      : Object.values(policy.choices).map((nodes) => expectedOf(caseFrom({ ...text, nodes }), "ieee"));
  const expected = joinExpected(truths, policy?.join ?? "one_of", question);
  const isUndecided = [...expected.values, ...expected.tangents, ...expected.cotangents].some(({ sets }) =>
    sets.some(({ kind }) => kind === "undecided"),
  );
  const flags = [
    ...(text.flags ?? []),
    ...derivedFlags(question),
    ...(isUndecided ? (["undecided"] as const) : []),
  ];
  if (policy === undefined) return { ...plain, links, expected, flags };
  const named = { name: policy.name, choices: Object.keys(policy.choices) };
  return { ...plain, links, expected, flags, policy: named };
}

function derivedFlags(question: CaseData): VectorFlag[] {
  const isEmpty = shapesOf(question.graph).some((shape) => sizeOf(shape) === 0);
  const seeds = question.seeds.flatMap(({ cotangent }) => [...cotangent.data]);
  const isGeneric = new Set(seeds).size === seeds.length && !seeds.includes(1);
  return [...(isEmpty ? (["empty"] as const) : []), ...(isGeneric ? (["generic_cotangent"] as const) : [])];
}
