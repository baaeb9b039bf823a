import type { Along, Engine, LoadedGraph, Reply } from "../../../spec/contract/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { failed, type Outcome, outcomeOf, passed, refusalOutcome, type SmokeStep } from "./step.ts";

const vector = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });

/** x · y, whose gradient at the point is [5, 7] and [2, 3]. */
const product = {
  format: "adjudge.graph.v1",
  inputs: [
    { name: "x", shape: [2] },
    { name: "y", shape: [2] },
  ],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [0, 1] }],
};
const point = { inputs: [vector(2, 3), vector(5, 7)], environment: new Map<string, FlatTensor>() };
const seeds: readonly Seed[] = [{ id: nodeId(2), cotangent: vector(1, 1) }];

const means = "an estimate is the slope along the direction times the direction, for every input";

/** Tries the forward gradients that an engine promises, in its first precision. */
export async function* estimateSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const { estimates } = engine;
  const [dtype] = engine.describe().dtypes;
  if (estimates === undefined || dtype === undefined) return;
  if (!engine.describe().operators.includes("multiply")) {
    const outcome: Outcome = { kind: "skipped", reason: "multiply is not promised" };
    yield { name: "a forward gradient can be tried", outcome };
    return;
  }
  const graph = checkGraph(product);
  const loaded = graph.ok ? await engine.load(graph.value, dtype) : undefined;
  for (const law of estimates) {
    const name = law === "given" ? "along a given direction" : `along directions that are ${law}`;
    const outcome =
      loaded?.kind === "result"
        ? await (law === "given" ? givenOutcome(loaded.value) : drawnOutcome(loaded.value, law))
        : failed("a product was not loaded", "load answers done");
    yield { name: `a forward gradient ${name}`, outcome };
  }
  if (loaded?.kind === "result") await loaded.value.unload();
}

async function asked(program: LoadedGraph, along: Along): Promise<Reply<readonly FlatTensor[]>> {
  return (
    (await program.forwardGradient?.(point, seeds, along)) ?? {
      kind: "unsupported",
      reason: "what is loaded has no forward gradients",
    }
  );
}

/** Along [1, −2] and [3, 0.5] the slope is 5 · 1 − 7 · 2 + 2 · 3 + 3 · 0.5 = −1.5. */
async function givenOutcome(program: LoadedGraph): Promise<Outcome> {
  const reply = await asked(program, { law: "given", tangents: [vector(1, -2), vector(3, 0.5)] });
  return outcomeOf(reply, [vector(-1.5, 3), vector(-4.5, -0.75)], means);
}

/** Checks that a seed draws the same twice, that eight others differ, and that signs give one size. */
async function drawnOutcome(program: LoadedGraph, law: "rademacher" | "gaussian"): Promise<Outcome> {
  const first = await asked(program, { law, seed: 1 });
  if (first.kind !== "result") return refusalOutcome(first, means);
  const again = outcomeOf(
    await asked(program, { law, seed: 1 }),
    first.value,
    "the same seed draws the same direction",
  );
  if (again.kind !== "passed") return again;
  const numbers = first.value.flatMap(({ data }) => [...data]);
  const isSigned = new Set(numbers.map((x) => Math.abs(x))).size === 1;
  if (law === "rademacher" && !isSigned)
    return failed("the estimates are of several sizes", "a sign is 1 or −1");
  for (let seed = 2; seed < 10; seed++) {
    const other = await asked(program, { law, seed });
    if (other.kind !== "result") return refusalOutcome(other, means);
    const drawn = other.value.flatMap(({ data }) => [...data]);
    if (drawn.some((x, i) => x !== numbers[i])) return passed;
  }
  return failed("nine seeds draw one direction", "the direction depends on the seed");
}
