import { afterAll, describe, expect, test } from "vitest";
import { largerIsAbove } from "../obligations.test.kit.ts";
import { goalScript, type Script } from "../script.ts";
import type { Limits, Solver } from "./solver.ts";
import { threadSolver, z3 } from "./z3.ts";

const plenty: Limits = { rlimit: 1_000_000, timeout: 60_000 };

/** It asks for a sum of two cubes that is a cube, which nobody finds soon. */
const cubes = scriptOf(
  "(declare-const a Int)(declare-const b Int)(declare-const c Int)(assert (! (and (> a 0) (> b 0) (> c 0)) :named positive))",
  "(not (= (+ (* a a a) (* b b b)) (* c c c)))",
  "QF_NIA",
);

function scriptOf(declarations: string, goal: string, logic = "QF_LIA"): Script {
  return goalScript({ ...largerIsAbove, declarations, goal, logic });
}

describe("Z3 in a thread", () => {
  const solver = z3();
  afterAll(() => solver[Symbol.asyncDispose]());

  async function kindOf(script: Script, limits: Limits = plenty): Promise<string> {
    return (await solver.ask({ script, limits, seed: 0 })).answer.kind;
  }

  test("proves what holds and refutes what does not", async () => {
    expect(await kindOf(scriptOf("(declare-const x Int)", "(= x x)"))).toBe("proved");
    const { answer } = await solver.ask({
      script: scriptOf("(declare-const x Int)", "(< x 3)"),
      limits: plenty,
      seed: 0,
    });
    expect(answer).toMatchObject({ kind: "refuted" });
    if (answer.kind === "refuted") expect(Number(answer.model.get("x"))).toBeGreaterThanOrEqual(3);
  });

  test("tells what ran out: its budget, or the time", async () => {
    expect(await kindOf(cubes, { rlimit: 50_000, timeout: 60_000 })).toBe("resource");
    expect(await kindOf(cubes, { rlimit: 2_000_000_000, timeout: 100 })).toBe("timeout");
  });

  test("calls what it cannot read crashed, and answers the next question", async () => {
    expect(await kindOf(scriptOf("(declare-const x Int)", "(= x y)"))).toBe("crashed");
    expect(await kindOf(scriptOf("(declare-const x Int", "(= x x)"))).toBe("crashed");
    expect(await kindOf(scriptOf("(declare-const x Int)(check-sat)", "(= x x)"))).toBe("crashed");
    expect(await kindOf(scriptOf("(declare-const x Int)", "(= x x)"))).toBe("proved");
  });

  test.each([
    [
      "its search in linear arithmetic, by products of integers",
      scriptOf(
        "(declare-const i Int)(declare-const j Int)(declare-const m Int)(declare-const n Int)",
        "(=> (and (<= 0 i) (< i m) (<= 0 j) (< j n)) (< (+ (* i n) j) (* m n)))",
        "QF_NIA",
      ),
    ],
    [
      "its search for bits",
      scriptOf(
        "(declare-const a (_ BitVec 24))(declare-const b (_ BitVec 24))",
        "(=> (and (bvslt a #x010000) (bvslt #x000000 a) (bvslt b #x010000) (bvslt #x000000 b)) (bvslt #x000000 (bvadd a b (bvmul a #x000003))))",
        "QF_BV",
      ),
    ],
  ])("takes a seed in %s: the same answer, found in another way", async (_, script) => {
    const replies = [];
    for (const seed of [0, 1, 2, 3, 0]) replies.push(await solver.ask({ script, limits: plenty, seed }));
    expect(replies.map(({ answer }) => answer.kind)).toEqual(replies.map(() => "proved"));
    const spent = replies.map((reply) => reply.spent);
    expect(new Set(spent.slice(0, 4)).size).toBeGreaterThan(1);
    expect(spent[4]).toBe(spent[0]);
  });

  test("keeps no option of an earlier script", async () => {
    const starving = scriptOf("(set-option :rlimit 1)(declare-const x Int)", "(= x x)");
    await kindOf(starving);
    expect(await kindOf(largerScript)).toBe("proved");
  });

  test("answers questions asked at the same time, each its own", async () => {
    const goals = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? `(< x ${n})` : `(or (< x ${n}) (>= x ${n}))`,
    );
    const kinds = await Promise.all(goals.map((goal) => kindOf(scriptOf("(declare-const x Int)", goal))));
    expect(kinds).toEqual(goals.map((_, n) => (n % 2 === 0 ? "refuted" : "proved")));
  });

  test("answers a group's questions in one context as if each had its own", async () => {
    const group = (declarations: string, goal: string, logic?: string): Script => ({
      ...scriptOf(declarations, goal, logic),
      group: "one",
    });
    const replies = [];
    for (const script of [
      group("(declare-const x Int)", "(= x x)"),
      // It is another x now, of which nothing was assumed.
      group("(declare-const x Bool)", "x"),
      group("(declare-const x Int)", "(< x 3)"),
      group("(declare-const x Int)", "(not (= x 5))"),
      group("(declare-const x Real)", "(= (* x x) (- 1.0))", "QF_NRA"),
      // The first steps are spent in the group's context, all others in its own.
      { ...cubes, group: "other" },
      group("(declare-const x Int)", "(= x x)"),
      // Nothing that is wrong spoils what follows.
      group("(declare-const x Int)", "(= x y)"),
      group("(declare-const x Int)", "(= x x)"),
      group("(declare-const x Int)", "(= x x)", "QF_NONE"),
    ])
      replies.push(await solver.ask({ script, limits: { rlimit: 50_000, timeout: 60_000 }, seed: 0 }));
    expect(replies.map(({ answer }) => answer.kind)).toEqual([
      "proved",
      "refuted",
      "refuted",
      "refuted",
      "refuted",
      "resource",
      "proved",
      "crashed",
      "proved",
      "crashed",
    ]);
    expect(replies[3]?.answer).toMatchObject({ model: new Map([["x", "5"]]) });
  });

  const largerScript = goalScript(largerIsAbove);
});

