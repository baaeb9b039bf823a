import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  type Engine,
  expanding,
  interpreterEngine,
  type LoadedGraph,
  type Mutant,
  mutants,
  type Reply,
  referenceConventions,
} from "../../engines/index.ts";
import { floats } from "../../reference/package.ts";
import {
  checkCase,
  encodeCase,
  type FlatTensor,
  type Graph,
  graph,
  idCount,
  nodeId,
  type OperatorName,
  type Point,
  present,
  primitiveNames,
  type Value,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { type Choice, withChoices } from "../case/choices.ts";
import { runReference } from "../case/reference_run.ts";
import { searchTime } from "../driver/index.ts";
import { caseAt, compositeProfile, tensorProfile } from "../generate/index.ts";
import { ask, type Law } from "../hearing/ask.ts";
import { nothingHeard } from "../hearing/heard.ts";
import type { Witness } from "../hearing/verdict.ts";
import { askLaw } from "../laws/alone.ts";
import { laws } from "../laws/index.ts";
import { campaignOn } from "./campaign.ts";
import { judge } from "./judge.ts";
import { emptyTally, tallied } from "./tally.ts";
import { tellingCase } from "./telling.test.kit.ts";

const SEED = 7;

/** Finds the first random case on which the judge finds a mutant wrong. */
function firstWrong(mutant: Mutant): Promise<Case> {
  return tellingCase(
    mutant,
    "judged",
    async (question) => (await ask(mutant.engine(), question, "float64", laws)).kind === "differs",
  );
}

/** Shrinks that case to a witness. */
async function firstWitness(mutant: Mutant): Promise<Witness> {
  const verdict = await judge(mutant.engine(), await firstWrong(mutant), { dtype: "float64" });
  if (verdict.kind !== "disagrees") throw new Error(`${mutant.name}: ${verdict.kind}`);
  return verdict.witness;
}

/** Breaks an engine that works in a way of its own. */
function changed(engine: Engine, change: Partial<Engine>): Engine {
  return {
    describe: () => engine.describe(),
    load: (graph, dtype) => engine.load(graph, dtype),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    ...change,
  };
}

/** Slows the interpreter and records its calls; `isWrong` turns the signs of its values. */
function counting({ queues, isWrong = false }: { queues: boolean; isWrong?: boolean }) {
  const sound = interpreterEngine();
  const calls = { evaluate: 0, jvp: 0, backwardDense: 0, inFlight: 0, most: 0, unloading: 0 };
  const slowly = async <T>(call: Promise<T>): Promise<T> => {
    calls.inFlight += 1;
    calls.most = Math.max(calls.most, calls.inFlight);
    await setImmediate();
    calls.inFlight -= 1;
    return call;
  };
  const negative = async (reply: ReturnType<LoadedGraph["evaluate"]>): typeof reply => {
    const answer = await reply;
    if (!isWrong || answer.kind !== "result") return answer;
    const value = answer.value.map(({ shape, data }) => ({ shape, data: data.map((x) => -x) }));
    return { kind: "result", value };
  };
  const engine = changed(sound, {
    queues,
    load: async (written, dtype) => {
      const loaded = await sound.load(written, dtype);
      if (loaded.kind !== "result") return loaded;
      const program = loaded.value;
      const value: LoadedGraph = {
        evaluate: (point) => {
          calls.evaluate += 1;
          return slowly(negative(program.evaluate(point)));
        },
        jvp: (point, tangents) => {
          calls.jvp += 1;
          return slowly(program.jvp(point, tangents));
        },
        vjp: (point, seeds) => slowly(program.vjp(point, seeds)),
        backwardDense: (point, seeds) => {
          calls.backwardDense += 1;
          return slowly(program.backwardDense(point, seeds));
        },
        async unload() {
          calls.unloading += 1;
          await slowly(program.unload());
          calls.unloading -= 1;
        },
      };
      return { kind: "result", value };
    },
  });
  return { engine, calls };
}

describe("the judge", () => {
  test.each(
    sampled("judge", mutants, 35).map((mutant) => [mutant.name, mutant] as const),
  )("catches %s, shrinks it to five nodes at most as a rule, and blames the operator whose rule is wrong", async (name, mutant) => {
    const witness = await firstWitness(mutant);
    expect(witness.case.graph.nodes.length).toBeLessThanOrEqual(name === "sweep_gives_up" ? 25 : 5);
    if (mutant.operator !== undefined) expect(witness.blame.op).toBe(mutant.operator);
    expect(witness.blame.id).toBeLessThan(Math.max(1, idCount(witness.case.graph)));
    // The witness, written and read back, still convicts the mutant and clears the interpreter.
    const again = checkCase(JSON.parse(JSON.stringify(encodeCase(witness.case))));
    expect(again.ok).toBe(true);
    if (!again.ok) return;
    expect((await judge(mutant.engine(), again.value, { dtype: "float64", shrinkBudget: 0 })).kind).toBe(
      "disagrees",
    );
    expect((await judge(interpreterEngine(), again.value, { dtype: "float64" })).kind).not.toBe("disagrees");
  });

  test("does not ask an engine about operators it does not offer", async () => {
    const poor = changed(interpreterEngine(), {
      describe: () => ({ ...interpreterEngine().describe(), operators: ["add"] }),
    });
    const verdict = await judge(poor, caseWith("multiply"), { dtype: "float64" });
    expect(verdict.kind).toBe("unsupported");
    expect(verdict.kind === "unsupported" && verdict.reason).toMatch(/does not offer/);
  });

  test("takes an error and a crash for neither agreement nor disagreement", async () => {
    for (const kind of ["error", "crashed"] as const) {
      const engine = changed(interpreterEngine(), { load: async () => ({ kind, message: "out of memory" }) });
      const verdict = await judge(engine, caseWith("add"), { dtype: "float64" });
      expect(verdict.kind).toBe("crashed");
    }
  });

  test("shrinks a case that an engine answers with an error, and one at which it dies to a node", async () => {
    const sound = interpreterEngine();
    for (const kind of ["error", "crashed"] as const) {
      const engine = changed(sound, {
        load: async (graph, dtype) =>
          graph.nodes.some(({ op }) => op === "tanh")
            ? { kind, message: `tanh is missing from table ${graph.nodes.length}` }
            : sound.load(graph, dtype),
      });
      const verdict = await judge(engine, caseWith("tanh"), { dtype: "float64" });
      if (verdict.kind !== "crashed") throw new Error(verdict.kind);
      expect(verdict.case?.graph.nodes.map(({ op }) => op)).toEqual(["tanh"]);
    }
  });

  test("keeps the whole case of a crash that no node has alone, and asks none again that hung", async () => {
    const sound = interpreterEngine();
    for (const message of ["exited with code 1", "did not answer within 30000 ms", "gave up: 5 restarts"]) {
      let loads = 0;
      const engine = changed(sound, {
        load: async (graph, dtype) => {
          loads += 1;
          return graph.nodes.length > 1 ? { kind: "crashed", message } : sound.load(graph, dtype);
        },
      });
      const question = caseWith("tanh");
      const verdict = await judge(engine, question, { dtype: "float64" });
      if (verdict.kind !== "crashed") throw new Error(verdict.kind);
      expect(verdict.case).toEqual(message.startsWith("gave up") ? undefined : question);
      expect(loads).toBe(message.startsWith("exited") ? 1 + question.graph.nodes.length : 1);
    }
  });

  test("stops a search for a smaller case where it has had its time", async () => {
    const wrong = changed(interpreterEngine(), {});
    const question = caseWith("tanh");
    const broken: Engine = {
      ...wrong,
      load: async (graph, dtype) => {
        const loaded = await wrong.load(graph, dtype);
        if (loaded.kind !== "result" || !graph.nodes.some(({ op }) => op === "tanh")) return loaded;
        const vjp: LoadedGraph["vjp"] = async (...asked) => {
          const reply = await loaded.value.vjp(...asked);
          if (reply.kind !== "result") return reply;
          return {
            kind: "result",
            value: reply.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x + 1) })),
          };
        };
        return { kind: "result", value: { ...loaded.value, vjp } };
      },
    };
    let now = 0;
    const sized = async (most: number): Promise<number> => {
      const search = searchTime(
        () => now++,
        () => most,
      );
      const verdict = await judge(broken, question, { dtype: "float64", search });
      return verdict.kind === "disagrees" ? verdict.witness.case.graph.nodes.length : 0;
    };
    expect(await sized(Number.POSITIVE_INFINITY)).toBe(1);
    expect(await sized(0)).toBe(question.graph.nodes.length);
  });

  test("asks an engine that queues in all modes before an answer has come, and does not wait for it to unload", async () => {
    const { engine, calls } = counting({ queues: true });
    expect((await judge(engine, caseWith("multiply"), { dtype: "float64", laws: [] })).kind).toBe("agrees");
    expect(calls).toMatchObject({ inFlight: 1, most: 4, unloading: 1 });
  });

  test("waits for each answer of an engine that does not queue, and until it has unloaded", async () => {
    const { engine, calls } = counting({ queues: false });
    expect((await judge(engine, caseWith("multiply"), { dtype: "float64", laws: [] })).kind).toBe("agrees");
    expect(calls).toMatchObject({ inFlight: 0, most: 1, unloading: 0 });
  });

  test("asks an engine that queues no further than to its first wrong answer, where not all is asked at once", async () => {
    const { engine, calls } = counting({ queues: true, isWrong: true });
    expect((await ask(engine, caseWith("multiply"), "float64", [])).kind).toBe("differs");
    expect(calls).toMatchObject({ evaluate: 1, jvp: 0, backwardDense: 0 });
    expect((await ask(engine, caseWith("multiply"), "float64", [], { atOnce: true })).kind).toBe("differs");
    expect(calls).toMatchObject({ evaluate: 2, jvp: 1, backwardDense: 1 });
  });

  test("says of an answer that does not repeat that it does not", async () => {
    const mutant = mutants.find(({ name }) => name === "operand_dropped");
    if (mutant === undefined) throw new Error("the mutant is gone");
    const [wrong, right] = [mutant.engine(), interpreterEngine()];
    let loads = 0;
    const engine = changed(right, {
      load: (graph, dtype) => (loads++ === 0 ? wrong : right).load(graph, dtype),
    });
    const question = await firstWrong(mutant);
    // None of the smaller cases is answered wrongly, so a few of them are as good as all.
    const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 50 });
    if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
    expect(verdict.witness.case).toEqual(question);
    expect(verdict.witness.blame.sentence).toMatch(/what was asked before\.$/);
  });

  test("blames a value that only forward mode computes wrongly on its own node, not on the reader", async () => {
    const mutant = mutants.find(({ name }) => name === "exp_rounded_for_readers");
    if (mutant === undefined) throw new Error("the mutant is gone");
    const { blame, case: smallest, id } = await firstWitness(mutant);
    expect([blame.op, blame.part]).toEqual(["exp", "value"]);
    expect(blame.id).toBeLessThan(id);
    expect(smallest.graph.nodes).toHaveLength(2);
  });

  test("excuses a NaN of the dense sweep, and nothing beside it", async () => {
    // This is y · y, seeded, and ln x at 0, which no seed reaches: 0 · ∞ in the dense form.
    const program = graph(({ input }) => {
      const [y, x] = [input("y"), input("x")];
      y.multiply(y);
      x.log();
    });
    const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
    const question: Case = {
      graph: program,
      point: { inputs: [scalar(3), scalar(0)], environment: new Map() },
      tangents: [scalar(1), scalar(0)],
      seeds: [{ id: nodeId(2), cotangent: scalar(5) }],
    };
    const answering = (yBar: number): Engine => {
      const right = interpreterEngine();
      return changed(right, {
        describe: () => ({ ...right.describe(), conventions: referenceConventions, modes: ["vjp"] }),
        load: async (loaded, dtype) => {
          const reply = await right.load(loaded, dtype);
          if (reply.kind !== "result") return reply;
          const vjp = async () => ({ kind: "result", value: [scalar(yBar), scalar(Number.NaN)] }) as const;
          return { kind: "result", value: { ...reply.value, vjp } };
        },
      });
    };
    expect((await ask(answering(30), question, "float64", [])).kind).toBe("undecided");
    expect((await ask(answering(31), question, "float64", [])).kind).toBe("differs");
  });

  test("calls an answer of the wrong shape or count a disagreement", async () => {
    const right = interpreterEngine();
    for (const distort of [
      (tensors: readonly { shape: readonly number[]; data: Float64Array }[]) => tensors.slice(1),
      (tensors: readonly { shape: readonly number[]; data: Float64Array }[]) =>
        tensors.map(({ shape, data }) => ({ shape: [1, ...shape], data })),
    ]) {
      const engine = changed(right, {
        load: async (graph, dtype) => {
          const loaded = await right.load(graph, dtype);
          if (loaded.kind !== "result") return loaded;
          const program = loaded.value;
          return {
            kind: "result",
            value: {
              ...program,
              vjp: async (point, seeds) => {
                const reply = await program.vjp(point, seeds);
                return reply.kind === "result" ? { kind: "result", value: distort(reply.value) } : reply;
              },
            },
          };
        },
      });
      expect((await ask(engine, caseWith("add"), "float64", [])).kind).toBe("differs");
    }
  });

  test("blames no input and no node for a tensor too many or too few, and says how many are due", async () => {
    const right = interpreterEngine();
    for (const [count, change] of [
      [
        "2 tensors",
        (tensors: readonly FlatTensor[]) => [...tensors, { shape: [], data: new Float64Array(1) }],
      ],
      ["0 tensors", () => []],
    ] as const) {
      const engine = changed(right, {
        load: async (graph, dtype) => {
          const loaded = await right.load(graph, dtype);
          if (loaded.kind !== "result") return loaded;
          const program = loaded.value;
          const vjp: typeof program.vjp = async (point, seeds) => {
            const reply = await program.vjp(point, seeds);
            return reply.kind === "result" ? { kind: "result", value: change(reply.value) } : reply;
          };
          return { kind: "result", value: { ...program, vjp } };
        },
      });
      const verdict = await judge(engine, caseWith("sin"), { dtype: "float64" });
      expect(verdict).toMatchObject({
        kind: "disagrees",
        witness: {
          answer: count,
          expected: "1 tensor",
          blame: {
            sentence: expect.stringMatching(
              /^the answer has . tensors, and 1 tensor is due, one for each input;/,
            ),
          },
        },
      });
    }
  });

  test.each([
    ["the input 0", (asked) => asked.inputs[0]],
    ["the entry k", (asked) => asked.environment.get("k")],
  ] as readonly (readonly [
    string,
    (point: Point) => FlatTensor | undefined,
  ])[])("tells an engine that it has written into its arguments: %s", async (name, tensorOf) => {
    const engine = interpreterEngine();
    const writing: Engine = {
      ...engine,
      async load(written, dtype) {
        const loaded = await engine.load(written, dtype);
        if (loaded.kind !== "result") return loaded;
        const value: LoadedGraph = {
          ...loaded.value,
          async vjp(point, seeds) {
            const reply = await loaded.value.vjp(point, seeds);
            tensorOf(point)?.data.fill(7);
            return reply;
          },
        };
        return { kind: "result", value };
      },
    };
    const pair = (...data: number[]): FlatTensor => ({ shape: [2], data: Float64Array.from(data) });
    const question: Case = {
      graph: graph(({ input, parameter }) => input("x", [2]).multiply(parameter("k", [2]))),
      point: { inputs: [pair(1, 2)], environment: new Map([["k", pair(3, 4)]]) },
      tangents: [pair(1, 1)],
      seeds: [{ id: nodeId(2), cotangent: pair(5, 6) }],
    };
    const verdict = await judge(writing, question, { dtype: "float64" });
    expect(verdict).toMatchObject({
      kind: "disagrees",
      witness: {
        answer: `0x1.cp+2 written into ${name}`,
        blame: {
          op: undefined,
          sentence: expect.stringContaining(`0x1.cp+2 written into ${name}, element 0`),
        },
      },
    });
    expect((await judge(engine, question, { dtype: "float64" })).kind).toBe("agrees");
  });

  test("has the same verdict on the same case twice", async () => {
    const options = { profile: tensorProfile, seed: 1, cases: 40, dtype: "float64" } as const;
    const runs: unknown[][] = [[], []];
    for (const run of runs) {
      const mutant = mutants.find(({ name }) => name === "operand_dropped");
      if (mutant === undefined) throw new Error("the mutant is gone");
      for await (const { verdict } of campaignOn(mutant.engine(), options)) run.push(verdict);
    }
    expect(runs[0]).toEqual(runs[1]);
  });
});

