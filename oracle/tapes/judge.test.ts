import { describe, expect, test } from "vitest";
import {
  type Engine,
  interpreterEngine,
  type OpenTape,
  refused,
  type TapeEngineMutant,
  tapeEngineMutants,
} from "../../engines/index.ts";
import { hasReleased } from "../../spec/contract/index.ts";
import {
  checkTapeCase,
  encodeTapeCase,
  type FlatTensor,
  graph,
  mannersIssues,
  nodeId,
  type TapeCase,
  type TapeStep,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { mix } from "../generate/index.ts";
import type { Verdict } from "../hearing/index.ts";
import { type ScriptProfile, scriptAt } from "./draw.ts";
import { judgeTapes } from "./judge.ts";

const SEED = 18;

const profile: ScriptProfile = {
  drawing: mix,
  operators: interpreterEngine().describe().operators,
  lives: ["once", "until released"],
  hooks: true,
};

/** Returns the verdict of the first random script by which an engine is told, and its number. */
async function toldAt(
  engine: () => Engine,
  scripts: number,
): Promise<readonly [index: number, verdict: Verdict] | undefined> {
  for (let index = 0; index < scripts; index++) {
    const verdict = await judgeTapes(engine(), scriptAt(profile, SEED, index), { dtype: "float64" });
    if (verdict.kind === "disagrees" || verdict.kind === "crashed") return [index, verdict];
  }
  return undefined;
}

const flat = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });

/** exp x · y of two elements. */
const product = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  x.exp().multiply(y);
});

const last = nodeId(3);
const recorded: TapeStep = {
  do: "record",
  tape: "a",
  graph: 0,
  point: { inputs: [flat(0.5, -1), flat(3, 5)], environment: new Map() },
  life: "until released",
  of: [last],
};
const swept = (refuse: "never" | "may" | "must", ...seed: number[]): TapeStep => ({
  do: "sweep",
  tape: "a",
  seeds: [{ id: last, cotangent: flat(...seed) }],
  refuse,
});
const script = (...steps: TapeStep[]): TapeCase => ({ graphs: [product], steps });

/** Returns the interpreter, whose tapes are changed. */
function withTapes(change: (tape: OpenTape) => OpenTape): Engine {
  const engine = interpreterEngine();
  return {
    ...engine,
    load: async (subject, dtype) => {
      const loaded = await engine.load(subject, dtype);
      if (loaded.kind !== "result") return loaded;
      const { value } = loaded;
      return {
        kind: "result",
        value: {
          ...value,
          record: async (...terms) => {
            const tape = await value.record?.(...terms);
            if (tape === undefined) return { kind: "unsupported", reason: "no tapes" };
            return tape.kind === "result" ? { kind: "result", value: change(tape.value) } : tape;
          },
        },
      };
    },
  };
}

describe("random scripts", () => {
  test("are well-formed, the same each time, and have every kind of step and refusal", () => {
    const seen = new Set<string>();
    for (let index = 0; index < 60; index++) {
      const drawn = scriptAt(profile, SEED, index);
      expect(mannersIssues(drawn)).toEqual([]);
      expect(JSON.stringify(encodeTapeCase(scriptAt(profile, SEED, index)))).toBe(
        JSON.stringify(encodeTapeCase(drawn)),
      );
      expect(checkTapeCase(JSON.parse(JSON.stringify(encodeTapeCase(drawn))))).toMatchObject({ ok: true });
      for (const step of drawn.steps) {
        seen.add(step.do);
        if (step.do === "record") seen.add(step.life).add(`hooks ${step.hooks !== undefined}`);
        if (step.do === "sweep") seen.add(step.refuse).add(`together ${step.together === true}`);
      }
      seen.add(`graphs ${drawn.graphs.length}`);
    }
    expect([...seen].sort()).toEqual([
      "graphs 1",
      "graphs 2",
      "hooks false",
      "hooks true",
      "may",
      "must",
      "never",
      "once",
      "record",
      "release",
      "sweep",
      "together false",
      "together true",
      "until released",
    ]);
  });

  test("have nothing against the interpreter", async () => {
    expect(await toldAt(interpreterEngine, 60)).toBeUndefined();
  });

  test.each(sampled("tape engines", tapeEngineMutants, 12))("tell $name: $fault", async ({
    engine,
  }: TapeEngineMutant) => {
    expect(await toldAt(engine, 1000)).toBeDefined();
  });
});