const ready = "parentPort.postMessage({ kind: 'ready' });";

/** Starts a thread that runs these lines, behind a solver with little patience. */
function hostile(lines: string): Solver {
  const code = `import { parentPort } from "node:worker_threads"; ${lines}`;
  const thread = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return threadSolver({ name: "hostile", thread });
}

describe("a hostile thread", () => {
  const script = goalScript(largerIsAbove);
  /** The time is short for threads that never answer; the others are waited for on any machine. */
  const limitsOf = (kind: string): Limits => ({ rlimit: 1_000, timeout: kind === "timeout" ? 50 : 60_000 });

  test.each([
    ["never answers", `${ready} parentPort.on('message', () => {});`, "timeout"],
    ["never lets go of its core", `${ready} parentPort.on('message', () => { for (;;); });`, "timeout"],
    ["dies of a question", `${ready} parentPort.on('message', () => process.exit(3));`, "crashed"],
    ["throws", `${ready} parentPort.on('message', () => { throw new Error("no"); });`, "crashed"],
    ["does not start", "throw new Error('no Z3');", "crashed"],
    ["ends before it starts", "process.exit(0);", "crashed"],
    ["says garbage", `${ready} parentPort.on('message', () => parentPort.postMessage("unsat"));`, "crashed"],
    [
      "says nothing in the right form",
      `${ready} parentPort.on('message', () => parentPort.postMessage({ kind: 'printed' }));`,
      "crashed",
    ],
    [
      "prints garbage",
      `${ready} parentPort.on('message', () => parentPort.postMessage({ kind: 'printed', printed: { verdict: 'unsat', evidence: 'all is well', reason: '' } }));`,
      "crashed",
    ],
  ])("that %s costs one answer each time it is asked", async (_, lines, kind) => {
    await using solver = hostile(lines);
    for (let time = 0; time < 2; time += 1)
      expect((await solver.ask({ script, limits: limitsOf(kind), seed: 0 })).answer.kind).toBe(kind);
  });

  test("that dies of its first question is replaced by one that answers", async () => {
    // A thread's memory dies with it, so the question itself says what to do.
    await using solver = hostile(
      `${ready} parentPort.on('message', ({ seed }) => seed === 0 ? process.exit(1) : parentPort.postMessage({ kind: 'printed', printed: { verdict: 'unsat', evidence: '(a)', reason: '' } }));`,
    );
    expect((await solver.ask({ script, limits: plenty, seed: 0 })).answer.kind).toBe("crashed");
    expect((await solver.ask({ script, limits: plenty, seed: 1 })).answer).toEqual({
      kind: "proved",
      core: ["a"],
    });
  });
});