/** Doubles the interpreter's cotangents where a graph says so, at the operands of a node. */
function doubling(isWrong: (graph: Graph) => boolean): Engine {
  const right = interpreterEngine();
  const twice = (reply: Reply<readonly FlatTensor[]>, count: number): Reply<readonly FlatTensor[]> =>
    reply.kind === "result"
      ? {
          kind: "result",
          value: reply.value.map((tensor, id) =>
            id < count ? { ...tensor, data: tensor.data.map((x) => 2 * x) } : tensor,
          ),
        }
      : reply;
  return changed(right, {
    load: async (loaded, dtype) => {
      const reply = await right.load(loaded, dtype);
      if (reply.kind !== "result" || !isWrong(loaded)) return reply;
      const program = reply.value;
      const { length } = loaded.inputs;
      const vjp: LoadedGraph["vjp"] = async (point, seeds) => twice(await program.vjp(point, seeds), length);
      const backwardDense: LoadedGraph["backwardDense"] = async (point, seeds) =>
        twice(await program.backwardDense(point, seeds), length);
      return { kind: "result", value: { ...program, vjp, backwardDense } };
    },
  });
}

/** Makes a case of a graph of one input of one element, at 3, pulled back by 5 from its last node. */
function caseOf(build: (x: Value) => void): Case {
  const program = graph(({ input }) => build(input("x")));
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
  return {
    graph: program,
    point: { inputs: [scalar(3)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(idCount(program) - 1), cotangent: scalar(5) }],
  };
}

