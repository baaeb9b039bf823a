import { describe, expect, it } from "vitest";
import type { DataType, Engine } from "../../engines/index.ts";
import { floatPrograms, judgeProgram, taskAt } from "../../oracle/index.ts";
import { type Mode, type Program, program, statementKinds } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { tensor } from "./asking.test.kit.ts";
import { jaxjsEngine } from "./jaxjs.ts";
import { counting, inModes, taskOf, without } from "./programs.test.kit.ts";
import { tfjsEngine } from "./tfjs.ts";

/** A library in JavaScript, and the random programs that it gets wrong. */
interface Adapted {
  readonly name: string;
  readonly engine: Engine;
  readonly modes: readonly Mode[];
  /** The number of random programs, and the wrong ones, whose faults docs/findings.md lists. */
  readonly programs: number;
  readonly wrong: readonly number[];
}

const adapters: readonly Adapted[] = [
  {
    name: "TensorFlow.js",
    engine: await tfjsEngine(),
    modes: ["evaluate", "vjp", "backward_dense"],
    programs: 60,
    wrong: [],
  },
  {
    name: "jax-js, by grad",
    engine: await jaxjsEngine({ isPaired: true }),
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    programs: 45,
    // Cotangents of a part and of the whole are added twice, and what was overwritten has one.
    wrong: [23, 25, 31, 37, 38],
  },
];

const dtype: DataType = "float32";
/** Disagreements are reported without shrinking. */
const asIs = { dtype, shrinkBudget: 0 } as const;
/** Neither library has a checkpoint. */
const profile = { ...floatPrograms, without: ["checkpoint"] } as const;

describe.each(adapters)("$name runs programs", ({ engine, modes, programs, wrong }) => {
  it("promises all statements but checkpoint, in its modes, and draws what is told", () => {
    expect(engine.programs?.describePrograms()).toEqual({
      statements: statementKinds.filter((kind) => kind !== "checkpoint"),
      aliases: true,
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

  it("disagrees about random programs only by known faults, and fails on none", async () => {
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

/** docs/findings.md says this of jax-js; an upgrade that mends it fails here. */
describe("jax-js", () => {
  it("still gives a cotangent to a value that was written to an element and overwritten", async () => {
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

/** For these reasons the adapter assigns variables only outside of derivatives, and never to themselves. */
describe("TensorFlow.js' variables", async () => {
  const tf = await import("@tensorflow/tfjs");

  it("have a wrong gradient where the differentiated function assigns them", () => {
    const u = tf.variable(tf.tensor([2]));
    const { grads } = tf.variableGrads(() => {
      u.assign(tf.mul(u, u));
      return tf.sum(tf.mul(u, u));
    });
    // The right answer is 32, for u⁴ at 2.
    expect([...(grads[u.name]?.dataSync() ?? [])]).toEqual([8]);
  });

  it("cannot be assigned to themselves", () => {
    const v = tf.tidy(() => tf.variable(tf.tensor([1, 2])));
    expect(() => v.assign(v)).toThrow("Maximum call stack size exceeded");
  });
});

/** This is `total · x`. */
const reading: Program = program(({ input, state }) => [input("x", [2]).multiply(state("total", [2]))]);
