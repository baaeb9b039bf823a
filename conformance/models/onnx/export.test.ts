import { describe, expect, test } from "vitest";
import { searchedCase } from "../../../oracle/generate/mix.ts";
import {
  evaluate,
  float64,
  type GraphData,
  interpret,
  type Rational,
  rational,
  rationalFromNumber,
} from "../../../reference/index.ts";
import { compositeNames } from "../../../spec/composites/index.ts";
import type { CaseData } from "../../../spec/documents/index.ts";
import { derive, exampleOf, expand } from "../../../spec/expansion/index.ts";
import type { Graph, Point } from "../../../spec/graph/index.ts";
import { graph } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { type Algebra, nodeId, type Shape } from "../../../spec/shapes/index.ts";
import { type ExportOptions, writeOnnx } from "./export.ts";
import { read } from "./model.test.kit.ts";
import { readMessage } from "./wire/message.ts";
import { modelProto } from "./wire/model.ts";
import { functionNames } from "./writing/functions.ts";

/** Computes values by id over an algebra; of a number that it lacks nothing. */
function valuesOver<S, B>(
  algebra: Algebra<S, B>,
  read: (x: number) => S,
  show: (x: S) => string,
  own: Graph,
  point: Point,
  ids: readonly number[],
): string | undefined {
  const { graph: primitive, ids: places } = expand(own);
  const meaning = interpret(primitive, algebra);
  if (!meaning.ok) return undefined;
  const tensorOf = ({ shape, data }: { readonly shape: Shape; readonly data: Float64Array }) => ({
    shape,
    data: Array.from(data, read),
  });
  const environment = new Map(
    own.environment.map(({ name, kind, shape }) => {
      const tensor = point.environment.get(name) ?? { shape, data: new Float64Array() };
      return [
        name,
        kind === "real"
          ? { kind, tensor: tensorOf(tensor) }
          : { kind, shape, indices: Array.from(tensor.data) },
      ] as const;
    }),
  );
  const meant: GraphData<S> = meaning.value;
  const context = evaluate(meant, point.inputs.map(tensorOf), environment);
  return JSON.stringify(
    ids.map((id) => context[places[id] ?? 0]).map((x) => x && [x.shape, x.data.map(show)]),
  );
}

const inFloats = (own: Graph, point: Point, ids: readonly number[]): string | undefined =>
  valuesOver(
    float64,
    (x) => x,
    (x) => (Object.is(x, -0) ? "-0" : String(x)),
    own,
    point,
    ids,
  );

const showRational = (x: Rational | undefined): string =>
  x === undefined ? "none" : `${x.numerator}/${x.denominator}`;

/** Returns the ids that no node reads. */
function unread({ inputs, nodes }: Graph): number[] {
  const isRead = new Set<number>(nodes.flatMap(({ parents }) => parents));
  return nodes.map((_, place) => inputs.length + place).filter((id) => !isRead.has(id));
}

/** Writes a case as a model, and reads that. */
function roundTrip(
  { graph: own, point }: Pick<CaseData, "graph" | "point">,
  dtype: ExportOptions["dtype"] = "float64",
) {
  const written = writeOnnx(own, { dtype, environment: point.environment });
  if (!written.ok) throw new Error(JSON.stringify(written.error));
  const given = new Map(
    own.inputs.map(({ name }, place) => [name, Array.from(point.inputs[place]?.data ?? [])]),
  );
  const model = read(written.value.data, { given });
  if (!model.ok) throw new Error(JSON.stringify(model.error));
  return { ...model.value, written: written.value };
}

const bounds: readonly number[] = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
const slices = [0, 1, 3].flatMap((extent) =>
  bounds.flatMap((start) =>
    bounds.flatMap((stop) => [-2, -1, 1, 2].map((step) => [extent, start, stop, step] as const)),
  ),
);