async function witnessOf(engine: Engine, question: Case): Promise<Witness> {
  const verdict = await judge(engine, question, { dtype: "float64" });
  if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
  return verdict.witness;
}

/** Tells whether a node of `op` reads one of `operand`. */
function follows({ inputs, nodes }: Graph, op: OperatorName, operand: OperatorName): boolean {
  return nodes.some(
    (node) => node.op === op && node.parents.some((id) => nodes[id - inputs.length]?.op === operand),
  );
}

describe("a composite that is answered wrongly", () => {
  test("stays where an engine that computes it whole is right about its primitives, and the sentence says so", async () => {
    const engine = doubling(({ nodes }) => nodes.some(({ op }) => op === "sigmoid"));
    const { blame, case: smallest } = await witnessOf(
      engine,
      caseOf((x) => x.sigmoid().exp()),
    );
    expect(smallest.graph.nodes.map(({ op }) => op)).toEqual(["sigmoid"]);
    expect([blame.op, blame.part]).toEqual(["sigmoid", "cotangent"]);
    expect(blame.sentence).toMatch(/Written out in primitives, the case is answered rightly\.$/);
  });

  test("stays where the engine does not offer the primitives, and the sentence says so", async () => {
    const wrong = doubling(({ nodes }) => nodes.some(({ op }) => op === "sigmoid"));
    const poor = changed(wrong, {
      describe: () => ({ ...wrong.describe(), operators: ["sigmoid", "negative"] }),
    });
    const { blame } = await witnessOf(
      poor,
      caseOf((x) => x.sigmoid().negative()),
    );
    expect(blame.op).toBe("sigmoid");
    expect(blame.sentence).toMatch(/not all answered for\.$/);
  });

  test("gives way to the one inside that an engine computes whole", async () => {
    const engine = doubling(({ nodes }) => nodes.some(({ op }) => op === "sigmoid" || op === "silu"));
    const { blame } = await witnessOf(
      engine,
      caseOf((x) => x.silu()),
    );
    expect(blame.op).toBe("sigmoid");
    expect(blame.sentence).toContain(
      "Found in the expansion of silu: that was sent to the engine, and is the case shown.",
    );
  });

  test("is counted as the primitive's in every case, not only in those that are made small", async () => {
    const mutant = present(
      mutants.find(({ name }) => name === "exp_slope_at_operand"),
      "a mutant",
    );
    const options = {
      profile: compositeProfile,
      seed: 1,
      cases: 30,
      dtype: "float64",
      lawsEvery: 0,
    } as const;
    let tally = emptyTally;
    for await (const { case: question, verdict } of campaignOn(mutant.engine(), options)) {
      tally = tallied(tally, { case: question, verdict, heard: nothingHeard }, 0);
    }
    const blamed = [...tally.operators].filter(([, { disagrees }]) => disagrees > 0);
    expect(tally.counts.disagrees).toBeGreaterThan(2);
    expect(blamed.map(([op, { disagrees }]) => [op, disagrees])).toEqual([["exp", tally.counts.disagrees]]);
  });

  test("is kept as it came where nothing is to be made small", async () => {
    const engine = doubling(({ nodes }) => nodes.some(({ op }) => op === "exp" || op === "sigmoid"));
    const question = caseOf((x) => x.sigmoid());
    const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 0 });
    expect(verdict).toMatchObject({
      kind: "disagrees",
      witness: { case: question, blame: { op: "sigmoid" } },
    });
  });
});

