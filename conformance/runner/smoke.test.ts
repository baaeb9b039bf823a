import process from "node:process";
import { describe, expect, it } from "vitest";
import {
  type Engine,
  estimateMutants,
  estimating,
  interpreterEngine,
  type LoadedGraph,
  type Reply,
  tapeEngineMutants,
} from "../../engines/index.ts";
import { type FlatTensor, operatorNames, type Point } from "../../spec/index.ts";
import { beyondLimits } from "../../spec/promises/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Limits } from "../../spec/wire/index.ts";
import type { Command } from "./process.ts";
import { estimateSteps } from "./smoke/estimates.ts";
import { failed } from "./smoke/step.ts";
import { tapeSteps } from "./smoke/tapes.ts";
import { causeOf, engineFaults, type SmokeStep, smoke, smokeSteps } from "./smoke.ts";

type Answer = Reply<readonly FlatTensor[]>;

/** Returns the interpreter, with `distort` between it and its questioner. */
function distorted(distort: (program: LoadedGraph, load: number) => Partial<LoadedGraph>): Engine {
  const engine = interpreterEngine();
  let loads = 0;
  return {
    describe: () => engine.describe(),
    async load(graph, dtype) {
      const loaded = await engine.load(graph, dtype);
      loads += 1;
      return loaded.kind === "result"
        ? { kind: "result", value: { ...loaded.value, ...distort(loaded.value, loads) } }
        : loaded;
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Changes every number of a result. */
async function mapped(reply: Promise<Answer>, change: (x: number) => number): Promise<Answer> {
  const answer = await reply;
  if (answer.kind !== "result") return answer;
  return {
    kind: "result",
    value: answer.value.map(({ shape, data }) => ({ shape, data: data.map(change) })),
  };
}

async function stepsOf(engine: Engine): Promise<SmokeStep[]> {
  const steps: SmokeStep[] = [];
  for await (const step of smokeSteps(engine)) steps.push(step);
  return steps;
}

async function failuresOf(engine: Engine): Promise<string[]> {
  const steps = await stepsOf(engine);
  return steps.filter(({ outcome }) => outcome.kind === "failed").map(({ name }) => name);
}

function testee(path: string, ...words: readonly string[]): Command {
  return { argv: [process.execPath, new URL(path, import.meta.url).pathname, ...words] };
}

describe("smokeSteps", () => {
  it("finds every step of the interpreter passed, for every operator, precision and mode", async () => {
    const steps = await stepsOf(interpreterEngine());
    expect(steps.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    const modes = ["evaluate", "jvp", "vjp", "backward_dense"];
    const names = operatorNames.flatMap((op) => modes.map((mode) => `${op} float32 ${mode}`));
    expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it("fails every operator of an engine whose numbers are one too large", async () => {
    const failures = await failuresOf(
      distorted((program) => ({
        vjp: (point, seeds) => mapped(program.vjp(point, seeds), (x) => x + 1),
      })),
    );
    expect(failures.filter((name) => !name.includes(" with "))).toEqual(
      ["float64", "float32"].flatMap((dtype) => operatorNames.map((op) => `${op} ${dtype} vjp`)),
    );
    expect(failures).toContain("conv float64 vjp with one-sided padding");
  });

  it("tells an engine's wrong slope from an adapter that hands out something else", async () => {
    const engine = interpreterEngine();
    /** asin′ = 0, as an engine has it that lacks the rule; its value is right. */
    const sloped: Engine = {
      ...engine,
      async load(graph, dtype) {
        const loaded = await engine.load(graph, dtype);
        if (loaded.kind !== "result" || graph.nodes[0]?.op !== "asin") return loaded;
        const { value: program } = loaded;
        return {
          kind: "result",
          value: { ...program, vjp: (point, seeds) => mapped(program.vjp(point, seeds), () => 0) },
        };
      },
    };
    const ofEngine = engineFaults(await stepsOf(sloped));
    expect(ofEngine.map(({ name }) => name)).toEqual(["asin float64 vjp", "asin float32 vjp"]);
    const ofAdapter = distorted((program) => ({
      vjp: (point, seeds) => mapped(program.vjp(point, seeds), () => 0),
    }));
    expect(engineFaults(await stepsOf(ofAdapter))).toEqual([]);
    const short = distorted(() => ({ vjp: async () => ({ kind: "result", value: [] }) }));
    expect(engineFaults(await stepsOf(short))).toEqual([]);
    const unpromised: Engine = { ...sloped, describe: () => ({ ...engine.describe(), modes: ["vjp"] }) };
    expect(engineFaults(await stepsOf(unpromised))).toEqual([]);
  });

  it("asks what is promised in part within it, and nothing beyond", async () => {
    const limits: Limits = {
      every: { extents: { least: 1 }, ranks: { greatest: 4 } },
      conv: { padding: { form: "symmetric" }, groups: { among: [1] } },
      gelu: { approximate: { among: ["none"] } },
      softmax: { axis: { form: "last" } },
      var: { correction: { form: "integer" } },
      pad: { interior: { among: [0] } },
      sum: { keepdims: { among: [true] } },
      solve: { ranks: { greatest: 1 } },
    };
    const engine = interpreterEngine();
    const partial: Engine = {
      ...engine,
      describe: () => ({ ...engine.describe(), dtypes: ["float64"], limits }),
      load: async (graph, dtype) => {
        const beyond = beyondLimits({ limits }, graph);
        return beyond === undefined ? engine.load(graph, dtype) : { kind: "error", message: beyond };
      },
      [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    };
    const steps = await stepsOf(partial);
    const notPassed = steps.filter(({ outcome }) => outcome.kind !== "passed");
    const empty = "an empty tensor is a tensor";
    expect(notPassed.filter(({ name }) => name !== empty)).toEqual([
      { name: "solve float64", outcome: { kind: "skipped", reason: "no example is within its limits" } },
    ]);
    const names = steps.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["conv float64 vjp", "conv float64 vjp with dilation"]));
    expect(names.filter((name) => /^(conv|softmax|var) .*(padding|groups|first|½)/.test(name))).toEqual([]);
  });

  it("tells a correction that is cut to an integer, and how to declare it", async () => {
    const engine = interpreterEngine();
    /** Reads ddof as an integer, as an adapter does that writes int(correction). */
    const cut: Engine = {
      ...engine,
      describe: () => ({ ...engine.describe(), dtypes: ["float64"], operators: ["var"] }),
      load: (graph, dtype) => {
        const nodes = graph.nodes.map((node) =>
          node.op === "var"
            ? {
                ...node,
                attributes: { ...node.attributes, correction: Math.floor(node.attributes.correction) },
              }
            : node,
        );
        return engine.load({ ...graph, nodes }, dtype);
      },
      [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    };
    const failures = (await stepsOf(cut)).filter(({ outcome }) => outcome.kind === "failed");
    expect(failures.map(({ name }) => name)).toEqual(
      ["evaluate", "jvp", "vjp", "backward_dense"].map(
        (mode) => `var float64 ${mode} with a correction of ½`,
      ),
    );
    expect(failures[0]?.outcome).toMatchObject({
      hint: expect.stringContaining('"limits":{"var":{"correction":{"form":"integer"}}}'),
    });
  });

  it("finds one cause of what is said of many operators, and none of wrong numbers", async () => {
    const lazy = distorted(() => ({
      jvp: async () => ({ kind: "error", message: "AttributeError: 'Variable' has no attribute 'tangent'" }),
    }));
    const causes = (await stepsOf(lazy)).map(causeOf).filter((cause) => cause !== undefined);
    expect(causes.length).toBeGreaterThan(200);
    expect(new Set(causes).size).toBe(1);
    const wrong = distorted((program) => ({
      jvp: (...asked) => mapped(program.jvp(...asked), (x) => x + 1),
    }));
    expect((await stepsOf(wrong)).map(causeOf).filter((cause) => cause !== undefined)).toEqual([]);
    const step = (op: "sin" | "cos", id: number): SmokeStep => ({
      name: op,
      subject: { op, dtype: "float64", mode: "vjp" },
      outcome: failed(`request ${id} (vjp of program ${id}): no rule of ${op}`, ""),
    });
    expect(causeOf(step("sin", 3))).toBe(causeOf(step("cos", 77)));
  });

  it("notices the mean where the sum was asked for, and nothing else", async () => {
    const engine = interpreterEngine();
    const means: Engine = {
      ...engine,
      async load(graph, dtype) {
        const loaded = await engine.load(graph, dtype);
        if (loaded.kind !== "result" || graph.nodes[0]?.op !== "sum") return loaded;
        const { value: program } = loaded;
        const evaluate = (point: Point) => mapped(program.evaluate(point), (x) => x / 3);
        return { kind: "result", value: { ...program, evaluate } };
      },
    };
    expect(await failuresOf(means)).toEqual(["sum float64 evaluate", "sum float32 evaluate"]);
  });

  const rude: Readonly<Record<string, () => Engine>> = {
    "special numbers survive the way there and back": () =>
      distorted((program) => ({ evaluate: (point) => mapped(program.evaluate(point), (x) => x + 0) })),
    "the same question gets the same answer": () => {
      let asked = 0;
      const noise = (x: number): number => x + 1e-9 * asked++;
      return distorted((program) => ({ evaluate: (point) => mapped(program.evaluate(point), noise) }));
    },
    "two programs are kept apart": () => {
      let last = 0;
      return distorted((program, load) => {
        last = load;
        return {
          evaluate: (point) =>
            last === load
              ? program.evaluate(point)
              : Promise.resolve({ kind: "error", message: "another program was loaded" }),
        };
      });
    },
    "questions asked at once are all answered": () => {
      let isBusy = false;
      return distorted((program) => ({
        async evaluate(point) {
          if (isBusy) return { kind: "error", message: "busy" };
          isBusy = true;
          const reply = await program.evaluate(point);
          isBusy = false;
          return reply;
        },
      }));
    },
    "a graph can be unloaded and loaded again": () => {
      let unloaded = 0;
      return distorted((program, load) => ({
        // What was unloaded last takes what is loaded next with it.
        evaluate: (point) =>
          unloaded > 0 && load === unloaded + 1
            ? Promise.resolve({ kind: "error", message: "freed already" })
            : program.evaluate(point),
        async unload() {
          unloaded = load;
        },
      }));
    },
    "an empty tensor is a tensor": () =>
      distorted((program) => ({
        evaluate: (point) =>
          point.inputs[0]?.data.length === 0
            ? Promise.resolve({ kind: "error", message: "cannot take the maximum of nothing" })
            : program.evaluate(point),
      })),
    "a wrong question is answered with an error, and the next with an answer": () =>
      distorted((program) => ({
        async evaluate(point) {
          const reply = await program.evaluate(point);
          return reply.kind === "error" ? { kind: "result", value: [] } : reply;
        },
      })),
  };

  it.for(sampled("rude", Object.entries(rude), 3))("fails an engine where it does not hold that %s", async ([
    name,
    engine,
  ]) => {
    expect(await failuresOf(engine())).toContain(name);
  });
});

describe("the steps of tapes", () => {
  const rude = [
    ["cotangents_share_a_buffer", "is swept, and answers the cotangents of the inputs"],
    ["recording_overwrites", "keeps to the point that it was recorded at"],
    ["wrong_shape_is_taken", "is as it was after a sweep that was refused"],
    ["refusal_releases", "is as it was after a sweep that was refused"],
    ["foreign_seed_is_dropped", "refuses a seed at an id that it was not recorded for"],
    ["answers_from_memory", "is swept again as its life says"],
    ["until_released_answers_once", "is swept again as its life says"],
    ["once_answers_again", "is swept again as its life says"],
    ["released_tape_answers", "is released, and refuses"],
    ["own_seed_left_out", "calls each hook once in a sweep, with the cotangent"],
  ] as const;

  it.for(sampled("rude tapes", rude, 4))("fail %s: a tape %s", async ([name, step]) => {
    const mutant = tapeEngineMutants.find((candidate) => candidate.name === name);
    const failed: string[] = [];
    for await (const { name: told, outcome } of tapeSteps(mutant?.engine() ?? interpreterEngine()))
      if (outcome.kind === "failed") failed.push(told);
    expect(
      failed.map((told) => told.replace(/^a tape that can be swept (once|until released) /, "")),
    ).toContain(step);
  });

  it("are none of an engine that promises no tapes, and all passed of the interpreter", async () => {
    const { tapes: _, ...without } = interpreterEngine();
    const outcomes: string[] = [];
    for await (const { outcome } of tapeSteps(without)) outcomes.push(outcome.kind);
    expect(outcomes).toEqual([]);
    for await (const { outcome } of tapeSteps(interpreterEngine())) outcomes.push(outcome.kind);
    expect(outcomes).toEqual(Array(14).fill("passed"));
  });
});

describe("the steps of forward gradients", () => {
  it.for([
    ["one_seed", "along directions that are rademacher"],
    ["uniform", "along directions that are rademacher"],
    ["direction_squared", "along a given direction"],
  ] as const)("fail %s: %s", async ([name, step]) => {
    const mutant = estimateMutants.find((candidate) => candidate.name === name);
    const failed: string[] = [];
    for await (const { name: told, outcome } of estimateSteps(estimating(interpreterEngine(), mutant?.parts)))
      if (outcome.kind === "failed") failed.push(told);
    expect(failed).toContain(`a forward gradient ${step}`);
  });

  it("are none of an engine that promises none, and all passed of the interpreter", async () => {
    const { estimates: _, ...without } = interpreterEngine();
    const outcomes: string[] = [];
    for await (const { outcome } of estimateSteps(without)) outcomes.push(outcome.kind);
    expect(outcomes).toEqual([]);
    for await (const { outcome } of estimateSteps(interpreterEngine())) outcomes.push(outcome.kind);
    expect(outcomes).toEqual(["passed", "passed", "passed"]);
  });
});

describe("smoke", { concurrent: true }, () => {
  it("passes the interpreter through the pipe, and hears of every step", async ({ expect }) => {
    const heard: string[] = [];
    const report = await smoke(testee("../testees/interpreter.ts"), {}, ({ name }) => heard.push(name));
    expect(report.steps.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    expect(report.isFine).toBe(true);
    expect(heard).toEqual(report.steps.map(({ name }) => name));
  });

  it("takes an engine of one operator for fine, and says what it does not have", async ({ expect }) => {
    const report = await smoke(testee("hostile/engines.ts", "honest"));
    const notPassed = report.steps.filter(({ outcome }) => outcome.kind !== "passed");
    expect(notPassed.map(({ name, outcome }) => [name, outcome.kind])).toEqual([
      ["has all operators", "skipped"],
      ["statement let float64", "skipped"],
      ["a session goes on where the last call left it, float64", "skipped"],
      ["a tape that can be swept until released can be tried", "skipped"],
    ]);
    expect(report.isFine).toBe(true);
  });

  it.for([
    ["prints_a_banner", "starts and introduces itself", /Welcome to Honest/],
    ["breaks_its_promises", "negative float64 vjp", /declined, though promised: not today/],
    ["always_exits", "negative float64 evaluate", /exited with code 1/],
    ["never_exits", "says nothing else, and exits when its input ends", /did not exit/],
  ] as const)("says of an engine that %s that it fails: %s", async ([name, step, why], { expect }) => {
    // Only who never exits is waited for in vain.
    const limits = name === "never_exits" ? { exitMilliseconds: 200 } : {};
    const report = await smoke(testee("hostile/engines.ts", name), limits);
    const found = report.steps.find((candidate) => candidate.name === step);
    expect(found?.outcome).toMatchObject({ kind: "failed", message: expect.stringMatching(why) });
    expect(report.isFine).toBe(false);
  });
});
