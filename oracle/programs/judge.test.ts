import { describe, expect, test } from "vitest";
import {
  type Engine,
  interpreterEngine,
  type LoadedProgram,
  type ProgramAnswer,
  type ProgramCall,
  type ProgramMode,
  type ProgramReply,
  type SessionStart,
} from "../../engines/index.ts";
import {
  entryOf,
  type FlatTensor,
  nodeId,
  type ProgramBuilder,
  type ProgramCase,
  type ProgramOperand,
  pointerOfStatement,
  present,
  program,
  statementsOf,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { countedProgram, noPrograms, programsOn } from "./campaign.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { executingEngine, type Planted } from "./executing_engine.test.kit.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";
import { firstTold } from "./laws.test.kit.ts";
import { plantedMachines } from "./machines.test.data.ts";
import type { ProgramTask, TaskCall } from "./task.ts";

const SEED = 1;

function flat(...data: readonly number[]): FlatTensor {
  return { shape: [data.length], data: Float64Array.from(data) };
}

/** Returns a program at a point, with a seed of ones at each result, called once and once more. */
function taskOf(
  write: (builder: ProgramBuilder) => readonly ProgramOperand[],
  inputs: readonly FlatTensor[],
): ProgramTask {
  const written = program(write);
  const { results, parameters } = entryOf(written);
  const question: ProgramCase = {
    program: written,
    point: { inputs, environment: new Map() },
    generator: { key: [1, 2], drawn: 0 },
    received: new Map(),
    seeds: results.map(({ shape }, place) => ({
      id: nodeId(place),
      cotangent: { shape, data: new Float64Array(shape.reduce((x, y) => x * y, 1)).fill(1) },
    })),
  };
  const again = { parameters: inputs.slice(0, parameters.length), received: new Map(), seeds: [] };
  return { case: question, calls: [again] };
}

function judged(task: ProgramTask, planted: Planted = {}, shrinkBudget = 0): Promise<ProgramVerdict> {
  return judgeProgram(executingEngine(planted), task, { dtype: "float64", shrinkBudget });
}

/** Everything that a call can leave: a draw, something sent, a value retained, a location that is kept. */
const everything = taskOf(
  ({ input, state, draw, send, buffer }) => {
    const x = input("x", [2]);
    const kept = state("kept", [2]);
    const y = x.multiply(x);
    y.retain();
    send("out", y);
    kept.update("add", y);
    const b = buffer(y);
    b.at(0).update("multiply", 3);
    return [b, y.multiply(draw({ kind: "uniform" }, [2]))];
  },
  [flat(1.5, -2), flat(1, 10)],
);

/** Returns an answer with something of it changed, in one mode. */
function changed(
  mode: ProgramMode,
  change: (answer: ProgramAnswer) => Partial<ProgramAnswer>,
): Planted["answer"] {
  return (answer, call) => (call.mode === mode ? { ...answer, ...change(answer) } : answer);
}

const twice = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map((x) => 2 * x) });

