import { describe, expect, test } from "vitest";
import { program } from "../../spec/index.ts";
import { rational } from "../algebras/rational.ts";
import { forbidEffects, resultsFromOutside } from "./effects.ts";
import { record } from "./execute.ts";
import { exactly, startAt } from "./state.test.kit.ts";

const mixed = program(({ input, receive, buffer, draw }) => {
  const x = input("x", [2]);
  const told = receive("in", [2]);
  const a = buffer(x);
  const before = a.multiply(x);
  a.at(0).update("add", told.sum({ axes: [0], keepdims: false }));
  return [before, a, x.multiply(draw({ kind: "bernoulli", rate: 0.5 }, [2])), told];
});

const start = startAt([exactly([2], 3, 4)], { world: new Map([["in", [exactly([2], 1, 2)]]]) });

describe("effects", () => {
  test("are in the results that memory carried them to, and in no others", () => {
    const recording = record(rational, mixed, start);
    if (!recording.ok) throw new Error(JSON.stringify(recording.error));
    expect(resultsFromOutside(recording.value)).toEqual([1, 3]);
  });

  test("are in a derivative of what received something", () => {
    const inner = program(({ input, procedure, receive, derivative }) => {
      const scale = procedure("scale", [{ name: "v", kind: "value", shape: [2] }], (v) => [
        v.multiply(receive("in", [2])),
      ]);
      const x = input("x", [2]);
      return [x, derivative(scale, { mode: "jvp", of: 0, wrt: 0 }, x, x)];
    });
    const recording = record(rational, inner, start);
    expect(recording.ok && resultsFromOutside(recording.value)).toEqual([1]);
  });

  test("are refused, or constant: both are policies", () => {
    const recording = record(rational, mixed, start);
    if (!recording.ok) throw new Error(JSON.stringify(recording.error));
    const refused = forbidEffects(recording.value);
    expect(refused.ok ? [] : refused.error.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "program/effect /procedures/0/results/1",
      "program/effect /procedures/0/results/3",
    ]);
    const silent = program(({ input }) => [input("x", [2]).multiply(2)]);
    const other = record(rational, silent, start);
    expect(other.ok && forbidEffects(other.value).ok).toBe(true);
  });
});
