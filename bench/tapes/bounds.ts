import { logarithmic, type Panel, plotOf } from "../../conformance/index.ts";
import { floatTapes, tapeEngine } from "../../conformance/testees/tapes.ts";
import { type Case, standardOf, truthOf } from "../../oracle/index.ts";
import { at, type FlatTensor, graph, InvariantError, nodeId, present } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";
import { chain } from "./families.ts";
import { counted, markdownTable } from "./tables.ts";

/** A compressed tape's gradient may be so far off at a depth, and is so far, relative to its norm. */
interface DepthBound {
  readonly depth: number;
  readonly bound: number;
  readonly error: number;
}

/** A format keeps values along a family. */
export interface BoundGrowth {
  readonly format: string;
  readonly depths: readonly DepthBound[];
}

/** These runs of growing depth are smooth, since a kink that rounding may turn has no bound. */
export interface BoundedFamily {
  readonly name: string;
  readonly depths: readonly number[];
  at(depth: number): Problem;
}

const WIDTH = 4;

/** Builds layers of tanh, all of one width, and the sum of their results. */
function smoothPerceptron(depth: number): Problem {
  const shapes = [[1, WIDTH], ...Array.from({ length: depth }, () => [WIDTH, WIDTH])];
  const written = graph(({ input }) => {
    const [x, ...weights] = shapes.map((shape, place) => input(`x${place}`, shape));
    return weights
      .reduce((h, w) => h.matmul(w).tanh(), present(x, "the row"))
      .sum({ axes: [0, 1], keepdims: false });
  });
  const square = WIDTH * WIDTH;
  const inputs = shapes.map((shape, place) => {
    const drawn = numpyUniform(EVALUATION_SEED, place * square, place === 0 ? WIDTH : square);
    return tensor(
      shape,
      drawn.map((u) => (2 * u - 1) * Math.sqrt(3 / WIDTH)),
    );
  });
  return {
    name: `tanh layers ${depth}`,
    graph: written,
    point: { inputs, environment: new Map() },
    outputs: [objectiveOf(written)],
  };
}

/** docs/tapes.md shows these. */
export const boundedFamilies: readonly BoundedFamily[] = [
  { name: "a chain of sines", depths: [1, 4, 16, 64, 256, 1024], at: chain },
  { name: "tanh layers of 4", depths: [1, 2, 4, 8, 16, 32, 64], at: smoothPerceptron },
];

/** Tapes keep values in these formats, or in none. */
const kept = [
  "dynamic",
  "compressed-float32",
  "compressed-float16",
  "compressed-bfloat16",
  "compressed-sym16",
  "compressed-sym8",
] as const;

/** Computes the judge's bound for each tape, and how far it is from the tape that rounds nothing. */
export async function boundGrowth({ depths, at: problemAt }: BoundedFamily): Promise<readonly BoundGrowth[]> {
  const growths = kept.map((format) => ({ format, depths: [] as DepthBound[] }));
  for (const depth of depths) {
    const question = gradientCase(problemAt(depth));
    const right = await gradientOf("dynamic", question);
    const size = norm(right);
    for (const { format, depths: found } of growths) {
      const standard = standardOf(tapeEngine(tapeNamed(format)).describe(), "float64");
      const truth = truthOf(question, standard);
      const bounds = question.graph.inputs.flatMap((_, id) =>
        truth.cotangent(nodeId(id)).map(({ bound }) => bound),
      );
      const actual = await gradientOf(format, question);
      const error = norm(actual.map((x, n) => x - at(right, n)));
      found.push({ depth, bound: norm(bounds) / size, error: error / size });
    }
  }
  return growths;
}

function tapeNamed(name: string): (typeof floatTapes)[number] {
  return present(
    floatTapes.find((tape) => tape.name === name),
    name,
  );
}

function gradientCase({ graph: written, point }: Problem): Case {
  const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 1) }));
  const cotangent = { shape: [], data: Float64Array.of(1) };
  return { graph: written, point, tangents, seeds: [{ id: objectiveOf(written), cotangent }] };
}

async function gradientOf(name: string, { graph: written, point, seeds }: Case): Promise<readonly number[]> {
  const loaded = await tapeEngine(tapeNamed(name)).load(written, "float64");
  if (loaded.kind !== "result") throw new InvariantError(`${name} loads no floats`);
  const reply = await loaded.value.vjp(point, seeds);
  if (reply.kind !== "result") throw new InvariantError(`${name} gives no cotangents`);
  return reply.value.flatMap(({ data }: FlatTensor) => [...data]);
}

function norm(numbers: readonly number[]): number {
  return Math.hypot(...numbers);
}

/** Tabulates bounds, each with how far the tape is off. */
export function boundTable(growths: readonly BoundGrowth[]): string[] {
  const depths = at(growths, 0).depths.map(({ depth }) => depth);
  return markdownTable(
    ["kept in", ...depths.map(counted)],
    growths.map(({ format, depths: found }) => [
      `\`${format}\``,
      ...found.map(({ bound, error }) => `${shown(bound)} (${shown(error)})`),
    ]),
  );
}

function shown(x: number): string {
  if (x === 0) return "0";
  return Number.isFinite(x) ? x.toExponential(1).replace("e-", "e−").replace("e+", "e") : "none";
}

/** A larger bound says nothing of a gradient. */
const LARGEST = 100;

/** Draws docs/tapes-bounds.svg: bounds as lines, the tapes' deviations as points. */
export function boundChart(
  found: readonly (readonly [name: string, growths: readonly BoundGrowth[]])[],
): string {
  const panels = found.map(([name, growths]): Panel => {
    const most = Math.max(...growths.flatMap(({ depths }) => depths.map(({ depth }) => depth)));
    return {
      title: `Gradients of ${name}, from values kept narrowly`,
      x: logarithmic("depth", 0, Math.ceil(Math.log10(most))),
      y: logarithmic("error / norm of the gradient", -18, 2, 4),
      series: growths.flatMap(({ format, depths }, n) => [
        {
          label: `${format}: bound`,
          style: n + 1,
          isLine: true,
          points: depths.filter(({ bound }) => bound <= LARGEST).map(({ depth, bound }) => [depth, bound]),
        },
        ...(format === "dynamic"
          ? []
          : [
              {
                label: `${format}: off by`,
                style: n + 5,
                isLine: false,
                points: depths
                  .filter(({ error }) => error > 0)
                  .map(({ depth, error }) => [depth, error] as const),
              },
            ]),
      ]),
    };
  });
  return plotOf("Bounds of gradients from compressed tapes", panels);
}