describe("judgeProgram", () => {
  test("agrees with the reference, which executes and sweeps, wherever it decides", async () => {
    let counts = noPrograms;
    for await (const { index, verdict } of programsOn(executingEngine(), {
      seed: SEED,
      programs: 60,
      dtype: "float64",
    })) {
      expect([index, verdict.kind]).not.toEqual([index, "disagrees"]);
      counts = countedProgram(counts, verdict);
    }
    expect(counts.agrees).toBeGreaterThan(50);
    expect(counts.agrees + counts.undecided).toBe(60);
  });

  test.each(
    sampled("machines", Object.entries(plantedMachines), 10),
  )("tells of an engine where %s", async (_, machine) => {
    const first = present(firstTold(machine, SEED, 600), "a program that tells");
    const kinds: string[] = [];
    for (let index = first; !kinds.includes("disagrees") && index < first + 60; index++)
      kinds.push((await judged(taskAt(floatPrograms, SEED, index), { machine })).kind);
    expect(kinds.at(-1)).toBe("disagrees");
  });

  test("judges a later call over what the engine left in that mode, though it left something else in another", async () => {
    const task = taskOf(
      ({ input, state }) => {
        const x = input("x", [1]);
        const kept = state("kept", [1]);
        const before = kept.read();
        for (let i = 0; i < 4; i++) kept.update("add", x.multiply(x));
        return [before];
      },
      [flat(0.1), flat(0.3)],
    );
    const moved = (answer: ProgramAnswer, { mode }: { readonly mode: ProgramMode }): ProgramAnswer => ({
      ...answer,
      state: answer.state.map(({ shape, data }) => ({
        shape,
        data: data.map((x) => (mode === "vjp" ? x + 2 ** -54 : x)),
      })),
    });
    expect((await judged(task, { answer: moved })).kind).toBe("agrees");
    const forgets: NonNullable<Planted["answer"]> = (answer, { mode, session }) =>
      session === undefined ? { ...answer, results: [flat(0.34)] } : moved(answer, { mode });
    expect((await judged(task, { answer: forgets })).kind).toBe("disagrees");
  });

  test("shrinks what a tape without a policy gets wrong, and names the write", async () => {
    let told = 0;
    for (let index = 0; told < 3; index++) {
      const task = taskAt(floatPrograms, SEED, index);
      const found = await judged(task, { policy: "none" });
      if (found.kind !== "disagrees") continue;
      told++;
      const verdict = await judged(task, { policy: "none" }, 600);
      if (verdict.kind !== "disagrees") throw new Error("what disagreed agrees");
      const { case: smallest, blame } = verdict.witness;
      expect(statementsOf(smallest.program).length).toBeLessThanOrEqual(10);
      const blamed = statementsOf(smallest.program).find(
        (one) => pointerOfStatement(smallest.program, one) === blame.pointer,
      );
      expect(blamed?.do).toMatch(/^(write|update)/);
    }
  });

  test.each([
    "version",
    "forbid",
  ] as const)("takes a refusal under %s for an answer, and says that there is need", async (policy) => {
    const kinds = new Set<string>();
    for (let index = 0; index < 25; index++) {
      const verdict = await judged(taskAt(floatPrograms, SEED, index), { policy });
      kinds.add(verdict.kind === "refused" ? `refused ${verdict.isNeeded}` : verdict.kind);
    }
    expect([...kinds]).toEqual(expect.arrayContaining(["agrees", "refused true"]));
    expect(kinds).not.toContain("refused false");
    expect(kinds).not.toContain("disagrees");
  });

  test.each([
    ["result", changed("evaluate", ({ results }) => ({ results: results.map(twice) }))],
    ["result", changed("evaluate", ({ results }) => ({ results: results.slice(1) }))],
    [
      "result",
      changed("evaluate", ({ results }) => ({
        results: results.map(({ data }) => ({ shape: [1, 2], data })),
      })),
    ],
    ["state", changed("evaluate", ({ state }) => ({ state: state.map(twice) }))],
    ["state", changed("vjp", ({ state }) => ({ state: state.map(twice) }))],
    ["sent", changed("evaluate", ({ sent }) => ({ sent: [...sent, ...sent] }))],
    [
      "sent",
      changed("evaluate", ({ sent }) => ({
        sent: sent.map(({ value }) => ({ channel: "elsewhere", value })),
      })),
    ],
    ["drawn", changed("evaluate", ({ drawn }) => ({ drawn: drawn + 1 }))],
    ["derivative", changed("vjp", ({ derivative }) => ({ derivative: derivative.map(twice) }))],
    ["derivative", changed("jvp", ({ derivative }) => ({ derivative: derivative.toReversed() }))],
    ["derivative", changed("evaluate", ({ results }) => ({ derivative: results }))],
    ["retained", changed("vjp", ({ retained }) => ({ retained: retained.map(twice) }))],
    ["retained", changed("vjp", () => ({ retained: [] }))],
  ])("tells of a wrong %s", async (part, answer) => {
    expect(await judged(everything)).toEqual({ kind: "agrees" });
    const verdict = await judged(everything, answer && { answer });
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { part, isLater: false } });
  });

  test("judges a later call over what the engine says that the first has left", async () => {
    const forgetful: Planted["answer"] = (answer, call) =>
      call.session === undefined ? { ...answer, state: answer.state.map(() => flat(0, 0)) } : answer;
    const verdict = await judged(everything, { answer: forgetful });
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { part: "state", isLater: true } });
  });

  test("tells nothing where a condition may honestly be decided otherwise, and tells it elsewhere", async () => {
    const branching = (x: number): ProgramTask =>
      taskOf(
        ({ input, if_, buffer }) => {
          const value = input("x", []);
          const b = buffer(value);
          // Zero in exact numbers; for an engine, within rounding of it.
          if_(value.divide(3).add(value.divide(3)).add(value.divide(3)).subtract(1), () =>
            b.update("multiply", 2),
          );
          return [b];
        },
        [{ shape: [], data: Float64Array.of(x) }],
      );
    const wrong = changed("evaluate", ({ results }) => ({ results: results.map(twice) }));
    const near = await judged(branching(1), wrong && { answer: wrong });
    expect(near.kind).toBe("undecided");
    const far = await judged(branching(2), wrong && { answer: wrong });
    expect(far.kind).toBe("disagrees");
  });

  test("is told by a task whether refusing is an answer", async () => {
    const overwriting = taskOf(
      ({ input, buffer }) => {
        const b = buffer(input("x", [2]));
        const square = b.multiply(b);
        b.update("add", 1);
        return [square, b];
      },
      [flat(1, 2)],
    );
    expect(await judged(overwriting, { policy: "version" })).toMatchObject({
      kind: "refused",
      isNeeded: true,
    });
    const never = await judged({ ...overwriting, refuse: "never" }, { policy: "version" });
    expect(never).toMatchObject({ kind: "disagrees", witness: { part: "refusal" } });
    const released = taskOf(
      ({ input, buffer }) => {
        const b = buffer(input("x", [2]));
        b.release();
        return [b.add(1)];
      },
      [flat(1, 2)],
    );
    const must: ProgramTask = { ...released, calls: [], refuse: "must" };
    expect(await judged(must)).toEqual({ kind: "agrees" });
    const reads = answering(executingEngine(), {
      results: [flat(2, 3)],
      state: [],
      sent: [],
      drawn: 0,
      draws: [],
      derivative: [],
      retained: [],
    });
    const verdict = await judgeProgram(reads, must, { dtype: "float64" });
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { part: "refusal", answer: "an answer" } });
  });

  test("goes on after a call that fails, and tells who keeps something of it", async () => {
    const task = taskOf(
      ({ input, state, index }) => {
        const [x, place] = [input("x", [2]), input("place", [])];
        const kept = state("kept", [2]);
        kept.update("add", x);
        kept.at(index(place)).update("multiply", 3);
        return [kept.multiply(x)];
      },
      [flat(1, 2), scalar(0), flat(10, 20)],
    );
    const { seeds } = task.case;
    const call = (place: number): TaskCall => ({
      ...{ parameters: [flat(3, 4), scalar(place)], received: new Map(), seeds },
      ...(place === 2 ? { refuse: "must" as const } : {}),
    });
    const failing: ProgramTask = { ...task, calls: [call(2), call(2), call(1)], refuse: "never" };
    expect(await judged(failing)).toEqual({ kind: "agrees" });
    // The session begins with the second call, where the first has failed.
    const first = {
      ...failing.case,
      point: { ...failing.case.point, inputs: [flat(1, 2), scalar(2), flat(1, 1)] },
    };
    expect(await judged({ case: first, calls: [call(0)], refuse: "must" })).toEqual({ kind: "agrees" });
    const keeps = (failed: Partial<SessionStart>): Engine =>
      changingFailures(executingEngine(), (session) => ({ ...session, ...failed }));
    const asked = (engine: Engine, about = failing): Promise<ProgramVerdict> =>
      judgeProgram(engine, about, { dtype: "float64", shrinkBudget: 0 });
    expect(await asked(keeps({}))).toEqual({ kind: "agrees" });
    // No statement is to blame for what a call that failed has left.
    const blame = { pointer: "", sentence: expect.stringContaining("has failed before") };
    expect(await asked(keeps({ state: [flat(14, 24)] }))).toMatchObject({
      witness: { part: "result", isLater: true, blame },
    });
    expect(await asked(keeps({ generator: { key: [1, 2], drawn: 1 } }))).toMatchObject({
      witness: { part: "drawn", isLater: true, blame },
    });
    expect(await asked(changingFailures(executingEngine(), () => undefined))).toMatchObject({
      witness: {
        ...{
          part: "refusal",
          isLater: true,
          expected: "the answer that it has where no call has failed before",
        },
        blame: { pointer: "" },
      },
    });
    const answers = changingFailures(executingEngine(), (session) => session, "answers");
    expect(await asked(answers)).toMatchObject({
      witness: { part: "refusal", answer: "an answer", blame: { pointer: "/procedures/0/body/2" } },
    });
  });

  test("takes a refusal after a call that failed for an answer, if it comes without that call too", async () => {
    const task = taskOf(
      ({ input, buffer, index }) => {
        const [x, place] = [buffer(input("x", [2])), input("place", [])];
        const square = x.multiply(x);
        x.at(index(place)).update("multiply", 3);
        return [square];
      },
      [flat(1, 2), scalar(0)],
    );
    const call = (place: number): TaskCall => ({
      ...{ parameters: [flat(3, 4), scalar(place)], received: new Map(), seeds: task.case.seeds },
      ...(place === 2 ? { refuse: "must" as const } : {}),
    });
    /** What was compiled for a place is compiled for any as soon as there is another, and then refused. */
    const refusing = (isOther: (places: ReadonlySet<unknown>) => boolean): Engine => {
      let places = new Set<unknown>();
      return through(executingEngine(), async (made, next) => {
        const place = made.parameters[1]?.data[0];
        places = made.session === undefined ? places.add(place) : new Set([place]);
        const isRefused = place !== 2 && made.mode === "vjp" && isOther(places);
        return isRefused ? { kind: "refused", reason: "what the sweep needs was overwritten" } : next(made);
      });
    };
    const asked = (engine: Engine): Promise<ProgramVerdict> =>
      judgeProgram(engine, { ...task, calls: [call(2), call(1)] }, { dtype: "float64", shrinkBudget: 0 });
    expect(await asked(refusing((places) => places.size > 1))).toMatchObject({
      kind: "refused",
      isNeeded: true,
    });
    expect(await asked(refusing((places) => places.has(2)))).toMatchObject({
      kind: "disagrees",
      witness: { part: "refusal", isLater: true },
    });
  });

  test("records no more of a run than could be evaluated", async () => {
    const size = 1500;
    const task = taskOf(
      ({ input, buffer, for_ }) => {
        const a = buffer(input("x", [size]));
        for_(size, (i) => a.at(i).update("multiply", 2));
        return [a];
      },
      [flat(...Array<number>(size).fill(3))],
    );
    expect(await judgeProgram(interpreterEngine(), task, { dtype: "float64" })).toMatchObject({
      kind: "undecided",
      cause: expect.stringMatching(/the values of the run would have more than \d+ elements/),
    });
  });

  test("tells who asks the world again, though what comes first is gone on with", async () => {
    const task = taskOf(
      ({ input, receive }) => [input("x", [2]).multiply(receive("in", [2])), receive("log", [])],
      [flat(1, 2)],
    );
    const received = new Map([
      ["in", [flat(3, 4), flat(5, 6)]],
      ["log", [scalar(7)]],
    ]);
    const asked: ProgramTask = { case: { ...task.case, received }, calls: [] };
    expect(await judged(asked)).toEqual({ kind: "agrees" });
    for (const [channel, times, told] of [
      ["in", 1, '2 values of "in" are consumed'],
      ["in", 3, '4 values of "in" are consumed'],
      ["log", 2, '3 values of "log" are consumed'],
    ] as const) {
      const verdict = await judgeProgram(askingAgain(executingEngine(), channel, times), asked, {
        dtype: "float64",
      });
      expect(verdict).toMatchObject({
        kind: "disagrees",
        witness: { mode: "vjp", part: "received", answer: told, expected: "1" },
      });
    }
  });

  test("holds an engine with its own generator to what it says that it has drawn", async () => {
    const drawing = taskOf(
      ({ input, draw }) => [input("x", [2]).multiply(draw({ kind: "uniform" }, [2]))],
      [flat(3, 5)],
    );
    const own = (draws: (turn: number) => FlatTensor | undefined, results: FlatTensor): Engine => {
      let turn = 0;
      return answering(
        executingEngine(),
        () => {
          const drawn = draws(turn++);
          return {
            results: [results],
            state: [],
            sent: [],
            drawn: 1,
            draws: drawn === undefined ? [] : [drawn],
            derivative: [],
            retained: [],
          };
        },
        "own",
      );
    };
    const alone = { ...drawing, calls: [] };
    const asked = (engine: Engine): Promise<ProgramVerdict> =>
      judgeProgram(engine, alone, { dtype: "float64", shrinkBudget: 0 });
    expect(await asked(own(() => flat(0.5, 0.25), flat(1.5, 1.25)))).toEqual({ kind: "agrees" });
    expect(await asked(own(() => flat(0.5, 0.25), flat(1.5, 2.5)))).toMatchObject({
      witness: { part: "result" },
    });
    expect(await asked(own(() => flat(0.5, 1.25), flat(1.5, 6.25)))).toMatchObject({
      witness: { part: "draw" },
    });
    // A run that draws once must tell of one draw, with the shape that it has.
    for (const [untold, count] of [
      [undefined, 0],
      [flat(0.5), 1],
    ] as const)
      expect(await asked(own(() => untold, flat(1.5, 1.25)))).toMatchObject({
        witness: {
          part: "draw",
          answer: `${count} draws were told`,
          blame: { pointer: "/procedures/0/body/0" },
        },
      });
  });

  test("accuses nobody who adds up the seeds of one value together with what else comes to it", async () => {
    // x comes three times: as is, copied, times 1/1000. 1 + 1/1000 − 1 is 1/1000 but for one rounding.
    const thrice = taskOf(
      ({ input, buffer }) => {
        const x = input("x", [1]);
        return [x, buffer(x), x.multiply(1 / 1000)];
      },
      [flat(2)],
    );
    const seeds = [1, -1, 1].map((x, place) => ({ id: nodeId(place), cotangent: flat(x) }));
    const task: ProgramTask = { case: { ...thrice.case, seeds }, calls: [] };
    const said = (x: number): Planted => ({
      answer: (answer, { mode }) => (mode === "vjp" ? { ...answer, derivative: [flat(x)] } : answer),
    });
    expect(1 + 1 / 1000 - 1).not.toBe(1 / 1000);
    expect(await judged(task, said(1 + 1 / 1000 - 1))).toEqual({ kind: "agrees" });
    expect(await judged(task, said(1 / 1000 + 1e-12))).toMatchObject({
      kind: "disagrees",
      witness: { part: "derivative" },
    });
  });

  test("looks at what was handed out, and asks for the values once more", async () => {
    const task = taskOf(({ input }) => [input("x", [2]).multiply(3)], [flat(1.5, -2)]);
    const before = JSON.stringify([...(task.case.point.inputs[0]?.data ?? [])]);
    const writes: Planted["answer"] = (answer, call) => {
      if (call.mode === "vjp") call.parameters[0]?.data.fill(7);
      return answer;
    };
    const written = await judged(task, { answer: writes });
    expect(written).toMatchObject({
      kind: "disagrees",
      witness: { mode: "vjp", part: "argument", answer: "0x1.cp+2", expected: "0x1.8p+0" },
    });
    expect(JSON.stringify([...(task.case.point.inputs[0]?.data ?? [])])).toBe(before);
    let last = "evaluate";
    const corrupts: Planted["answer"] = (answer, { mode }) => {
      const isCorrupt = last !== "evaluate" && mode === "evaluate";
      last = mode;
      return isCorrupt ? { ...answer, results: answer.results.map(twice) } : answer;
    };
    expect(await judged({ ...task, calls: [] }, { answer: corrupts })).toMatchObject({
      kind: "disagrees",
      witness: { mode: "evaluate", part: "result", isAgain: true },
    });
  });

  test("declines what an engine does not promise", async () => {
    const engine = executingEngine();
    const { programs: _, ...graphsOnly } = engine;
    expect(await judgeProgram(graphsOnly, everything, { dtype: "float64" })).toMatchObject({
      kind: "unsupported",
    });
  });
});

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

