import { describe, expect, test } from "vitest";
import { type Interpretation, interpret, interpreterEngine } from "../../../engines/index.ts";
import { type Case, judge } from "../../../oracle/index.ts";
import { expand, type FlatTensor, nodeId, present, shapesOf, sizeOf } from "../../../spec/index.ts";
import { deviationOf, isSameFunction } from "../../deviation.ts";
import { defaultRng } from "../default_rng.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { ba } from "./ba.ts";
import { det } from "./det.ts";
import { gmm, gmmData } from "./gmm.ts";
import { ht } from "./ht.ts";
import { kmeans } from "./kmeans.ts";
import { llsq } from "./llsq.ts";
import { lse } from "./lse.ts";
import { lstm } from "./lstm.ts";
import { ode } from "./ode.ts";
import {
  type Plain,
  plainBa,
  plainDet,
  plainGmm,
  plainHt,
  plainKmeans,
  plainLlsq,
  plainLse,
  plainLstm,
  plainOde,
} from "./plain.test.kit.ts";
import { objectiveOf, type Problem } from "./problem.ts";

const gmmSizes = { d: 3, k: 2, n: 5 };
const kmeansSizes = { k: 3, n: 12, d: 2 };
const lstmSizes = { layers: 2, characters: 5, bits: 3 };
const baSizes = { cameras: 2, points: 3, observations: 5 };
const htSizes = { vertices: 12, triangles: 6, correspondences: 4 };

const asked: readonly (readonly [Problem, Plain])[] = [
  [lse(9), plainLse],
  [ode(5, 3), plainOde(3)],
  [kmeans(kmeansSizes), plainKmeans(kmeansSizes, numpyUniform(EVALUATION_SEED, 0, 24))],
  [llsq(7, 5), plainLlsq(7)],
  [det(4), plainDet(4)],
  [gmm(gmmSizes), plainGmm(gmmSizes, gmmData(gmmSizes).x)],
  [lstm(lstmSizes), plainLstm(lstmSizes)],
  [ba(baSizes), plainBa(baSizes)],
  [ht(htSizes), plainHt(htSizes)],
];

function interpreted({ graph }: Problem): { readonly run: Interpretation; readonly ids: readonly number[] } {
  const { graph: expanded, ids } = expand(graph);
  return { run: interpret(expanded, "float64"), ids };
}

/** Joins the outputs of the graph. */
function outputsOf(problem: Problem, inputs: readonly FlatTensor[]): number[] {
  const { run, ids } = interpreted(problem);
  const values = run.evaluate({ ...problem.point, inputs });
  if (!values.ok) throw new Error(values.error);
  const first = problem.graph.inputs.length;
  return problem.outputs.flatMap((id) => [...present(values.value[present(ids[id], "id") - first], "value")]);
}

/** Asks for the objective's gradient, and for tangents along ones. */
function gradientCase({ graph, point }: Problem): Case {
  const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 1) }));
  const cotangent = { shape: [], data: Float64Array.of(1) };
  return { graph, point, tangents, seeds: [{ id: objectiveOf(graph), cotangent }] };
}

/** Tells whether numbers agree to half of their digits, so are the same function's. */
function same(expected: readonly number[], actual: readonly number[]): boolean {
  return isSameFunction(deviationOf(expected, actual), "float64");
}

describe.each(asked.map(([problem, plain]) => ({ title: problem.name, problem, plain })))("$title", ({
  problem,
  plain,
}) => {
  const { inputs } = problem.point;
  const expected = plain(inputs.map(({ data }) => Float64Array.from(data)));

  test("has the values of the definition in numbers, and not others by a part in 10⁷", () => {
    const actual = outputsOf(problem, inputs);
    expect(same(expected, actual)).toBe(true);
    expect(
      same(
        expected.map((x) => x * (1 + 1e-7)),
        actual,
      ),
    ).toBe(false);
  });

  test("has a scalar objective, by whose gradient the definition in numbers rises", () => {
    const { graph, point } = problem;
    expect(sizeOf(present(shapesOf(graph)[objectiveOf(graph)], "shape"))).toBe(1);
    const { run, ids } = interpreted(problem);
    const id = present(ids[objectiveOf(graph)], "objective");
    const seeds = [{ ...present(gradientCase(problem).seeds[0], "seed"), id: nodeId(id) }];
    const gradient = run.vjp(point, seeds);
    if (!gradient.ok) throw new Error(gradient.error);
    const directions = inputs.map(({ data }, input) => numpyUniform(input, 0, data.length));
    const along = (by: number): number => {
      const moved = inputs.map(({ data }, i) =>
        Float64Array.from(data, (x, place) => x + by * (directions[i]?.[place] ?? 0)),
      );
      return present(plain(moved).at(-1), "objective");
    };
    const step = 2 ** -12;
    const across = (by: number): number => (along(by) - along(-by)) / (2 * by);
    const slope = (4 * across(step) - across(2 * step)) / 3;
    const rise = gradient.value
      .flatMap((entries, i) => Array.from(entries, (x, place) => x * (directions[i]?.[place] ?? 0)))
      .reduce((sum, term) => sum + term);
    expect(same([slope], [rise])).toBe(true);
    expect(same([slope], [rise * (1 + 1e-7)])).toBe(false);
  });

  test("is computed rightly by the interpreter, in value, tangent and gradient", async () => {
    const verdict = await judge(interpreterEngine(), gradientCase(problem), {
      dtype: "float64",
      shrinkBudget: 0,
    });
    expect(verdict).toEqual({ kind: "agrees" });
  });
});

test("the normals are NumPy's to twelve digits, the uniforms to the last: default_rng(31337)", () => {
  const { normal, uniform } = defaultRng(31337);
  const normals = Array.from({ length: 4 }, normal).map((x) => x.toPrecision(12));
  expect(normals).toEqual(["1.21540816206", "-1.29557357122", "0.820389603213", "0.867439979173"]);
  expect([uniform(), uniform()]).toEqual([0.32903446674233394, 0.40850214837200993]);
  const another = defaultRng(7);
  expect(Array.from({ length: 3 }, another.uniform)).toEqual([
    0.625095466604667, 0.8972138009695755, 0.7756856902451935,
  ]);
});
