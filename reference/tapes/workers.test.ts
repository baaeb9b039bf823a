import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { tapeSystems } from "./table.ts";
import {
  type Orders,
  point,
  SHARING,
  SLOT_NUMBERS,
  seedOf,
  subject,
  systemNamed,
} from "./workers.test.kit.ts";

const script = new URL("./workers.test.worker.ts", import.meta.url);

/** Sweeps tapes of one system in two workers, step by step in turns, and returns their answers. */
async function inTwoWorkers(system: string): Promise<readonly unknown[]> {
  const turns = new SharedArrayBuffer(3 * 4);
  const slots = new SharedArrayBuffer(8 * SLOT_NUMBERS);
  return Promise.all(
    [1, 10].map(async (seed, place) => {
      const workerData: Orders = { system, seed, place, turns, slots };
      const worker = new Worker(script, { workerData });
      const [answer] = await once(worker, "message");
      return answer;
    }),
  );
}

/** Returns what one sweep alone answers. */
function alone(system: string): readonly unknown[] {
  return [1, 10].map((seed) => {
    const tape = systemNamed(system, new SharedArrayBuffer(8 * SLOT_NUMBERS)).record(subject(), point);
    const swept = tape.ok ? tape.value.backward(seedOf(seed)) : tape;
    return swept.ok ? swept.value.slice(0, point.x.length).map(({ data }) => [...data]) : swept.error;
  });
}

describe("two sweeps in two workers, step by step in turns", () => {
  const systems = tapeSystems.map(({ name }) => name);

  test.each(sampled("workers", systems, 5))("do not disturb each other: %s", async (name) => {
    expect(await inTwoWorkers(name)).toEqual(alone(name));
  });

  test("are told from sweeps that share their slots", async () => {
    expect(await inTwoWorkers(SHARING)).not.toEqual(alone(SHARING));
    expect(alone(SHARING)).toEqual(alone("dynamic"));
  });
});
