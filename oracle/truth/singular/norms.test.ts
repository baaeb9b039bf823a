import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, referenceConventions } from "../../../engines/index.ts";
import { type FlatTensor, nodeId } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { ask } from "../../hearing/ask.ts";

/** The lengths of the rows (0, 0) and (3, 4), with the cotangents 2 and 5. */
const lengths: Case = {
  graph: {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [2, 2] }],
    environment: [],
    nodes: [{ op: "norm", attributes: { axes: [1], keepdims: false }, parents: [nodeId(0)] }],
  },
  point: { inputs: [{ shape: [2, 2], data: Float64Array.of(0, 0, 3, 4) }], environment: new Map() },
  tangents: [{ shape: [2, 2], data: Float64Array.of(1, -2, 1, 1) }],
  seeds: [{ id: nodeId(1), cotangent: { shape: [2], data: Float64Array.of(2, 5) } }],
};

/** Returns the interpreter, with `slope` for every NaN among its tangents and cotangents. */
function answering(slope: number): Engine {
  const inner = interpreterEngine();
  const mapped = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map((x) => (Number.isNaN(x) ? slope : x)),
  });
  return {
    ...inner,
    describe: () => ({ ...inner.describe(), conventions: referenceConventions }),
    async load(graph, dtype) {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const { jvp, vjp, backwardDense, ...others } = loaded.value;
      const replaced =
        <A extends readonly unknown[]>(f: (...asked: A) => ReturnType<typeof vjp>) =>
        async (...asked: A): ReturnType<typeof vjp> => {
          const reply = await f(...asked);
          return reply.kind === "result" ? { ...reply, value: reply.value.map(mapped) } : reply;
        };
      const program = {
        ...others,
        jvp: replaced(jvp),
        vjp: replaced(vjp),
        backwardDense: replaced(backwardDense),
      };
      return { kind: "result", value: program };
    },
  };
}

describe("a norm of zeros", () => {
  test.each([1e9, -3.5, Number.POSITIVE_INFINITY])("has no derivative of %d", async (slope) => {
    expect(await ask(answering(slope), lengths, "float64", [])).toMatchObject({ kind: "differs" });
  });

  test.each([Number.NaN, 0, 2, -1])("may have any of its subdifferential, or NaN: %d", async (slope) => {
    expect(await ask(answering(slope), lengths, "float64", [])).not.toMatchObject({ kind: "differs" });
  });

  test("has cotangents no larger than its own, where tangents add up", async () => {
    const outcome = await ask(answering(2.5), lengths, "float64", []);
    expect(outcome).toMatchObject({ kind: "differs", finding: { question: "vjp", id: 0 } });
  });
});