describe("the verdict on a script", () => {
  test("is given by the fewest steps that still show it, with what is to be said of them", async () => {
    const memory = tapeEngineMutants.find(({ name }) => name === "answers_from_memory");
    const question = script(
      recorded,
      { ...recorded, tape: "b" },
      swept("never", 3, 7),
      swept("must", 1, 2, 3),
      swept("never", 5, 11),
      { do: "release", tape: "b" },
    );
    const verdict = await judgeTapes(memory?.engine() ?? interpreterEngine(), question, { dtype: "float64" });
    if (verdict.kind !== "disagrees") return expect.unreachable(verdict.kind);
    const { script: found, blame, question: asked } = verdict.witness;
    expect(asked).toBe("sweep");
    expect(found?.case.steps).toEqual([recorded, swept("never", 3, 7), swept("never", 5, 11)]);
    expect(found?.step).toBe(2);
    expect(blame.sentence).toBe(
      "Step 2, sweep 2 of tape a, is wrong. It is what step 1 owes. Asked by vjp, without a tape, the engine is right.",
    );
  });

  test("names the step where what must be refused is answered, and where what is owed is refused", async () => {
    const loose = withTapes((tape) => ({ ...tape, release: async () => hasReleased }));
    const gone = script(recorded, { do: "release", tape: "a" }, swept("must", 3, 7));
    expect(await judgeTapes(loose, gone, { dtype: "float64" })).toMatchObject({
      kind: "disagrees",
      witness: { expected: "a refusal", script: { step: 2 } },
    });
    const strict = withTapes((tape) => ({
      ...tape,
      sweep: async () =>
        refused({ code: "tape/mood", pointer: "", message: "not today.", hint: "come again" }),
    }));
    expect(
      await judgeTapes(strict, script(recorded, swept("never", 3, 7)), { dtype: "float64" }),
    ).toMatchObject({ kind: "disagrees", witness: { expected: "an answer", script: { step: 1 } } });
  });

  test("takes a refusal or an answer where either will do, but no wrong answer", async () => {
    const once: TapeStep = { ...recorded, life: "once" };
    const question = script(once, swept("never", 3, 7), swept("may", 3, 7));
    const kept = tapeEngineMutants.find(({ name }) => name === "once_answers_again");
    for (const engine of [interpreterEngine(), kept?.engine() ?? interpreterEngine()])
      expect(await judgeTapes(engine, question, { dtype: "float64" })).toEqual({ kind: "agrees" });
    let sweeps = 0;
    const wrong = withTapes((tape) => ({
      ...tape,
      sweep: async (seeds) => {
        sweeps += 1;
        if (sweeps === 1) return tape.sweep(seeds);
        return { kind: "result", value: [flat(0, 0), flat(0, 0)] };
      },
    }));
    const verdict = await judgeTapes(wrong, question, { dtype: "float64", shrinkBudget: 0 });
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { script: { step: 2 } } });
  });

  test("takes a release that fails for what it is, not for a release", async () => {
    const question = script(recorded, swept("never", 3, 7), { do: "release", tape: "a" });
    const failing = (kind: "error" | "unsupported", releases: boolean): Engine => ({
      ...withTapes((tape) => ({
        ...tape,
        release: async () =>
          kind === "error" ? { kind, message: "stuck" } : { kind, reason: "there is no release" },
      })),
      tapes: { lives: ["once", "until released"], releases },
    });
    const asked = (engine: Engine): Promise<Verdict> => judgeTapes(engine, question, { dtype: "float64" });
    expect(await asked(failing("error", true))).toEqual({ kind: "crashed", message: "error: stuck" });
    expect(await asked(failing("unsupported", true))).toMatchObject({ kind: "unsupported" });
    expect(await asked(failing("unsupported", false))).toEqual({ kind: "agrees" });
  });

  test("asks a second sweep for the same bits only of engines that declare so", async () => {
    /** Every second sweep is off by a part of itself. */
    const wavering = (part: number, repeatable: boolean | undefined): Engine => {
      let sweeps = 0;
      const engine = withTapes((tape) => ({
        ...tape,
        sweep: async (seeds) => {
          sweeps += 1;
          const reply = await tape.sweep(seeds);
          if (sweeps % 2 === 1 || reply.kind !== "result") return reply;
          const value = reply.value.map(({ shape, data }) => ({
            shape,
            data: data.map((x) => x * (1 + part)),
          }));
          return { kind: "result", value };
        },
      }));
      const { repeatable: _, ...description } = engine.describe();
      const described = repeatable === undefined ? description : { ...description, repeatable };
      return { ...engine, describe: () => described };
    };
    const twice = script(recorded, swept("never", 3, 7), swept("never", 3, 7));
    const kind = async (engine: Engine): Promise<string> =>
      (await judgeTapes(engine, twice, { dtype: "float64", shrinkBudget: 0 })).kind;
    expect(await kind(wavering(2 ** -52, undefined))).toBe("agrees");
    expect(await kind(wavering(2 ** -52, false))).toBe("agrees");
    expect(await kind(wavering(2 ** -52, true))).toBe("disagrees");
    expect(await kind(wavering(1e-12, undefined))).toBe("disagrees");
  });

  test("takes an error for a refusal only where nothing but a refusal is right", async () => {
    const failing = withTapes((tape) => ({
      ...tape,
      sweep: async (seeds) => {
        const reply = await tape.sweep(seeds);
        return reply.kind === "refused" ? { kind: "error", message: reply.reason } : reply;
      },
    }));
    const released = script(recorded, { do: "release", tape: "a" }, swept("must", 3, 7));
    expect(await judgeTapes(failing, released, { dtype: "float64" })).toEqual({ kind: "agrees" });
    const once: TapeStep = { ...recorded, life: "once" };
    const twice = script(once, swept("never", 3, 7), swept("may", 3, 7));
    expect(await judgeTapes(failing, twice, { dtype: "float64" })).toMatchObject({
      kind: "crashed",
      message: expect.stringContaining("error: step 2: "),
    });
  });

  const hooked: TapeStep = { ...recorded, hooks: [nodeId(0), nodeId(2), last] };
  const mutantNamed = (name: string): Engine =>
    tapeEngineMutants.find((mutant) => mutant.name === name)?.engine() ?? interpreterEngine();

  test.each([
    ["not_called_again", 3, "no call", "0x1.4p+2", "No call stands for zero."],
    ["called_twice_in_a_second_sweep", 3, "2 calls", "one call", "A sweep calls the hook of an id once."],
    ["handed_the_first_cotangent", 3, "0x1.8p+1", "0x1.4p+2", "It is what step 1 owes."],
    ["handed_anothers_cotangent", 2, "0x1.8p+1", "0x1.2p+3", "It is the cotangent of id 3."],
    ["called_first_to_last", 2, "before the hook of 3", "after the hook of 3", "has to be complete first."],
  ] as const)("tells what is wrong with hooks that are %s", async (name, id, answer, expected, remark) => {
    const question = script(hooked, swept("never", 3, 7), swept("never", 5, 11));
    const verdict = await judgeTapes(mutantNamed(name), question, { dtype: "float64" });
    if (verdict.kind !== "disagrees") return expect.unreachable(verdict.kind);
    const { witness } = verdict;
    expect([witness.question, witness.id, witness.answer, witness.expected]).toEqual([
      "hook",
      id,
      answer,
      expected,
    ]);
    expect(witness.blame.sentence).toContain(`does not call the hook of id ${id} as it should. `);
    expect(witness.blame.sentence).toContain(remark);
    const [first] = witness.script?.case.steps ?? [];
    expect(first?.do === "record" && (first.hooks?.length ?? 0)).toBeLessThan(3);
  });

  test("has it that no hook is called in a sweep that is refused for its seeds, nor where none hangs", async () => {
    const question = script(hooked, swept("must", 3, 7, 11));
    expect(
      await judgeTapes(mutantNamed("called_although_refused"), question, { dtype: "float64" }),
    ).toMatchObject({
      kind: "disagrees",
      witness: { question: "hook", answer: "a call", expected: "no call", script: { step: 1 } },
    });
    const elsewhere: TapeStep = { ...recorded, hooks: [nodeId(1)] };
    const chatty = withTapes((tape) => ({
      ...tape,
      sweep: (seeds, hook) => tape.sweep(seeds, hook && ((_, cotangent) => hook(nodeId(2), cotangent))),
    }));
    expect(
      await judgeTapes(chatty, script(elsewhere, swept("never", 3, 7)), { dtype: "float64" }),
    ).toMatchObject({
      kind: "disagrees",
      witness: { question: "hook", id: 2, answer: "a call", expected: "no call" },
    });
  });

  test("leaves hooks alone where no input moves their value, and where a spent tape had begun", async () => {
    const constants = graph(({ input, full }) => input("x", [2]).multiply(full({ shape: [2], value: 3 })));
    const on = (hooks: readonly number[]): TapeCase => ({
      graphs: [constants],
      steps: [
        {
          ...recorded,
          point: { inputs: [flat(1, 2)], environment: new Map() },
          of: [nodeId(2)],
          hooks: hooks.map(nodeId),
        },
        { do: "sweep", tape: "a", seeds: [{ id: nodeId(2), cotangent: flat(3, 7) }], refuse: "never" },
      ],
    });
    const deaf = withTapes((tape) => ({ ...tape, sweep: (seeds) => tape.sweep(seeds) }));
    expect((await judgeTapes(deaf, on([1]), { dtype: "float64" })).kind).toBe("agrees");
    expect((await judgeTapes(deaf, on([2]), { dtype: "float64" })).kind).toBe("disagrees");
    const question = script({ ...hooked, life: "once" }, swept("never", 3, 7), swept("must", 3, 7));
    const eager = mutantNamed("called_although_refused");
    expect(await judgeTapes(eager, question, { dtype: "float64" })).toEqual({ kind: "agrees" });
  });

  test("declines what cannot be asked, and never passes it", async () => {
    const engine = interpreterEngine();
    const question = script(recorded, { do: "release", tape: "a" }, swept("must", 3, 7));
    const { tapes: _, ...without } = engine;
    const asked = (other: Engine): Promise<Verdict> => judgeTapes(other, question, { dtype: "float64" });
    expect(await asked(without)).toEqual({ kind: "unsupported", reason: "the engine has no tapes" });
    expect(await asked({ ...engine, tapes: { lives: ["once"], releases: true } })).toEqual({
      kind: "unsupported",
      reason: "the engine has no tapes that can be swept until released",
    });
    expect(await asked({ ...engine, tapes: { lives: ["until released"], releases: false } })).toEqual({
      kind: "unsupported",
      reason: "the engine forgets a tape that is released, and nobody can sweep it",
    });
    const hookless: Engine = { ...engine, tapes: { lives: ["once", "until released"], releases: true } };
    expect(await judgeTapes(hookless, script(hooked, swept("never", 3, 7)), { dtype: "float64" })).toEqual({
      kind: "unsupported",
      reason: "the engine has no hooks",
    });
    const unrecorded = {
      ...engine,
      load: async () => ({ kind: "unsupported", reason: "no float64" }) as const,
    };
    expect(await asked(unrecorded)).toEqual({ kind: "unsupported", reason: "no float64" });
  });

  test("is that of a crash where the engine breaks in a sweep", async () => {
    const broken = withTapes((tape) => ({
      ...tape,
      sweep: async () => ({ kind: "crashed", message: "gone" }),
    }));
    expect(await judgeTapes(broken, script(recorded, swept("never", 3, 7)), { dtype: "float64" })).toEqual({
      kind: "crashed",
      message: "gone",
    });
  });
});