/** Makes calls of an engine go through `change`, which knows the session as the last answer left it. */
function through(
  engine: Engine,
  change: (call: ProgramCall, next: LoadedProgram["call"]) => ReturnType<LoadedProgram["call"]>,
): Engine {
  const programs = present(engine.programs, "an engine that runs programs");
  return {
    ...engine,
    programs: {
      ...programs,
      loadProgram: async (...all) => {
        const loaded = await programs.loadProgram(...all);
        if (loaded.kind !== "result") return loaded;
        const { value } = loaded;
        return {
          kind: "result",
          value: { ...value, call: (call) => change(call, (one) => value.call(one)) },
        };
      },
    },
  };
}

/** Makes an engine go on with another session after a call that failed; it has none if that is undefined. */
function changingFailures(
  engine: Engine,
  change: (session: SessionStart) => SessionStart | undefined,
  reply: "fails" | "answers" = "fails",
): Engine {
  let session: SessionStart | undefined;
  let last: ProgramReply<ProgramAnswer> | undefined;
  return through(engine, async (call, next) => {
    const begun = call.session ?? session;
    if (begun === undefined) return { kind: "error", message: "no session" };
    const left = await next({ ...call, session: begun });
    if (left.kind !== "result") {
      session = call.session === undefined ? change(begun) : undefined;
      return reply === "answers" && last !== undefined ? last : left;
    }
    last = left;
    session = { state: left.value.state, generator: { ...begun.generator, drawn: left.value.drawn } };
    return left;
  });
}

/** Makes sweeps of an engine take more from a channel than the run asks for, and hear nothing of it. */
function askingAgain(engine: Engine, channel: string, times: number): Engine {
  return through(engine, async (call, next) => {
    const world = call.received.get(channel) ?? [];
    if (call.mode === "vjp" && world.length < 1 + times)
      return { kind: "error", message: "nothing more comes." };
    return next(call);
  });
}

/** An engine that gives one answer to every call for values, whatever is asked. */
function answering(
  engine: Engine,
  answer: ProgramAnswer | (() => ProgramAnswer),
  draws: "state" | "own" = "state",
): Engine {
  const programs = present(engine.programs, "an engine that runs programs");
  return {
    ...engine,
    describe: () => ({ ...engine.describe(), modes: ["evaluate"] }),
    programs: {
      describePrograms: () => ({ ...programs.describePrograms(), draws }),
      loadProgram: async () => ({
        kind: "result",
        value: {
          call: async () => ({ kind: "result", value: typeof answer === "function" ? answer() : answer }),
          unload: async () => {},
        },
      }),
    },
  };
}
