import { describe, expect, test } from "vitest";
import { type Issue, program, type Result } from "../../spec/index.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { Session } from "./session.ts";
import { exactly, shown, startAt } from "./state.test.kit.ts";

const counting = program(({ input, state, draw }) => {
  const total = state("total", [2]);
  total.update("add", input("x", [2]));
  return [draw({ kind: "bernoulli", rate: 0.5 }, [16])];
});

const failing = program(({ input, state, while_ }) => {
  const total = state("total", [2]);
  total.update("add", 1);
  while_(input("x"), 2, () => {});
  return [];
});

const begin = { ...startAt([]), state: [exactly([2], 0, 0)] };

function codeOf(result: Result<unknown, Issue[]>): string {
  return result.ok ? "fine" : (result.error[0]?.code ?? "none");
}

describe("a session", () => {
  test("finds at each call what the last one left, and draws on", () => {
    const session = new Session<Rational, unknown>(rational, counting, begin);
    const [first, second] = [session.call([exactly([2], 1, 2)]), session.call([exactly([2], 1, 2)])];
    if (!first.ok || !second.ok) throw new Error("a call failed");
    expect(second.value.state.map(shown)).toEqual(["2 4"]);
    expect(first.value.results.map(shown)).not.toEqual(second.value.results.map(shown));
    expect(second.value.generator.drawn).toBe(2);
  });

  test("stays where it is when a call fails, and when it is recorded", () => {
    const session = new Session<Rational, unknown>(rational, failing, begin);
    const handle = session.handle("total");
    if (!handle.ok) throw new Error("no handle");
    expect(codeOf(session.call([exactly([], 1)]))).toBe("program/fuel");
    expect(session.record([exactly([], 0)]).ok).toBe(true);
    const found = session.read(handle.value);
    expect(found.ok && shown(found.value)).toBe("0 0");
    expect(codeOf(session.call([exactly([], 0)]))).toBe("fine");
    const later = session.read(handle.value);
    expect(later.ok && shown(later.value)).toBe("1 1");
  });

  test("refuses a handle of another session, of before a reset, and a name that it does not have", () => {
    const [session, other] = [
      new Session<Rational, unknown>(rational, counting, begin),
      new Session<Rational, unknown>(rational, counting, begin),
    ];
    const handle = session.handle("total");
    if (!handle.ok) throw new Error("no handle");
    expect(codeOf(other.read(handle.value))).toBe("session/foreign");
    expect(codeOf(other.write(handle.value, exactly([2], 1, 1)))).toBe("session/foreign");
    expect(codeOf(session.write(handle.value, exactly([3], 1, 1, 1)))).toBe("program/shape");
    expect(codeOf(session.write(handle.value, exactly([2], 5, 5)))).toBe("fine");
    const found = session.read(handle.value);
    expect(found.ok && shown(found.value)).toBe("5 5");
    session.reset(begin);
    expect(codeOf(session.read(handle.value))).toBe("session/reset");
    expect(codeOf(session.handle("totel"))).toBe("session/name");
  });

  test("leaves the tensors that it was given as they were", () => {
    const [given, x] = [exactly([2], 0, 0), exactly([2], 1, 2)];
    const session = new Session<Rational, unknown>(rational, counting, { ...begin, state: [given] });
    expect(session.call([x]).ok).toBe(true);
    expect([given, x].map(shown)).toEqual(["0 0", "1 2"]);
  });
});
