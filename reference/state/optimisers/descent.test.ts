import { describe, expect, test } from "vitest";
import { at } from "../../../spec/index.ts";
import { type Rational, rational } from "../../algebras/rational.ts";
import { afterCalls, minus, type Named, plus, q, texts, times } from "./calls.test.kit.ts";
import { momentumDescent, nesterovAhead } from "./index.ts";

const a = q(3, 2);
const start = q(5);
const rate = q(1, 4);
const momentum = q(2, 3);
const zero = q(0);

/** Returns a path where each gradient is a times where the program says that it is to be taken. */
function onQuadratic(
  program: ReturnType<typeof momentumDescent>,
  state: Named<Rational>,
  rates: (step: number) => Named<Rational>,
  { at: place = "x", steps = 6 }: { readonly at?: string; readonly steps?: number } = {},
): Map<string, readonly Rational[]>[] {
  const calls: Named<Rational>[] = [];
  let where = at([...(state[place] ?? [])], 0);
  for (let step = 0; step < steps; step++) {
    calls.push({ gradient: [times(a, where)], ...rates(step) });
    const left = afterCalls(rational, program, state, calls).at(-1);
    where = at([...(left?.get(place) ?? [])], 0);
  }
  return afterCalls(rational, program, state, calls);
}

function along(path: readonly Map<string, readonly Rational[]>[], location: string): string[] {
  return path.map((left) => texts(...(left.get(location) ?? [])));
}

describe("momentum, over the rationals", () => {
  const tau = q(1, 5);
  const given = { rate: [rate], momentum: [momentum], dampening: [tau] };

  test("damped by 1 − τ is momentum on gradients that are shorter by that", () => {
    const damped = onQuadratic(
      momentumDescent([], { dampening: "always" }),
      { x: [start], v: [zero] },
      () => given,
    );
    let [x, v] = [start, zero];
    const closed = damped.map(() => {
      v = plus(times(momentum, v), times(minus(q(1), tau), times(a, x)));
      x = minus(x, times(rate, v));
      return texts(x);
    });
    expect(along(damped, "x")).toEqual(closed);
  });

  test("damped after the first step spares the first gradient alone, which another dampening does not", () => {
    const spared = onQuadratic(momentumDescent([], { dampening: "afterFirst" }), { x: [start] }, () => given);
    let [x, v] = [start, zero];
    const closed = spared.map((_, step) => {
      v = step === 0 ? times(a, x) : plus(times(momentum, v), times(minus(q(1), tau), times(a, x)));
      x = minus(x, times(rate, v));
      return texts(x);
    });
    expect(along(spared, "x")).toEqual(closed);
    const damped = onQuadratic(momentumDescent([], { dampening: "always" }), { x: [start] }, () => given);
    expect(along(damped, "x")).not.toEqual(closed);
  });

  test("in Sutskever's form looks where Nesterov's other form stands, until the momentum changes", () => {
    const both = (rates: (step: number) => Named<Rational>): string[][] => [
      along(onQuadratic(nesterovAhead([]), { x: [start], ahead: [start] }, rates, { at: "ahead" }), "ahead"),
      along(
        onQuadratic(momentumDescent([], { form: "scaled", isNesterov: true }), { x: [start] }, rates),
        "x",
      ),
    ];
    const [ahead, other] = both(() => ({ rate: [rate], momentum: [momentum] }));
    expect(ahead).toEqual(other);
    const [rising, parted] = both((step) => ({ rate: [rate], momentum: [q(step, step + 1)] }));
    expect(rising).not.toEqual(parted);
  });
});
