import { describe, expect, test } from "vitest";
import { scalar, tensor } from "../../engines/asking.test.kit.ts";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import {
  composites,
  type Graph,
  graph,
  nodeId,
  type OperatorName,
  operatorNames,
  operatorsWithin,
  present,
  primitiveNames,
} from "../index.ts";
import { expanding } from "./expanding.ts";
import type { Engine, LoadedGraph, Reply } from "./index.ts";

/** y = (x²)², whose derivative is 4x³; ids: x, x², y. */
const fourth = graph(({ input }) => input("x").square().square());

function resultOf<T>(reply: Reply<T>): T {
  if (reply.kind !== "result") throw new Error(JSON.stringify(reply));
  return reply.value;
}

async function loaded(engine: Engine, program: Graph): Promise<LoadedGraph> {
  return resultOf(await engine.load(program, "float64"));
}

const point = { inputs: [scalar(3)], environment: new Map() };
const seeds = [
  { id: nodeId(2), cotangent: scalar(1) },
  { id: nodeId(1), cotangent: scalar(10) },
];

describe("an engine that lacks composites", () => {
  test("answers for them in every mode, for the ids of the graph alone", async () => {
    const program = await loaded(interpreterEngine(), fourth);
    expect(resultOf(await program.evaluate(point)).map(({ data }) => data[0])).toEqual([9, 81]);
    expect(resultOf(await program.jvp(point, [scalar(1)])).map(({ data }) => data[0])).toEqual([6, 108]);
    expect(resultOf(await program.vjp(point, seeds)).map(({ data }) => data[0])).toEqual([108 + 60]);
    expect(resultOf(await program.backwardDense(point, seeds)).map(({ data }) => data[0])).toEqual([
      168, 28, 1,
    ]);
  });

  test("offers every operator, and says which primitive it lacks", async () => {
    const own = interpreterEngine();
    expect(own.describe().operators).toEqual(operatorNames);
    const poor: Engine = {
      ...own,
      describe: () => ({ ...own.describe(), operators: primitiveNames.filter((op) => op !== "multiply") }),
    };
    expect(await expanding(poor).load(fourth, "float64")).toEqual({
      kind: "unsupported",
      reason: "the engine does not offer multiply",
    });
  });

  test("has the inner graph of a derivative written out where it takes derivatives whole, and names what it lacks there", async () => {
    const own = interpreterEngine();
    const sent: Graph[] = [];
    const offering = (operators: readonly OperatorName[]): Engine =>
      expanding({
        ...own,
        describe: () => ({ ...own.describe(), operators }),
        load: (program, dtype) => {
          sent.push(program);
          return own.load(program, dtype);
        },
      });
    // d/dx (x²)² twice: 12 x².
    const once = graph(({ input, differentiate }) => {
      const x = input("x");
      return differentiate(x, x, { graph: fourth, mode: "vjp", of: nodeId(2), wrt: nodeId(0) });
    });
    const attributes = { graph: once, mode: "jvp", of: nodeId(1), wrt: nodeId(0) } as const;
    const twice = graph(({ input, differentiate }) => {
      const x = input("x");
      return differentiate(x, x, attributes);
    });
    const program = await loaded(offering([...primitiveNames, "differentiate"]), twice);
    // 4x³ · x is 4x⁴, whose derivative times x is 16x⁴.
    expect(resultOf(await program.evaluate(point)).map(({ data }) => data[0])).toEqual([16 * 81]);
    expect(operatorsWithin(present(sent[0], "what was sent"))).toEqual([
      "differentiate",
      "differentiate",
      "multiply",
      "multiply",
    ]);
    const poor = offering(["differentiate", "add"]);
    expect(await poor.load(twice, "float64")).toEqual({
      kind: "unsupported",
      reason: "the engine does not offer multiply",
    });
  });

  test("is said to offer the composites that it can answer for, and no others", () => {
    const own = interpreterEngine();
    const without = (...missing: readonly string[]): readonly string[] =>
      expanding({
        ...own,
        describe: () => ({
          ...own.describe(),
          operators: primitiveNames.filter((op) => !missing.includes(op)),
        }),
      }).describe().operators;
    expect(without()).toEqual(operatorNames);
    expect(without("multiply")).not.toContain("square");
    expect(without("multiply")).not.toContain("multiply");
    expect(without("multiply")).toContain("minimum");
    // Dropout needs the mask through another composite.
    expect(operatorNames.filter((op) => !without("bernoulli_mask").includes(op))).toEqual([
      "bernoulli_mask",
      "dropout",
    ]);
  });

  test("may be asked before it has answered where it says so", () => {
    const own = interpreterEngine();
    expect(expanding({ ...own, queues: true }).queues).toBe(true);
    expect(expanding(own).queues).toBeUndefined();
  });

  test("is handed whole what it has", async () => {
    const seen: string[] = [];
    const own = interpreterEngine();
    const watching: Engine = {
      ...own,
      describe: () => ({ ...own.describe(), operators: [...primitiveNames, "square"] }),
      load: (program, dtype) => {
        seen.push(...program.nodes.map(({ op }) => op));
        return own.load(program, dtype);
      },
    };
    await loaded(expanding(watching), fourth);
    expect(seen).toEqual(["square", "square"]);
  });

  test("computes what a wrong expansion says", async () => {
    const wrong = { ...composites, square: composites.abs };
    const program = await loaded(interpreterEngine("wrong", { composites: wrong }), fourth);
    const answer = resultOf(await program.evaluate({ inputs: [tensor([-3], [])], environment: new Map() }));
    expect(answer.map(({ data }) => data[0])).toEqual([3, 3]);
  });
});
