import { expect, test } from "vitest";
import {
  type Description,
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  type Mode,
  type Reply,
} from "../../engines/index.ts";
import type { FlatTensor } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { searchedCase } from "../generate/index.ts";
import { ask, type Law } from "../hearing/ask.ts";
import { askLaw } from "./alone.ts";
import { linearity } from "./linearity.ts";
import { orderIndependence } from "./order_independence.ts";
import { repeatability } from "./repeatability.ts";

type Answer = Reply<readonly FlatTensor[]>;

/** A planted engine distorts a sound answer, depending on the program's count of calls and the mode. */
type Distortion = (answer: Answer, call: number, mode: Mode) => Answer;

/** Distorts the interpreter's answers; `plant` is called for each engine, and its result for each load. */
function distorted(plant: () => () => Distortion): Engine {
  const [inner, loading] = [interpreterEngine(), plant()];
  return {
    describe: () => inner.describe(),
    async load(graph, dtype) {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const [program, distort] = [loaded.value, loading()];
      const calls = new Map<Mode, number>();
      const pass = async (mode: Mode, answer: Promise<Answer>): Promise<Answer> => {
        const call = (calls.get(mode) ?? 0) + 1;
        calls.set(mode, call);
        return distort(await answer, call, mode);
      };
      const value: LoadedGraph = {
        evaluate: (point) => pass("evaluate", program.evaluate(point)),
        jvp: (point, tangents) => pass("jvp", program.jvp(point, tangents)),
        vjp: (point, seeds) => pass("vjp", program.vjp(point, seeds)),
        backwardDense: (point, seeds) => pass("backward_dense", program.backwardDense(point, seeds)),
        unload: () => program.unload(),
      };
      return { kind: "result", value };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** Multiplies every number of an answer by `factor`. */
function times(answer: Answer, factor: number): Answer {
  if (answer.kind !== "result") return answer;
  const value = answer.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x * factor) }));
  return { kind: "result", value };
}

/** The answers of one mode are wrong from a program's second call on. */
const secondIsOff = (wrong: Mode) => () => (): Distortion => (answer, call, mode) =>
  mode === wrong && call > 1 ? times(answer, 1 + 1e-9) : answer;

/** This is one unit in the last place at 1, which no bound shows. */
const FLAKE = 1 + Number.EPSILON;

/** An engine errs in one of every `period` calls. */
const flakeEvery = (period: number) => (): (() => Distortion) => {
  let calls = 0;
  return () => (answer) => (++calls % period === 0 ? times(answer, FLAKE) : answer);
};

/** All programs write the answers of one mode into one buffer; `read` says what they return of it. */
const oneBuffer =
  (shared: Mode, read: (written: Float64Array, sound: Float64Array, isRepeated: boolean) => Float64Array) =>
  (): (() => Distortion) => {
    const buffer = new Float64Array(100_000);
    return () => {
      let last = "";
      return (answer, _, mode) => {
        if (answer.kind !== "result" || mode !== shared) return answer;
        const isRepeated = last === JSON.stringify(answer.value);
        last = JSON.stringify(answer.value);
        let end = 0;
        const value = answer.value.map(({ shape, data }) => {
          const written = buffer.subarray(end, end + data.length);
          end += data.length;
          return { shape, data: read(written, data, isRepeated) };
        });
        return { kind: "result", value };
      };
    };
  };

/** Answers are views of the buffer. */
const views = (mode: Mode): (() => () => Distortion) =>
  oneBuffer(mode, (written, sound) => {
    written.set(sound);
    return written;
  });

/** A program that is asked the same twice in a row trusts the buffer to hold its answer still. */
const trusting = (mode: Mode): (() => () => Distortion) =>
  oneBuffer(mode, (written, sound, isRepeated) => {
    if (!isRepeated) written.set(sound);
    return written.slice();
  });

/** Counts the cases asked until the law is broken; `undefined` if it never is. */
async function casesUntilBroken(engine: Engine, cases: number): Promise<number | undefined> {
  for (let index = 0; index < cases; index++) {
    const outcome = await ask(engine, searchedCase(1, index), "float64", [repeatability]);
    if (outcome.kind === "differs" && outcome.finding.question === "repeatability") return index + 1;
  }
  return undefined;
}

const modes = interpreterEngine().describe().modes;

test.each(modes)("a second answer of %s that is off by 1e-9 is found within 20 cases", async (mode) => {
  expect(await casesUntilBroken(distorted(secondIsOff(mode)), 20)).toBeDefined();
});

test.each(
  sampled("periods", [499, 500, 501], 1),
)("a flake of one unit in the last place in 1 of %i calls is found within 500 cases", async (period) => {
  expect(await casesUntilBroken(distorted(flakeEvery(period)), 500)).toBeDefined();
});

test.each(modes)("one buffer for all programs' answers in %s is found within 20 cases", async (mode) => {
  expect(await casesUntilBroken(distorted(views(mode)), 20)).toBeDefined();
});

test.each(modes)("one buffer that each program trusts in %s is found within 20 cases", async (mode) => {
  expect(await casesUntilBroken(distorted(trusting(mode)), 20)).toBeDefined();
});

/** A program answers every gradient with its first. */
const firstEverAfter = (): (() => Distortion) => () => {
  let first: Answer | undefined;
  return (answer, _, mode) => {
    if (mode !== "vjp") return answer;
    first ??= answer;
    return first;
  };
};

/** The gradients of graphs that begin with an addition are wrong. */
function orderTelling(): Engine {
  const [sound, wrong] = [interpreterEngine(), distorted(() => () => (answer) => times(answer, 1 + 1e-3))];
  return {
    ...sound,
    load: (graph, dtype) => (graph.nodes[0]?.op === "add" ? wrong : sound).load(graph, dtype),
  };
}

/** Lists the laws that a search by these alone finds broken. */
async function brokenLawsOf(engine: Engine, asked: readonly Law[]): Promise<ReadonlySet<string>> {
  const broken = new Set<string>();
  for (let index = 0; index < 60; index++) {
    const question = searchedCase(1, index);
    for (const law of asked)
      if ((await askLaw(engine, question, "float64", law)) === "differs") broken.add(law.name);
  }
  return broken;
}

test("a gradient that depends on the question before breaks repeatability, not order independence", async () => {
  const said = await brokenLawsOf(distorted(firstEverAfter), [repeatability, orderIndependence]);
  expect([...said]).toEqual(["repeatability"]);
});

test("a gradient that depends on the order of nodes breaks order independence, not repeatability", async () => {
  const said = await brokenLawsOf(orderTelling(), [repeatability, orderIndependence]);
  expect([...said]).toEqual(["order independence"]);
});

test("the second program of a case is asked once for all laws, and loaded once", async () => {
  const sound = interpreterEngine();
  const loads = { count: 0 };
  const counting: Engine = {
    ...sound,
    load: (graph, dtype) => {
      loads.count += 1;
      return sound.load(graph, dtype);
    },
  };
  await ask(counting, searchedCase(1, 3), "float64", [repeatability, linearity, orderIndependence]);
  // The loads are the case, its second program, and the small one beside.
  expect(loads.count).toBe(3);
});

test("the sound interpreter breaks no law in 500 cases", async () => {
  expect(await casesUntilBroken(interpreterEngine(), 500)).toBeUndefined();
});

test("an engine that offers only values is asked for them again", async () => {
  const sound = distorted(secondIsOff("evaluate"));
  const describe = (): Description => ({ ...sound.describe(), modes: ["evaluate"] });
  expect(await casesUntilBroken({ ...sound, describe }, 20)).toBeDefined();
});
