import type { ProgramWitness } from "../../oracle/programs/index.ts";
import { entryOf } from "../../spec/documents/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { showExact, showTensor } from "./show.ts";
import { showProgram } from "./show_program.ts";

/** Shows a disagreement about a program: what is wrong, what is to blame, the program, and its call. */
export function showProgramWitness(witness: ProgramWitness): string[] {
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
    ...showProgram(question.program).map((line) => `    ${line}`),
    ...given(question).map((line) => `    ${line}`),
  ];
}

/** Says which number of which answer is meant. */
function partOf({ mode, isLater, part, place, element, case: question }: ProgramWitness): string {
  const call = isLater ? "a later call" : "the call";
  const asked = { evaluate: "values", vjp: "cotangents", jvp: "tangents" }[mode];
  const entry = entryOf(question.program);
  const inputs = [...entry.parameters, ...question.program.state].map(({ name }) => name);
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
  }[part]();
  return `${call} for ${asked}, ${visible(named ?? "")}, element ${element}`;
}

function given({ program, point, generator, received, seeds }: ProgramWitness["case"]): string[] {
  const { parameters } = entryOf(program);
  const at = ({ name }: { readonly name: string }, tensor: FlatTensor | undefined): string =>
    `${visible(name)} = ${showTensor(tensor)}`;
  return [
    ...[...parameters, ...program.state].map((input, i) => at(input, point.inputs[i])),
    ...(generator.key.some((word) => word !== 0) || generator.drawn !== 0
      ? [`generator: key ${generator.key.join(", ")}, drawn from ${generator.drawn} times`]
      : []),
    ...[...received].map(
      ([channel, tensors]) =>
        `on ${visible(JSON.stringify(channel))} come ${tensors.slice(0, 4).map(showTensor).join(", ")}${tensors.length > 4 ? ", …" : ""}`,
    ),
    ...seeds.map(({ id, cotangent }) => `cotangent of result ${id} = ${showTensor(cotangent)}`),
  ];
}
