import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, it } from "vitest";
import { expand, type FlatTensor, type NodeId, nodeId, sizeOf } from "../../../spec/index.ts";
import { node, question, seed, tensor } from "../../asking.test.kit.ts";
import { interpret } from "../../interpretation/index.ts";
import type { Numbers, Precision } from "../plan/executable.ts";
import { lower, type Request } from "../plan/lower/index.ts";
import { plan } from "../plan/planned.ts";
import type { LoopProgram, Routine } from "../plan/program.ts";
import { buildAs } from "./backend.ts";
import { difference, numbersIn } from "./specimens.test.kit.ts";

const generator = xoroshiro128plus(7);

function random(shape: readonly number[]): FlatTensor {
  const numbers = Array.from({ length: sizeOf(shape) }, () => Math.fround((generator.next() % 1000) / 300));
  return tensor(numbers, shape);
}

type Asked = ReturnType<typeof question>;

/** Answers a request about a question's graph by generated JavaScript, given tangents or seeds. */
function compiled(
  asked: Asked,
  precision: Precision,
  request: Request,
  more: readonly FlatTensor[],
  routines: (program: LoopProgram) => LoopProgram,
): readonly Numbers[] {
  const { graph } = expand(asked.graph);
  const planned = plan(routines(lower(graph, request, "bit_exact")), { precision, regime: "bit_exact" });
  const executable = buildAs({ ...planned, precision, regime: "bit_exact" }, "chosen");
  const sources = [...asked.point.inputs, ...more].map(({ data }) => numbersIn(precision, data));
  const indices = [...asked.point.environment.values()].map(({ data }) => Uint32Array.from(data));
  executable.run(sources, indices);
  return executable.results;
}

/** Says where values, tangents or cotangents of a graph's first node differ from the interpreter's bits. */
function disagreement(
  asked: Asked,
  precision: Precision,
  routines = (program: LoopProgram) => program,
): string | undefined {
  const core = interpret(expand(asked.graph).graph, precision);
  const { inputs } = asked.point;
  const out: NodeId = nodeId(inputs.length);
  const values = core.evaluate(asked.point);
  if (!values.ok) return values.error;
  const shape = [
    ...(asked.graph.nodes[0]?.op === "det"
      ? (inputs[0]?.shape.slice(0, -2) ?? [])
      : (inputs[1]?.shape ?? [6, 7])),
  ];
  const tangents = inputs.map((input) => random(input.shape));
  const cotangent = random(shape);
  const dots = core.jvp(asked.point, tangents);
  const value = difference(
    compiled(asked, precision, { values: [out] }, [], routines),
    values.value.slice(0, 1),
  );
  if (value !== undefined) return `value: ${value}`;
  if (inputs.length === 0) return undefined;
  const dot = compiled(
    asked,
    precision,
    { values: [], tangents: { ids: [out], count: 1 } },
    tangents,
    routines,
  );
  const dotDifference = dots.ok ? difference(dot, dots.value) : dots.error;
  if (dotDifference !== undefined) return `tangent: ${dotDifference}`;
  const bars = core.vjp(asked.point, [seed(inputs.length, cotangent)]);
  const ids = inputs.map((_, n) => nodeId(n));
  const request: Request = { values: [], cotangents: { ids, seeds: [{ id: out, from: "source" }] } };
  return bars.ok
    ? difference(compiled(asked, precision, request, [cotangent], routines), bars.value)
    : bars.error;
}

describe.each<Precision>([
  "float64",
  "float32",
])("routines in %s are, bit for bit, the interpreter's:", (precision) => {
  it.each([1, 2, 3, 5])("determinants of %i rows, their tangents and cofactors", (n) => {
    expect(disagreement(question([random([2, n, n])], [node("det", {}, 0)]), precision)).toBeUndefined();
  });

  it.each([
    [1, 1],
    [2, 3],
    [4, 2],
  ])("solutions of %i rows and %i columns, their tangents and cotangents", (n, m) => {
    const asked = question([random([3, n, n]), random([3, n, m])], [node("solve", {}, 0, 1)]);
    expect(disagreement(asked, precision)).toBeUndefined();
  });

  it("random masks", () => {
    const key = { shape: [2], data: Float64Array.of(12345, 4294967295) };
    const mask = node("bernoulli_mask", { key: "key", rate: 0.25, shape: [6, 7] });
    expect(disagreement(question([], [mask], { key: ["index", key] }), precision)).toBeUndefined();
  });

  it.each<[string, (routine: Routine) => Routine]>([
    ["another rate", (routine) => (routine.kind === "bernoulli" ? { ...routine, rate: 0.75 } : routine)],
    ["no words of the key", (routine) => (routine.kind === "bernoulli" ? { ...routine, index: 1 } : routine)],
  ])("a mask drawn with %s is told from it", (_fault, change) => {
    const keys = {
      key: ["index", { shape: [2], data: Float64Array.of(1, 2) }],
      other: ["index", { shape: [2], data: Float64Array.of(3, 4) }],
    } as const;
    const masks = (["key", "other"] as const).map((key) =>
      node("bernoulli_mask", { key, rate: 0.25, shape: [6, 7] }),
    );
    const [mask, other] = masks;
    if (mask === undefined || other === undefined) throw new Error("no masks");
    const asked = question([], [mask, other], keys);
    expect(disagreement(asked, precision)).toBeUndefined();
    expect(disagreement(asked, precision, (program) => changed(program, change))).toBeDefined();
  });

  it("a cotangent by the cofactors of another matrix is told from it", () => {
    const asked = question([random([2, 3, 3]), random([2, 3, 1])], [node("solve", {}, 0, 1)]);
    const swapped = (program: LoopProgram): LoopProgram => ({
      ...program,
      instructions: program.instructions.map((instruction) =>
        instruction.kind === "routine" && instruction.routine.kind === "solution_cotangent"
          ? { ...instruction, routine: { ...instruction.routine, kind: "solution" } }
          : instruction,
      ),
    });
    expect(disagreement(asked, precision, swapped)).toMatch(/result/);
  });
});

/** Exchanges the routines of a program. */
function changed(program: LoopProgram, change: (routine: Routine) => Routine): LoopProgram {
  return {
    ...program,
    instructions: program.instructions.map((instruction) =>
      instruction.kind === "routine" ? { ...instruction, routine: change(instruction.routine) } : instruction,
    ),
  };
}
