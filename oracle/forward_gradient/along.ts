import { threefry2x32 } from "../../reference/operators/index.ts";
import type { Along, Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type DataType, type FlatTensor, formats } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { excusing } from "../hearing/index.ts";
import { type Component, judgedBy, standardOf, type Truth, truthOf } from "../truth/index.ts";
import { estimateQuestion } from "./estimate_graph.ts";
import type { EstimateOptions } from "./verdict.ts";

/** This many directions are given. */
export const GIVEN = 16;

/** Directions have few digits, so that every precision has them: signs, halves and quarters. */
export function givenDirections(
  { graph }: Case,
  { dtype, seed }: EstimateOptions,
): readonly (readonly FlatTensor[])[] {
  const shapes = graph.inputs.map(({ shape }) => shape);
  return Array.from({ length: GIVEN }, (_, n) => {
    const signs = signsOf(seed + n, shapes);
    if (n === 0) return signs;
    return signs.map(({ shape, data }) => ({
      shape,
      data: data.map((sign, i) => formats[dtype].round(sign * (1 + ((i + n) % 4) / 4) * 2 ** -((i * n) % 3))),
    }));
  });
}

/** Draws signs with probability ½ each: the first bits of Threefry's words, so that a seed repeats them. */
export function signsOf(seed: number, shapes: readonly Shape[]): readonly FlatTensor[] {
  let counter = 0;
  const sign = (): number => {
    const [x, y] = threefry2x32([seed, 0], [0, counter++]);
    return (x ^ y) < 0 ? 1 : -1;
  };
  return shapes.map((shape) => ({ shape, data: Float64Array.from({ length: sizeOf(shape) }, sign) }));
}

export function componentsOf(
  engine: Engine,
  question: Case,
  tangents: readonly FlatTensor[],
  dtype: DataType,
): readonly (readonly Component[])[] {
  const { case: asked, estimates } = estimateQuestion(question, tangents);
  const standard = standardOf(engine.describe(), dtype);
  const truth = truthOf(asked, standard);
  // A slope whose tangent may be NaN by a stored zero makes the whole estimate NaN, and accuses nobody.
  const found: { isExcused?: boolean } = {};
  const isExcused = (): boolean => {
    found.isExcused ??= mayBeNaN(question.seeds, truthOf({ ...question, tangents }, standard));
    return found.isExcused;
  };
  return estimates.map((id) =>
    truth.value(id).map((component) =>
      judgedBy(component, (answer) => {
        const judged = component.judge(answer);
        return judged === "outside" && Number.isNaN(answer) && isExcused() ? "undecided" : judged;
      }),
    ),
  );
}

/** Tells whether a tangent at one of the seeds may be NaN. */
function mayBeNaN(seeds: Case["seeds"], truth: Truth): boolean {
  const { tangent } = excusing(truth, "tangent");
  return seeds.some(({ id }) => tangent(id).some((component) => component.judge(Number.NaN) !== "outside"));
}

/** Asks for an estimate along a direction, or along one of a law. */
export async function asked(
  program: LoadedGraph,
  { point, seeds }: Case,
  along: Along,
): Promise<Reply<readonly FlatTensor[]>> {
  if (program.forwardGradient === undefined)
    return { kind: "unsupported", reason: "the engine has no forward gradients" };
  return program.forwardGradient(point, seeds, along);
}