describe("two nodes that are right alone and wrong together", () => {
  test("are both named, the operand blamed where only the two are wrong", async () => {
    const engine = doubling((loaded) => follows(loaded, "relu", "add"));
    const { blame, case: smallest } = await witnessOf(
      engine,
      caseOf((x) => x.exp().add(x).relu().sin()),
    );
    expect(smallest.graph.nodes.map(({ op }) => op)).toEqual(["add", "relu"]);
    expect([blame.id, blame.op, blame.part]).toEqual([1, "add", "cotangent"]);
    expect(blame.sentence).toMatch(
      /^node 1 \(add\) and node 2 \(relu\) are each right alone and wrong together/,
    );
  });

  test("leave the one to blame that is wrong beside another operator too", async () => {
    const afterAny = doubling(({ inputs, nodes }) =>
      nodes.some(({ op, parents }) => op === "relu" && parents.some((id) => id >= inputs.length)),
    );
    const reader = await witnessOf(
      afterAny,
      caseOf((x) => x.exp().relu()),
    );
    expect([reader.blame.op, reader.blame.part]).toEqual(["relu", "cotangent"]);
    const beforeAny = doubling(({ inputs, nodes }) =>
      nodes.some(({ parents }) => parents.some((id) => nodes[id - inputs.length]?.op === "relu")),
    );
    const operand = await witnessOf(
      beforeAny,
      caseOf((x) => x.relu().exp()),
    );
    expect([operand.blame.op, operand.blame.part]).toEqual(["relu", "cotangent"]);
  });

  test("are not blamed for what any two are wrong about, nor for how two readers are added up", async () => {
    const anyTwo = await witnessOf(
      doubling(({ nodes }) => nodes.length > 1),
      caseOf((x) => x.exp().sin()),
    );
    expect(anyTwo.blame.part).toBe("accumulation");
    const isShared = ({ nodes }: Graph): boolean =>
      nodes.length > 1 && nodes.every(({ parents }) => parents.some((id) => Number(id) === 0));
    const shared = await witnessOf(
      doubling(isShared),
      caseOf((x) => x.exp().multiply(x)),
    );
    expect([shared.blame.op, shared.blame.part]).toEqual([undefined, "accumulation"]);
  });
});

