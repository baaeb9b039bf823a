import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { pathOfPoints, pointsOfPath } from "./drawn_points.ts";

let folder = "";
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "adjudge-points-"));
  const text =
    "graph f(x: [2, 3]) given (labels: index [2])\n  y = cross_entropy(x, labels=labels) + sum(log(x), axes=[0, 1], keepdims=false)\n";
  await writeFile(at("g.adj"), text);
  await writeFile(at("d.json"), '{"x": {"low": 0.5, "high": 2}, "labels": {"integers": 2}}');
  await writeFile(at("odd.json"), '{"X": {"low": 0.5}}');
  await writeFile(at("high.json"), '{"labels": {"integers": 9}}');
  await writeFile(at("crossed.json"), '{"x": {"low": 3, "high": 2}}');
  await writeFile(at("list.json"), "[]");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const mutant = (name: string): string => `node cli/process/testee.test.script.ts mutant ${name}`;

describe("a graph at points that are drawn", () => {
  test("is asked of engines, right and wrong", async () => {
    const asked = ["judge", "--graph", at("g.adj"), "--points", "12", "--domain", at("d.json")];
    const right = await adjudge(...asked, "-e", "interpreter", "-d", "float64");
    expect([right.code, right.out]).toEqual([exitCodes.agrees, expect.stringContaining("12/12")]);
    const wrong = await adjudge(...asked, "-e", mutant("log_in_single"), "-d", "float64");
    expect([wrong.code, wrong.out]).toEqual([
      exitCodes.disagrees,
      expect.stringMatching(/g\.adj point [0-9]+ of seed 1 in .*d\.json/),
    ]);
  });

  test("is asked again at one of them, by the name that a finding has", async () => {
    const place = `${at("g.adj")} point 3 of seed 7 in ${at("d.json")}`;
    const [one, again] = [
      await adjudge("replay", "-e", "interpreter", place),
      await adjudge("replay", "-e", "interpreter", place),
    ];
    expect([one.code, one.out]).toEqual([exitCodes.agrees, again.out]);
    const numbers = [...one.out.matchAll(/[01]\.[0-9]{6,}/g)].map(([text]) => Number(text));
    expect(numbers.every((x) => x >= 0.5 && x <= 2)).toBe(true);
  });

  test.each([
    ["odd.json", /question\/domain: .*no "X".*did you mean "x"/],
    ["crossed.json", /question\/range at \/domain\/inputs\/0: .*least number is above/],
    ["list.json", /question\/domain: .*has no ranges/],
    ["none.json", /file\/unreadable/],
  ])("refuses the domain of %s", async (name, message) => {
    const { code, notes } = await adjudge(
      "judge",
      "--graph",
      at("g.adj"),
      "--domain",
      at(name),
      "-e",
      "interpreter",
    );
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringMatching(message)]);
  });

  test("draws no index beyond its axis, whatever a domain says", async () => {
    const run = await adjudge(
      "judge",
      "--graph",
      at("g.adj"),
      "--domain",
      at("high.json"),
      "-e",
      "interpreter",
    );
    expect([run.code, run.notes]).toEqual([exitCodes.badInput, expect.stringMatching(/labels.*3/)]);
  });

  test("are named so that the name tells how they are drawn", () => {
    const points = { file: "a b.adj", seed: 5, first: 2, count: 3, domain: "d.json" };
    expect(pathOfPoints(points)).toBe("a b.adj points 2-4 of seed 5 in d.json");
    expect(pointsOfPath(pathOfPoints(points))).toEqual(points);
    expect(pointsOfPath("a.adj point 2 of seed 5")).toEqual({ file: "a.adj", seed: 5, first: 2, count: 1 });
    expect(pointsOfPath("a.adj points 4-2 of seed 5")).toBeUndefined();
    expect(pointsOfPath("a.adj#point")).toBeUndefined();
  });
});
