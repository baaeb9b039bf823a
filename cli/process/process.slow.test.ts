import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, onTestFailed, test } from "vitest";
import { validateReport } from "../../spec/index.ts";
import { processorSeconds } from "./processor_seconds.test.kit.ts";
import { endProcess, start } from "./recording.test.kit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-process-"));
afterAll(() => rm(folder, { recursive: true }));

describe("the process", () => {
  test.runIf(existsSync("/proc/self/stat")).each(["SIGINT", "SIGTERM"] as const)(
    "tells on %s in the middle of a long case what is known, and writes the report",
    async (signal) => {
      const [file, long] = [join(folder, `synchronous-${signal}.json`), join(folder, "long_case.json")];
      const sines = Array.from({ length: 400 }, (_, i) => ({ op: "sin", attributes: {}, parents: [i + 1] }));
      const wide = { op: "broadcast_to", attributes: { shape: [2 ** 17] }, parents: [0] };
      const sum = { op: "sum", attributes: { axes: [0], keepdims: false }, parents: [401] };
      const inputs = [{ name: "x", shape: [] }];
      const one = { shape: [], data: [1] };
      const nodes = [wide, ...sines, sum];
      const graph = { format: "adjudge.graph.v1", inputs, environment: [], nodes };
      const point = { inputs: [one], environment: {} };
      const seeds = [{ id: 402, cotangent: one }];
      writeFileSync(
        long,
        JSON.stringify({ format: "adjudge.case.v1", graph, point, tangents: [one], seeds }),
      );
      const limits = ["--max-elements", "1000000000", "--max-work", "100000000000"];
      const { child, ended, out } = start(["judge", long, "-e", "interpreter", "--report", file, ...limits]);
      onTestFailed(() => endProcess(child.pid ?? 0));
      // Work enough to be in the case, which takes half a minute and more.
      while (!(processorSeconds(child.pid ?? 0) > 2.5)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was told to`);
        await setTimeout(20);
      }
      child.kill(signal);
      await ended;
      expect(child.signalCode).toBe(signal);
      expect(out.join("")).toMatch(/interrupted\s+after\s+0\s+of\s+1\s+case/);
      const report = validateReport(JSON.parse(readFileSync(file, "utf8")));
      expect(report.ok && report.value.engines).toMatchObject([{ extent: { ended: "interrupted" } }]);
    },
  );
});
