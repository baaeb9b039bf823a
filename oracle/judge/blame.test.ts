import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph } from "../../engines/index.ts";
import {
  type FlatTensor,
  type Graph,
  graph,
  idCount,
  nodeId,
  type OperatorName,
  type Value,
} from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import type { Blame } from "../hearing/verdict.ts";
import { judge } from "./judge.ts";

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

/** The engine doubles what it answers in one direction where `isWrong`, and may decline a graph. */
function doubling(
  direction: "forward" | "reverse",
  isWrong: (graph: Graph) => boolean,
  declines: (graph: Graph) => boolean = () => false,
): Engine {
  const right = interpreterEngine();
  const twice = (tensors: readonly FlatTensor[], isDoubled: (place: number) => boolean) =>
    tensors.map(({ shape, data }, place) => ({
      shape,
      data: isDoubled(place) ? data.map((x) => 2 * x) : data,
    }));
  return {
    describe: () => right.describe(),
    async load(loaded, dtype) {
      if (declines(loaded)) return { kind: "unsupported", reason: "too small" };
      const reply = await right.load(loaded, dtype);
      if (reply.kind !== "result" || !isWrong(loaded)) return reply;
      const program = reply.value;
      const { inputs, nodes } = loaded;
      const jvp: LoadedGraph["jvp"] = async (point, tangents) => {
        const answer = await program.jvp(point, tangents);
        return answer.kind === "result"
          ? { kind: "result", value: twice(answer.value, (place) => place === nodes.length - 1) }
          : answer;
      };
      const vjp: LoadedGraph["vjp"] = async (point, seeds) => {
        const answer = await program.vjp(point, seeds);
        return answer.kind === "result" ? { kind: "result", value: twice(answer.value, () => true) } : answer;
      };
      const backwardDense: LoadedGraph["backwardDense"] = async (point, seeds) => {
        const answer = await program.backwardDense(point, seeds);
        return answer.kind === "result"
          ? { kind: "result", value: twice(answer.value, (place) => place < inputs.length) }
          : answer;
      };
      const changed = direction === "forward" ? { jvp } : { vjp, backwardDense };
      return { kind: "result", value: { ...program, ...changed } };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Tells whether a node of `op` reads one of `operand`. */
const follows =
  (op: OperatorName, operand: OperatorName) =>
  ({ inputs, nodes }: Graph): boolean =>
    nodes.some(
      (node) => node.op === op && node.parents.some((id) => nodes[id - inputs.length]?.op === operand),
    );

const isSmall = ({ nodes }: Graph): boolean => nodes.length === 1;

async function blameIn(engine: Engine, build: (x: Value, c: Value) => void): Promise<Blame> {
  const program = graph(({ input, parameter }) => build(input("x"), parameter("c")));
  const question: Case = {
    graph: program,
    point: { inputs: [scalar(3)], environment: new Map([["c", scalar(5)]]) },
    tangents: [scalar(7)],
    seeds: [{ id: nodeId(idCount(program) - 1), cotangent: scalar(5) }],
  };
  const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 0 });
  if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
  return verdict.witness.blame;
}

describe("the blame of two nodes that are wrong together", () => {
  test("is the reader's in forward mode, where its tangent is wrong after that operand alone", async () => {
    const { op, part, sentence } = await blameIn(doubling("forward", follows("relu", "add")), (x) =>
      x.exp().add(x).relu(),
    );
    expect([op, part]).toEqual(["relu", "tangent"]);
    expect(sentence).toBe(
      "node 3 (add) and node 4 (relu) are each right alone and wrong together; node 4 (relu) has a wrong tangent.",
    );
  });

  test("is never a constant's, forward or in reverse", async () => {
    for (const direction of ["forward", "reverse"] as const) {
      const { op, sentence } = await blameIn(doubling(direction, follows("multiply", "constant")), (x, c) =>
        x.multiply(c),
      );
      expect(op).toBe("multiply");
      expect(sentence).toMatch(/^node 1 \(constant\) and node 2 \(multiply\) are each right alone/);
    }
  });

  test("says of nodes that were not answered alone that they could not be judged so", async () => {
    for (const direction of ["forward", "reverse"] as const) {
      const engine = doubling(direction, follows("relu", "add"), isSmall);
      const { op, sentence } = await blameIn(engine, (x) => x.exp().add(x).relu());
      expect(sentence).toMatch(/are wrong together, and neither could be judged alone/);
      expect(["add", "relu"]).toContain(op);
    }
  });
});

describe("the blame of two nodes that read one id and are wrong beside each other", () => {
  const readers = (isWrong: (graph: Graph) => boolean): Promise<Blame> =>
    blameIn(doubling("reverse", isWrong), (x) => {
      const first = x.exp();
      x.relu().add(first);
    });

  test("is that node's which is wrong beside any reader of the id", async () => {
    const { op, part, sentence } = await readers(
      ({ inputs, nodes }) => nodes.some(({ op }) => op === "relu") && nodes.length > inputs.length,
    );
    expect([op, part]).toEqual(["relu", "cotangent"]);
    expect(sentence).toBe(
      "node 2 (exp) and node 3 (relu) are each right alone and wrong beside each other; node 3 (relu) is wrong wherever another node reads input 0.",
    );
  });

  test("is neither's where any two readers are wrong", async () => {
    const shares = ({ nodes }: Graph): boolean =>
      nodes.filter(({ parents }) => parents.some((id) => Number(id) === 0)).length > 1;
    const { part, sentence } = await readers(shares);
    expect(part).toBe("accumulation");
    expect(sentence).toMatch(/^every node is right alone;/);
  });
});

describe("the blame of what every operator is wrong about", () => {
  test.each(["forward", "reverse"] as const)("is no node's, in %s mode", async (direction) => {
    const { sentence } = await blameIn(
      doubling(direction, () => true),
      (x) => x.tanh(),
    );
    expect(sentence).toMatch(/^an operator that the graph lacks is wrong so, too; the (co)?tangent of/);
  });
});

describe("a sum of cotangents that is put together wrongly", () => {
  const isLong = ({ nodes }: Graph): boolean => nodes.length > 2;
  const build = (x: Value): void => {
    x.exp().add(x).relu();
  };

  test("is said to be where every node is right alone", async () => {
    const { sentence } = await blameIn(doubling("reverse", isLong), build);
    expect(sentence).toBe("every node is right alone; the cotangent of input 0 is put together wrongly.");
  });

  test("is not where no node was answered alone, or some were not", async () => {
    const none = await blameIn(doubling("reverse", isLong, isSmall), build);
    expect(none.sentence).toBe("no node could be judged alone; the cotangent of input 0 is wrong.");
    const noRelu = ({ nodes }: Graph): boolean => nodes.length === 1 && nodes[0]?.op === "relu";
    const some = await blameIn(doubling("reverse", isLong, noRelu), build);
    expect(some.sentence).toMatch(/^2 of 3 nodes are right alone, and no other could be judged so;/);
  });
});
