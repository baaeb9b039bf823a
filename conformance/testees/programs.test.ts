import { describe, expect, it } from "vitest";
import type { DataType, Engine } from "../../engines/index.ts";
import { floatPrograms, judgeProgram, type ProgramTask, taskAt } from "../../oracle/index.ts";
import { entryOf, type Mode, nodeId, type Program, program, statementKinds } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { tensor } from "./asking.test.kit.ts";
import { jaxjsEngine } from "./jaxjs.ts";
import { inModes, without } from "./programs.test.kit.ts";
import { tfjsEngine } from "./tfjs.ts";

/** A library in JavaScript, and what of random programs it gets wrong. */
interface Adapted {
  readonly name: string;
  readonly engine: Engine;
  readonly modes: readonly Mode[];
  /** How many random programs it is asked, and those about which it disagrees, whose faults docs/findings.md has. */
  readonly programs: number;
  readonly wrong: readonly number[];
}

const adapters: readonly Adapted[] = [
  {
    name: "TensorFlow.js",
    engine: await tfjsEngine(),
    modes: ["evaluate", "vjp", "backward_dense"],
    programs: 60,
    // A captured tensor is taken for what is varied.
    wrong: [57],
  },
  {
    name: "jax-js, by grad",
    engine: await jaxjsEngine({ isPaired: true }),
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    programs: 45,
    // A division by a rounded reciprocal.
    wrong: [37],
  },
];

const dtype: DataType = "float32";
/** A disagreement is told as it is found. */
const asIs = { dtype, shrinkBudget: 0 } as const;
/** Neither library has a checkpoint. */
const profile = { ...floatPrograms, without: ["checkpoint"] } as const;

describe.each(adapters)("$name runs programs", ({ engine, modes, programs, wrong }) => {
  it("promises all statements but checkpoint, in its modes, and draws what is told", () => {
    expect(engine.programs?.describePrograms()).toEqual({
      statements: statementKinds.filter((kind) => kind !== "checkpoint"),
      draws: "state",
    });
    expect(engine.describe().modes).toEqual(modes);
  });

  it("agrees on a program of every statement that it has", async () => {
    const asked = taskOf(without(everyStatement, ["checkpoint"]));
    expect(await judgeProgram(engine, asked, asIs)).toEqual({ kind: "agrees" });
  });

  it("keeps locations and the generator from call to call, those that nothing was written to among them", async () => {
    const again = { parameters: [tensor([3, 4])], received: new Map(), seeds: [] };
    for (const asked of [counting, reading]) {
      const task = { ...taskOf(asked), calls: [again, again] };
      expect(await judgeProgram(engine, task, asIs)).toEqual({ kind: "agrees" });
    }
  });

  it("disagrees about no random program but by faults that are known, and fails on none", async () => {
    const told: number[] = [];
    const indices = sampled("random programs", [...Array(programs).keys()], programs / 4);
    for (const index of indices) {
      const { kind } = await judgeProgram(engine, taskAt(profile, 1, index), asIs);
      if (kind === "disagrees") told.push(index);
      else expect([index, kind]).not.toEqual([index, expect.stringMatching(/crashed|unsupported/)]);
    }
    expect(told).toEqual(wrong.filter((index) => indices.includes(index)));
  });
});

/** What docs/findings.md says of jax-js: an upgrade that mends it fails here. */
describe("jax-js", () => {
  it("still pulls back to what was written over an element before it was overwritten", async () => {
    const engine = await jaxjsEngine({ isPaired: true });
    const asked = program(({ input, buffer, full, state }) => {
      const x = input("x", [2]);
      state("unread", [2]);
      const b = buffer(full({ shape: [2], value: 0 }));
      b.at(0).write(x.sum({ axes: [0], keepdims: false }));
      b.at(0).write(5);
      return [b];
    });
    expect(await judgeProgram(inModes(engine, ["vjp"]), taskOf(asked), asIs)).toMatchObject({
      kind: "disagrees",
      witness: { mode: "vjp", part: "derivative" },
    });
  });
});

/** Why the adapter writes to variables where nothing is differentiated, and never a variable to itself. */
describe("TensorFlow.js' variables", async () => {
  const tf = await import("@tensorflow/tfjs");

  it("have a wrong gradient where they are assigned within it", () => {
    const u = tf.variable(tf.tensor([2]));
    const { grads } = tf.variableGrads(() => {
      u.assign(tf.mul(u, u));
      return tf.sum(tf.mul(u, u));
    });
    // u⁴ at 2: 32.
    expect([...(grads[u.name]?.dataSync() ?? [])]).toEqual([8]);
  });

  it("cannot be assigned to themselves", () => {
    const v = tf.tidy(() => tf.variable(tf.tensor([1, 2])));
    expect(() => v.assign(v)).toThrow("Maximum call stack size exceeded");
  });
});

/** `total += x; total *= u`, where u is drawn. */
const counting: Program = program(({ input, state, draw }) => {
  const total = state("total", [2]);
  total.update("add", input("x", [2]));
  total.update("multiply", draw({ kind: "uniform" }, [2]));
  return [total];
});

/** `total · x` */
const reading: Program = program(({ input, state }) => [input("x", [2]).multiply(state("total", [2]))]);

/** A program with a parameter x and a location, each of two elements. */
function taskOf(asked: Program): ProgramTask {
  const results = entryOf(asked).results.map((_, place) => ({
    id: nodeId(place),
    cotangent: tensor([1, place + 1]),
  }));
  return {
    case: {
      program: asked,
      point: {
        inputs: [tensor([0.5, 2]), tensor([1, 3])],
        environment: new Map(asked.environment.map(({ name }) => [name, tensor([2, 4])])),
      },
      generator: { key: [5, 6], drawn: 0 },
      received: new Map([["in", [tensor([7, 8])]]]),
      seeds: results,
    },
    calls: [],
  };
}