/** Finds the first random case with an operator in it, which asks each mode once. */
function caseWith(op: string): Case {
  for (let index = 0; ; index++) {
    const question = caseAt(tensorProfile, SEED, index);
    const isPlain = question.calls === undefined;
    if (isPlain && question.graph.nodes.some((node) => node.op === op)) return question;
  }
}

/** Each law has a mutant that breaks it, and the first random case on which it does. */
const breaking = new Map<Law["name"], readonly [string, number]>([
  ["repeatability", ["released_after_last_reader", 2]],
  ["linearity", ["cotangents_clipped", 8]],
  ["adjointness", ["activity_of_all_operands", 2]],
  ["order independence", ["cotangents_in_single", 9]],
  ["forward = reverse", ["activity_of_all_operands", 2]],
]);

test.each(
  laws,
)("the law of $name is broken by a mutant, and holds on the interpreter's answers", async (law) => {
  const [name, wrongAt] = present(breaking.get(law.name), "a mutant");
  const mutant = present(
    mutants.find((candidate) => candidate.name === name),
    name,
  );
  expect(await askLaw(mutant.engine(), caseAt(tensorProfile, SEED, wrongAt), "float64", law)).toBe("differs");
  for (let index = 0; index < 300; index++) {
    const question = caseAt(tensorProfile, SEED, index);
    const said = await askLaw(interpreterEngine(), question, "float64", law);
    expect([law.name, index, said]).not.toContain("differs");
  }
});

