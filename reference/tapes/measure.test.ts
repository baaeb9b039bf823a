import { describe, expect, test } from "vitest";
import { graph, isPrimitiveGraph, nodeId, type PrimitiveGraph } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { subjectOf } from "./subject.ts";
import { tapeSystems } from "./table.ts";

/** exp(exp(exp(exp(x)))) of ten numbers: each rule reads its node's own value, and every vjp its operand. */
const chain: PrimitiveGraph = primitive(({ input }) => input("x", [10]).exp().exp().exp().exp());

function primitive(build: Parameters<typeof graph>[0]): PrimitiveGraph {
  const built = graph(build);
  return isPrimitiveGraph(built) ? built : expect.unreachable("only primitives are used");
}

function measured(name: string): readonly number[] {
  const system = tapeSystems.find((found) => found.name === name) ?? expect.unreachable(name);
  const subject = subjectOf(chain, float64);
  if (!subject.ok) return expect.unreachable("floats have exp");
  const x = { shape: [10], data: Array.from({ length: 10 }, (_, i) => -i) };
  const tape = system.record(subject.value, { x: [x], environment: noEnvironment });
  if (!tape.ok) return expect.unreachable("it records");
  tape.value.backward(new Map([[nodeId(4), x]]));
  const { entries, savedElements, bytes, recomputedOperations, livePeak } = tape.value.measure();
  return [entries, savedElements, bytes, recomputedOperations, livePeak];
}

describe("what a tape of four exponentials of ten numbers takes", () => {
  test.each<
    readonly [name: string, entries: number, saved: number, bytes: number, recomputed: number, peak: number]
  >([
    // x and three values.
    ["dynamic", 4, 40, 320, 0, 320],
    // Four values, and not x.
    ["output-saving", 4, 40, 320, 0, 320],
    // x; then three, two, one and no values are computed again, two of which are there at once.
    ["recomputing", 4, 10, 80, 6, 240],
    ["compressed", 4, 40, 480, 0, 480],
    ["static", 4, 40, 320, 0, 320],
    // One line, on which x stands; three values are computed again for all four rules.
    ["fused", 1, 10, 80, 3, 320],
    ["ephemeral", 4, 40, 320, 0, 320],
    // x, and a graph that computes the four values again before it reads them, the last first.
    ["derived", 0, 10, 80, 4, 400],
  ])("on the %s tape: %d entries, %d elements in %d bytes, %d operations again, at most %d bytes at once", (name, ...owed) => {
    expect(measured(name)).toEqual(owed);
  });

  test("on a checkpointed tape: a line for each snapshot, and the extra steps of the formula", () => {
    // Each of four steps has a slot, the last two share none: 1·4 − C(5, 0) = 3 extra steps, recorded.
    const [entries, , , recomputed] = measured("checkpointed");
    expect([entries, recomputed]).toEqual([4, 0]);
  });
});

test("an output-saving tape looks through the entries of Δ some times, and not for each node", () => {
  const noisy = primitive(({ input, parameter }) => {
    const x = input("x", []);
    return Array.from({ length: 40 }, (_, n) => parameter(`p${n}`, [])).reduce((y, p) => y.multiply(p), x);
  });
  const subject = subjectOf(noisy, float64);
  const written = subject.ok ? subject.value.written : undefined;
  if (!subject.ok || written === undefined) return expect.unreachable("floats have products");
  let looks = 0;
  const environment = new Proxy(noisy.environment, {
    get: (entries, key, receiver) => {
      if (key === "map") looks += 1;
      return Reflect.get(entries, key, receiver);
    },
  });
  const watched = { ...subject.value, written: { ...written, graph: { ...noisy, environment } } };
  const one = { shape: [], data: [0.5] };
  const given = new Map(noisy.environment.map(({ name }) => [name, { kind: "real", tensor: one }] as const));
  const system = tapeSystems.find(({ name }) => name === "output-saving");
  expect(system?.record(watched, { x: [one], environment: given }).ok).toBe(true);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(5);
});
