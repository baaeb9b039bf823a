import {
  constantFrom,
  double,
  assert as holds,
  integer,
  property,
  record,
  array as someOf,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { History, type Influence } from "./history.ts";

/** An operation that errs reads earlier ones, and has an own error of at most so much. */
interface Operation {
  readonly reads: readonly { readonly back: number; readonly slope: number }[];
  readonly own: number;
}

const operations = someOf(
  record({
    reads: someOf(
      record({ back: integer({ min: 1, max: 4 }), slope: constantFrom(-2, -1, -0.5, 0.25, 1, 3) }),
      {
        maxLength: 2,
      },
    ),
    own: double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 9 },
);

function influencesOf({ reads }: Operation, place: number, slack = 0): Influence[] {
  const merged = new Map<number, Influence>();
  for (const { back, slope } of reads) {
    const step = place - back;
    if (step < 0) continue;
    const before = merged.get(step) ?? { step, slope: { value: 0, slack: 0 }, size: 0 };
    merged.set(step, {
      step,
      slope: { value: before.slope.value + slope, slack: before.slope.slack + slack },
      size: before.size + Math.abs(slope) + slack,
    });
  }
  return [...merged.values()];
}

/** Returns the bound on the last of these operations' deviation that their history gives. */
function boundOf(
  program: readonly Operation[],
  change: (influences: Influence[]) => Influence[] = (i) => i,
): number {
  const history = new History();
  for (const [place, operation] of program.entries()) {
    history.append(operation.own, 0, change(influencesOf(operation, place)));
  }
  return history.deviation(program.length - 1).engine;
}

/** Returns the worst deviation of the last operation, where every own error is at one of its ends. */
function worstOf(program: readonly Operation[]): number {
  let worst = 0;
  for (let signs = 0; signs < 2 ** program.length; signs++) {
    const deviations: number[] = [];
    for (const [place, { reads, own }] of program.entries()) {
      const read = reads.map(({ back, slope }) => slope * (deviations[place - back] ?? 0));
      deviations.push(read.reduce((sum, x) => sum + x, (signs >> place) % 2 === 0 ? own : -own));
    }
    worst = Math.max(worst, Math.abs(deviations.at(-1) ?? 0));
  }
  return worst;
}

const seed = { seed: 20, numRuns: 400 };

describe("the deviation of a step", () => {
  test("is at most what its history says, however the errors before it are signed", () => {
    holds(
      property(operations, (program) => {
        expect(worstOf(program)).toBeLessThanOrEqual(boundOf(program) * (1 + 1e-12));
      }),
      seed,
    );
  });

  test("is more than a history says that forgets an operand", () => {
    const forgetful = (influences: Influence[]): Influence[] => influences.slice(1);
    const isCaught = (program: readonly Operation[]): boolean =>
      worstOf(program) > boundOf(program, forgetful) * (1 + 1e-12);
    expect(() =>
      holds(
        property(operations, (program) => !isCaught(program)),
        seed,
      ),
    ).toThrow();
  });

  test("is what its history says where nothing has more than one reader", () => {
    const chain: Operation[] = [2, -3, 0.5, 1].map((slope) => ({ reads: [{ back: 1, slope }], own: 1 }));
    expect(boundOf(chain) / worstOf(chain)).toBeCloseTo(1, 12);
  });

  test("loses what comes by two ways that cancel, but for the last two roundings on them", () => {
    const difference: readonly Operation[] = [
      { reads: [], own: 1 },
      { reads: [{ back: 1, slope: 1 }], own: 0 },
      { reads: [{ back: 1, slope: 1 }], own: 2 ** -20 },
      { reads: [{ back: 1, slope: 1 }], own: 0 },
      {
        reads: [
          { back: 1, slope: 1 },
          { back: 1, slope: -1 },
        ],
        own: 0,
      },
    ];
    expect(boundOf(difference)).toBeCloseTo(2 ** -19, 12);
  });

  test("grows with what is not known of a slope, as far as that is read", () => {
    const of = (slack: number): number => {
      const history = new History();
      history.append(1, 0, []);
      history.append(0, 0, [{ step: 0, slope: { value: 1, slack }, size: 1 + slack }]);
      const influences = [{ step: 1, slope: { value: 0, slack }, size: slack }];
      history.append(0, 0, influences);
      return history.deviation(2).engine;
    };
    expect(of(0)).toBeLessThan(2 ** -1000);
    expect(of(0.5)).toBeGreaterThanOrEqual(0.75);
  });

  test("is unknown once the work is used up, and never less", () => {
    const history = new History(3);
    for (let step = 0; step < 4; step++) history.append(1, 1, []);
    expect([0, 1, 2, 3].map((step) => history.deviation(step).engine < 2)).toEqual([true, true, true, false]);
  });
});