describe("a graph that is written as ONNX and read again", () => {
  const indices = sampled(
    "onnx",
    Array.from({ length: 400 }, (_, index) => index),
    40,
  );

  test("is the same function, to the bit over float64", () => {
    let count = 0;
    for (const index of indices) {
      const drawn = searchedCase(5, index);
      const ids = unread(drawn.graph);
      // Cramer's rule, by which a solve is written, rounds otherwise than an elimination.
      const hasSolve = expand(drawn.graph).graph.nodes.some(({ op }) => op === "solve");
      if (ids.length === 0 || hasSolve) continue;
      const { graph: again, point, outputs } = roundTrip(drawn);
      const found = inFloats(
        again,
        point,
        outputs.map(({ id }) => id),
      );
      expect([index, found]).toEqual([index, inFloats(drawn.graph, drawn.point, ids)]);
      count++;
    }
    expect(count).toBeGreaterThan(indices.length / 2);
  });

  test("is the same function exactly, where rational numbers suffice", () => {
    const exactly = (own: Graph, point: Point, ids: readonly number[]) =>
      valuesOver(rational, (x) => rationalFromNumber(x), showRational, own, point, ids);
    const hasFinite = ({ inputs, environment }: Point): boolean =>
      [...inputs, ...environment.values()].every(({ data }) => data.every(Number.isFinite));
    let count = 0;
    for (const index of indices) {
      const drawn = searchedCase(5, index);
      const ids = unread(drawn.graph);
      const wanted = hasFinite(drawn.point) ? exactly(drawn.graph, drawn.point, ids) : undefined;
      if (wanted === undefined || ids.length === 0) continue;
      const { graph: again, point, outputs } = roundTrip(drawn);
      expect([
        index,
        exactly(
          again,
          point,
          outputs.map(({ id }) => id),
        ),
      ]).toEqual([index, wanted]);
      count++;
    }
    expect(count).toBeGreaterThan(indices.length / 8);
  });

  test("has the same elements of every slice, where steps go back from before the first element too", () => {
    let count = 0;
    for (const [extent, start, stop, step] of slices) {
      const own = graph(({ input }) =>
        input("x", [extent]).slice({ starts: [start], stops: [stop], steps: [step] }),
      );
      const x = { shape: [extent], data: Float64Array.from({ length: extent }, (_, place) => place + 1) };
      const point = { inputs: [x], environment: new Map() };
      const { graph: again, point: there, outputs } = roundTrip({ graph: own, point });
      const [{ id: output = nodeId(0) } = {}] = outputs;
      const found = inFloats(again, there, [output]);
      expect([extent, start, stop, step, found]).toEqual([
        extent,
        start,
        stop,
        step,
        inFloats(own, point, [1]),
      ]);
      count++;
    }
    expect(count).toBe(3 * 9 * 9 * 4);
  });

  test("may be any of our composites", () => {
    const names = compositeNames;
    for (const op of names) {
      const { graph: own, point } = pointAt(exampleOf(op));
      const { graph: again, point: there, outputs } = roundTrip({ graph: own, point });
      expect([
        op,
        inFloats(
          again,
          there,
          outputs.map(({ id }) => id),
        ),
      ]).toEqual([op, inFloats(own, point, unread(own))]);
    }
    expect(names.length).toBeGreaterThan(70);
  });

  test("may be a derived gradient, where cotangents scatter", () => {
    const table = graph(({ input, indices }) => {
      const rows = input("table", [3, 2]).gather({ indices: indices("rows", [3, 1]) });
      rows.tanh().sum({ axes: [0, 1], keepdims: false });
    });
    const derived = derive(table, { mode: "vjp", of: [nodeId(3)], wrt: [nodeId(0)] });
    if (!derived.ok) throw new Error("no derivative");
    const { graph: gradient } = derived.value;
    const point: Point = {
      inputs: [
        { shape: [3, 2], data: Float64Array.of(1, 2, 3, 4, 5, 6) },
        { shape: [], data: Float64Array.of(1) },
      ],
      environment: new Map([["rows", { shape: [3, 1], data: Float64Array.of(2, 0, 2) }]]),
    };
    const { graph: again, point: there, outputs, written } = roundTrip({ graph: gradient, point });
    const ops = nodesOf(written.data);
    expect(ops).toContain("ScatterND");
    expect(
      inFloats(
        again,
        there,
        outputs.map(({ id }) => id),
      ),
    ).toEqual(inFloats(gradient, point, unread(gradient)));
  });

  test("would be noticed if one number were another", () => {
    const drawn = searchedCase(5, 0);
    const { graph: again, point, outputs } = roundTrip(drawn);
    const inputs = point.inputs.map(({ shape, data }, place) => ({
      shape,
      data: place === 0 ? data.map((x) => x + 1) : data,
    }));
    const ids = outputs.map(({ id }) => id);
    expect(inFloats(again, { ...point, inputs }, ids)).not.toEqual(inFloats(again, point, ids));
  });
});

