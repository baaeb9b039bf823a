import type { ProgramWitness } from "../../oracle/programs/index.ts";
import { entryOf } from "../../spec/documents/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { showExact } from "./show.ts";

/** Writes the text of a program and its call, as `programCaseText` of spec/text does. */
export type WriteProgram = (question: ProgramWitness["case"]) => string;

/**
 * Shows a disagreement about a program: what is wrong, what is to blame, and the text of the program and its
 * call.
 */
export function showProgramWitness(witness: ProgramWitness, write: WriteProgram): string[] {
  const { case: question, blame, answer, expected, bound } = witness;
  // Words stand where the witness has no number of the graph.
  const isNumber = witness.node !== undefined;
  const [said, wanted] = isNumber
    ? [showExact(answer), showExact(expected)]
    : [visible(answer), visible(expected)];
  const within = isNumber ? ` within ${showExact(bound)}` : "";
  return [
    `  ${partOf(witness)}: ${said} where ${wanted} is right${within}`,
    `  ${blame.pointer === "" ? "nothing is blamed" : blame.pointer}: ${blame.sentence}`,
    ...write(question)
      .trimEnd()
      .split("\n")
      .map((line) => `    ${line}`),
  ];
}

/** Says which number of which answer is meant. */
function partOf(witness: ProgramWitness): string {
  const { mode, isLater, isAgain, part, place, element, node, case: question } = witness;
  const first = isAgain === true ? "the call once more, after all others," : "the call";
  const call = isLater ? "a later call" : first;
  const asked = { evaluate: "values", vjp: "cotangents", jvp: "tangents" }[mode];
  if (part === "received") return `${call} for ${asked} asks the world again`;
  // Whatever is listed by the graph's nodes has one, unless there were too few or too many.
  if (node === undefined && isListed(part)) return `${call} for ${asked}, how many ${lists[part]} came`;
  const entry = entryOf(question.program);
  const inputs = [...entry.parameters, ...question.program.state].map(({ name }) => name);
  // A later call is handed no contents of locations.
  const handedNames = isLater ? entry.parameters.map(({ name }) => name) : inputs;
  const outputs = [
    ...entry.results.map(({ name }) => `result ${name}`),
    ...question.program.state.map(({ name }) => name),
  ];
  const named = {
    result: () => outputs[place],
    state: () => `what ${question.program.state[place]?.name} holds afterwards`,
    sent: () => `what is sent, number ${place}`,
    drawn: () => "how often the generator was drawn from",
    draw: () => `draw ${place}`,
    derivative: () =>
      mode === "vjp" ? `the cotangent of ${inputs[place]}` : `the tangent of ${outputs[place]}`,
    retained: () => `the cotangent at execution ${place} of retain`,
    refusal: () => "the reply",
    received: () => "the world outside",
    argument: () =>
      `what the call has made of ${handedNames[place] ?? "what it was handed beside the parameters"}`,
  }[part]();
  return `${call} for ${asked}, ${visible(named ?? "")}, element ${element}`;
}

/** These parts of an answer are lists, each tensor of a node of the recorded graph. */
const lists = {
  result: "results",
  state: "contents of persistent locations",
  derivative: "derivatives",
  retained: "retained cotangents",
} as const;

function isListed(part: ProgramWitness["part"]): part is keyof typeof lists {
  return Object.hasOwn(lists, part);
}