describe("an engine that lacks a composite", () => {
  test("is sent its expansion, which the witness says and shows", async () => {
    const wrong = doubling(({ nodes }) => nodes.filter(({ op }) => op === "less").length > 1);
    const poor = changed(wrong, {
      describe: () => ({ ...wrong.describe(), operators: [...primitiveNames] }),
    });
    const witness = await judge(
      expanding(poor),
      caseOf((x) => x.abs()),
      {
        dtype: "float64",
        shrinkBudget: 0,
      },
    );
    if (witness.kind !== "disagrees") throw new Error(witness.kind);
    const { sent, blame } = witness.witness;
    expect(sent?.nodes.map(({ op }) => op)).toContain("less");
    expect(blame.sentence).toContain("The engine was sent the expansion of abs.");
    const whole = await witnessOf(
      doubling(() => true),
      caseOf((x) => x.exp()),
    );
    expect(whole.sent).toBe(undefined);
  });
});

describe("a disagreement that a convention of the handshake explains", () => {
  /** Makes an engine that answers by choices of its own, and declares none. */
  const choosing = (choice: Partial<Choice>): Engine => {
    const plain = interpreterEngine();
    const reply = (value: readonly FlatTensor[]): Reply<readonly FlatTensor[]> => ({ kind: "result", value });
    return changed(plain, {
      describe: () => ({ ...plain.describe(), modes: ["evaluate", "vjp"] }),
      load: async (written, dtype) => {
        const loaded = await plain.load(written, dtype);
        if (loaded.kind !== "result") return loaded;
        const vjp: LoadedGraph["vjp"] = async (point, seeds) => {
          const question = { graph: written, point, tangents: point.inputs, seeds };
          const { cotangents } = runReference(question, floats.float64, ({ graph: expanded }, meaning) =>
            withChoices(expanded, meaning, () => ({ ...referenceConventions, ...choice })),
          );
          return reply(
            point.inputs.map(
              ({ shape, data }, id) => cotangents.get(nodeId(id)) ?? { shape, data: data.map(() => 0) },
            ),
          );
        };
        return {
          kind: "result",
          value: {
            ...loaded.value,
            evaluate: (point) => loaded.value.evaluate(point),
            vjp,
            unload: async () => {},
          },
        };
      },
    });
  };
  const atZero = (write: (x: Value) => Value): Case => {
    const question = caseOf(write);
    const inputs = question.point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
    return { ...question, point: { ...question.point, inputs } };
  };

  test.each([
    [{ reluAtZero: "one" }, (x: Value) => x.relu(), "declares reluAtZero: one in"],
    [{ reluAtZero: "half" }, (x: Value) => x.relu(), "declares reluAtZero: half in"],
    [{ maximumAtTie: "split" }, (x: Value) => x.maximum(0), "maximumAtTie: split"],
  ] as const)("says which: %j", async (choice, write, text) => {
    const { blame } = await witnessOf(choosing(choice), atZero(write));
    expect(blame.sentence).toContain(text);
  });

  test("and only then: a slope of 3 is no convention's", async () => {
    const engine = doubling(({ nodes }) => nodes.some(({ op }) => op === "relu"));
    const { blame } = await witnessOf(
      engine,
      caseOf((x) => x.relu()),
    );
    expect(blame.sentence).not.toContain("handshake");
  });
});
