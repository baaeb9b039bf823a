import { describe, expect, test } from "vitest";
import {
  byMomentum,
  float64,
  type Rational,
  rational,
  rationalFromNumber,
  Session,
  type Tensor,
  training,
} from "../../reference/package.ts";
import { argumentsOf, contentsOf, type Named } from "../../reference/state/optimisers/calls.test.kit.ts";
import { at, type Program, program } from "../../spec/index.ts";
import { approximateRational } from "../truth/centre/centre.ts";
import { referenceStandard } from "../truth/standard/standard.ts";
import { boundsOfCalls, type CallBounds } from "./session_bounds.ts";

const float64s = referenceStandard("float64");

function boundsOf(
  written: Program,
  calls: readonly Named<number>[],
  state: Named<number> = {},
): CallBounds[] {
  const start = {
    state: contentsOf(float64, written, state),
    environment: new Map(),
    generator: { key: [0, 0] as const, drawn: 0 },
  };
  const given = calls.map((call) => argumentsOf(written, call));
  const bounds = boundsOfCalls(written, start, given, float64s);
  if (!bounds.ok) throw new Error(JSON.stringify(bounds.error));
  return bounds.value;
}

/** x ← x + y, and x as the result. */
const adding = program(({ input, state }) => {
  const x = state("x");
  x.update("add", input("y"));
  return [x];
});

/** x ← x y, and whether it is below 1. */
const comparing = program(({ input, state, if_ }) => {
  const x = state("x");
  x.update("multiply", input("y"));
  const below = x.less(1);
  if_(below, () => x.update("add", 0));
  return [below];
});

/** x ← x y, and whether it is below 1, of which nothing is made. */
const withoutBranch = program(({ input, state }) => {
  const x = state("x");
  x.update("multiply", input("y"));
  return [x.less(1)];
});

describe("the bounds of calls", () => {
  test("are 0 as long as nothing is rounded, and reach from call to call once something is", () => {
    const [half, rounded, later] = boundsOf(adding, [{ y: [0.5] }, { y: [2 ** -60] }, { y: [3] }], {
      x: [1],
    });
    expect(half?.state[0]?.data).toEqual([{ value: 1.5, reach: 0 }]);
    const reach = rounded?.results[0]?.data[0]?.reach ?? expect.unreachable("no bound");
    expect(reach).toBeGreaterThanOrEqual(2 ** -60);
    expect(reach).toBeLessThan(2 ** -51);
    expect(later?.state[0]?.data[0]?.reach).toBeGreaterThan(reach);
  });

  test("hold for the exact numbers of a session, which a tenth of them would not", () => {
    const parameters = [{ name: "w", shape: [2] }];
    const written = training([{ name: "all", rule: byMomentum(), parameters }]);
    const calls = Array.from({ length: 12 }, (_, i) => ({
      "w.gradient": [Math.sin(i), Math.cos(3 * i)],
      "all.rate": [0.1],
      "all.momentum": [0.9],
    }));
    const exactly = (tensors: readonly Tensor<number>[]): Tensor<Rational>[] =>
      tensors.map(({ shape, data }) => ({ shape, data: data.map(rationalFromNumber) }));
    const session = new Session<Rational, unknown>(rational, written, {
      state: exactly(contentsOf(float64, written, { w: [0.7, -0.2] })),
      environment: new Map(),
      generator: { key: [0, 0], drawn: 0 },
    });
    const field = rational.levels.field ?? expect.unreachable("no field");
    const shares = boundsOf(written, calls, { w: [0.7, -0.2] }).flatMap(({ state }, i) => {
      const call = session.call(exactly(argumentsOf(written, at(calls, i))));
      if (!call.ok) throw new Error(JSON.stringify(call.error));
      return state.flatMap(({ data }, place) =>
        data.map(({ value, reach = 0 }, element) => {
          const truth = call.value.state[place]?.data[element] ?? field.zero;
          const error = field.add(rationalFromNumber(value), field.negative(truth));
          const distance = Math.abs(approximateRational(error));
          return distance === 0 ? 0 : distance / reach;
        }),
      );
    });
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(Math.max(...shares)).toBeGreaterThan(0.1);
  });

  test("say from where on a branch may go another way", () => {
    const found = boundsOf(comparing, [{ y: [0.5] }, { y: [2 + 2 ** -51] }, { y: [0.1] }], { x: [0.1] });
    expect(found.map(({ isOpen }) => isOpen)).toEqual([false, false, false]);
    const near = boundsOf(comparing, [{ y: [0.1] }, { y: [10] }, { y: [0.1] }], { x: [1] });
    expect(near.map(({ isOpen }) => isOpen)).toEqual([false, true, true]);
  });

  test("say so too of a condition that is no comparison, and nothing of a comparison that decides nothing", () => {
    const cancelling = program(({ input, state, if_ }) => {
      const x = state("x");
      x.update("multiply", input("y"));
      const left = x.subtract(1);
      if_(left, () => x.update("add", 0));
      return [x.less(1)];
    });
    const [near, open] = boundsOf(cancelling, [{ y: [0.3] }, { y: [1 / 0.06] }], { x: [0.2] });
    expect([near?.isOpen, open?.isOpen]).toEqual([false, true]);
    const [still] = boundsOf(withoutBranch, [{ y: [10] }], { x: [0.1] });
    expect(still?.isOpen).toBe(false);
    expect(still?.results[0]?.data[0]?.reach).toBeGreaterThan(0);
  });

  test("know nothing of what overflows", () => {
    const [found] = boundsOf(comparing, [{ y: [1e200] }], { x: [1e200] });
    expect(found?.state[0]?.data).toEqual([{ value: Number.POSITIVE_INFINITY, reach: undefined }]);
  });
});