/** Returns a graph at 1.5, −2.5, 3.5, … and at the first indices. */
function pointAt(own: Graph): { graph: Graph; point: Point } {
  const numbers = (shape: Shape): Float64Array =>
    Float64Array.from(
      { length: shape.reduce((n, extent) => n * extent, 1) },
      (_, i) => (i % 2 === 0 ? 1 : -1) * (i + 1.5),
    );
  const inputs = own.inputs.map(({ shape }) => ({ shape, data: numbers(shape) }));
  const environment = new Map(
    own.environment.map(({ name, kind, shape }) => [
      name,
      { shape, data: kind === "real" ? numbers(shape) : numbers(shape).map(() => 0) },
    ]),
  );
  return { graph: own, point: { inputs, environment } };
}

/** Returns the operators of a model's nodes. */
function nodesOf(data: Uint8Array): readonly string[] {
  const model = readMessage(modelProto, data);
  return "wrong" in model ? [] : (model.graph?.nodes ?? []).map(({ op = "" }) => op);
}

describe("a model", () => {
  const softmax = graph(({ input, parameter }) => {
    const x = input("x", [2, 3]);
    x.softmax({ axis: 1 }).multiply(parameter("scale", [3]));
  });

  test("has composites whole, and entries of Δ as inputs where they have no numbers", () => {
    const written = writeOnnx(softmax, { dtype: "float32" });
    expect(written.ok && nodesOf(written.value.data)).toEqual(["Softmax", "Expand", "Mul", "Identity"]);
    const model = written.ok ? readMessage(modelProto, written.value.data) : undefined;
    expect(model && "graph" in model && model.graph?.inputs.map(({ name }) => name)).toEqual(["x", "scale"]);
  });

  test("says how many constants it rounded", () => {
    const environment = new Map([["scale", { shape: [3], data: Float64Array.of(1, 0.1, 0.5) }]]);
    const rounded = (dtype: ExportOptions["dtype"]) => {
      const written = writeOnnx(softmax, { dtype, environment });
      return written.ok ? written.value.rounded : undefined;
    };
    expect([rounded("float32"), rounded("float64")]).toEqual([1, 0]);
  });

  test("has a function for what ONNX lacks, which is known again by its body alone", () => {
    const all = graph(({ input }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      x.expm1().add(x.log1p()).add(x.log2()).add(x.atan2(y)).add(x.hypot(y));
    });
    const written = writeOnnx(all, { dtype: "float32" });
    if (!written.ok) throw new Error("not written");
    const model = readMessage(modelProto, written.value.data);
    if ("wrong" in model) throw new Error(model.wrong);
    expect(model.functions.map(({ name }) => name)).toEqual(functionNames);
    const again = read(written.value.data);
    expect(again.ok && again.value.graph).toEqual(all);
  });

  test("has no bits of a key that nobody knows", () => {
    const mask = graph(({ input, indices, bernoulli_mask }) => {
      input("x", [2]);
      bernoulli_mask({ shape: [2], key: indices("key", [2]), rate: 0.5 });
    });
    expect(writeOnnx(mask, { dtype: "float32" })).toMatchObject({
      error: [{ code: "onnx/export", pointer: "/nodes/0" }],
    });
    const environment = new Map([["key", { shape: [2], data: Float64Array.of(1, 2) }]]);
    expect(writeOnnx(mask, { dtype: "float32", environment }).ok).toBe(true);
  });
});
