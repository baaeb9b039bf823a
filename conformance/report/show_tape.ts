import type { TapeCase, TapeStep } from "../../spec/tapes/index.ts";
import { showGraph, showTensor } from "./show.ts";

/** Shows a tape case as it would be written: graphs, then a line for each step, marking the `wrong` one. */
export function showTapeCase(question: TapeCase, wrong?: number): string[] {
  const { graphs, steps } = question;
  const shown = graphs.flatMap((graph, place) => [
    `graph ${place}:`,
    ...showGraph(graph).map((line) => `  ${line}`),
  ]);
  return [...shown, ...steps.flatMap((step, i) => showStep(question, step, i, i === wrong))];
}

function showStep({ graphs }: TapeCase, step: TapeStep, place: number, isWrong: boolean): string[] {
  const mark = isWrong ? "> " : "";
  switch (step.do) {
    case "record": {
      const { inputs = [], environment = [] } = graphs[step.graph] ?? {};
      const given = [
        ...inputs.map(({ name }, i) => `${name} = ${showTensor(step.point.inputs[i])}`),
        ...environment.map(({ name }) => `${name} = ${showTensor(step.point.environment.get(name))}`),
      ].join(", ");
      const hooks = step.hooks === undefined ? "" : `, with hooks on ${step.hooks.join(", ")}`;
      const life = step.life === "once" ? "once" : "until it is released";
      return [
        `${mark}step ${place}: record ${step.tape} of graph ${step.graph} at ${given}`,
        `  to be swept ${life}, from ${step.of.join(", ")}${hooks}`,
      ];
    }
    case "sweep": {
      const seeds = step.seeds.map(({ id, cotangent }) => `${id} = ${showTensor(cotangent)}`).join(", ");
      const owed = {
        never: "",
        may: "; it may be refused",
        must: "; it must be refused",
      }[step.refuse];
      const beside = step.together === true ? ", beside the step before" : "";
      return [`${mark}step ${place}: sweep ${step.tape} from ${seeds}${beside}${owed}`];
    }
    case "release":
      return [`${mark}step ${place}: release ${step.tape}`];
  }
}
