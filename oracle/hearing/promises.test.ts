import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type Reply } from "../../engines/index.ts";
import { type FlatTensor, graph, nodeId } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { campaign, edgesProfile, kinkProfile, pairProfile } from "../generate/index.ts";
import { ask } from "./ask.ts";

/** Makes an engine with the interpreter's answers, `change` applied to tangents, that promises less. */
function silent(change: (x: number) => number = (x) => x): Engine {
  const sound = interpreterEngine();
  const changed = async (reply: Promise<Reply<readonly FlatTensor[]>>): Promise<typeof answer> => {
    const answer = await reply;
    if (answer.kind !== "result") return answer;
    return { ...answer, value: answer.value.map(({ shape, data }) => ({ shape, data: data.map(change) })) };
  };
  return {
    describe: () => {
      const { singularPoints: _, ...conventions } = sound.describe().conventions;
      return { ...sound.describe(), conventions };
    },
    load: async (program, dtype) => {
      const loaded = await sound.load(program, dtype);
      if (loaded.kind !== "result") return loaded;
      const { value } = loaded;
      return {
        kind: "result",
        value: {
          evaluate: (point) => value.evaluate(point),
          jvp: (point, tangents) => changed(value.jvp(point, tangents)),
          vjp: (point, seeds) => value.vjp(point, seeds),
          backwardDense: (point, seeds) => value.backwardDense(point, seeds),
          unload: () => value.unload(),
        },
      };
    },
    [Symbol.asyncDispose]: () => sound[Symbol.asyncDispose](),
  };
}

/** Outcomes in this order are ever worse for an engine. */
const order = ["agrees", "undecided", "differs"];

describe("an engine that declares nothing of singular points", () => {
  const profiles = [edgesProfile, pairProfile, kinkProfile];
  // In a sequence of calls no other mode is asked, and so nothing is known of what was answered before.
  const cases = profiles
    .flatMap((profile) => [...campaign(profile, 6, 120)])
    .filter(({ calls }) => calls === undefined);

  test("has no worse verdict on the same answers than one that declares the reference", async () => {
    const worse: string[] = [];
    for (const question of sampled("promises", cases, 90)) {
      for (const dtype of ["float64", "float32"] as const) {
        const [strict, free] = [
          await ask(interpreterEngine(), question, dtype, []),
          await ask(silent(), question, dtype, []),
        ];
        if (order.indexOf(free.kind) > order.indexOf(strict.kind)) worse.push(JSON.stringify([strict, free]));
      }
    }
    expect(worse).toEqual([]);
  });

  const question: Case = {
    graph: graph(({ input }) => input("x", []).asin()),
    point: { inputs: [{ shape: [], data: Float64Array.of(1.125) }], environment: new Map() },
    tangents: [{ shape: [], data: Float64Array.of(3) }],
    seeds: [{ id: nodeId(1), cotangent: { shape: [], data: Float64Array.of(2) } }],
  };

  test.each([
    ["agrees", "what the reference has", (x: number) => x],
    ["undecided", "what a mask has", () => 0],
    ["differs", "any other number", () => 1],
  ])("%s where a slope has no value and it answers %s", async (kind, _, change) => {
    expect((await ask(silent(change), question, "float64", [])).kind).toBe(kind);
  });
});
