import type { Case } from "../../../../oracle/case/index.ts";
import { isOfNoNode, type Witness } from "../../../../oracle/hearing/index.ts";
import type { FlatTensor } from "../../../../spec/wire/index.ts";
import { showNumber } from "../../show.ts";
import { wrongNumber } from "../../witness_lines.ts";
import type { DrawnLine } from "./browser/data.ts";

/** A box has room for so many characters of numbers. */
const ROOM = 22;

/**
 * Returns what is written into the boxes of a witness's graph: numbers given to inputs and outputs, and the
 * wrong number at the id that has it. Numbers have four digits there.
 */
export function annotationsOf(witness: Witness): Map<number, DrawnLine[]> {
  const { script, id, question, case: asked } = witness;
  if (script !== undefined) return new Map();
  const notes = givenTo(asked, question);
  if (isOfNoNode(witness)) return notes;
  const { place, got, want } = wrongNumber(witness, false);
  add(notes, id, [
    ...(question === "evaluate" && !place.includes("[")
      ? []
      : [{ text: `at ${place}`, sort: "about" } as const]),
    { text: `got ${got}`, sort: "got" },
    { text: `want ${want.replace(/^exactly | ±.*$/g, "")}`, sort: "want" },
  ]);
  return notes;
}

/** Returns the numbers that a case gives each id: values of inputs, their tangents, or cotangents put in. */
export function givenTo(
  { point, tangents, seeds }: Case,
  question: Witness["question"],
): Map<number, DrawnLine[]> {
  const notes = new Map<number, DrawnLine[]>();
  const give = (id: number, name: string, tensor: FlatTensor): void =>
    add(notes, id, [{ text: `${name}${shortTensor(tensor)}`, sort: "given" }]);
  for (const [id, tensor] of point.inputs.entries()) give(id, "", tensor);
  if (question === "jvp") for (const [id, tensor] of tangents.entries()) give(id, "tangent ", tensor);
  if (question === "vjp" || question === "backward_dense")
    for (const { id, cotangent } of seeds) give(id, "seed ", cotangent);
  return notes;
}

function add(notes: Map<number, DrawnLine[]>, id: number, lines: readonly DrawnLine[]): void {
  notes.set(id, [...(notes.get(id) ?? []), ...lines]);
}

/** Writes as many elements as a box has room for, with four digits each. */
function shortTensor({ shape, data }: FlatTensor): string {
  const words: string[] = [];
  let length = 0;
  for (const x of data) {
    const word = showNumber(Object.is(x, -0) ? x : Number(x.toPrecision(4)));
    length += word.length + 2;
    if (length > ROOM && words.length > 0) break;
    words.push(word);
  }
  if (shape.length === 0) return words.join("");
  return `[${[...words, ...(words.length < data.length ? ["…"] : [])].join(", ")}]`;
}
