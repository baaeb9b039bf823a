import { describe, expect, test } from "vitest";
import {
  backpropAllCtx,
  dense,
  float64,
  rational,
  subjectOf,
  type TapeSystem,
  tapeSystems,
} from "../reference/package.ts";
import type { Algebra } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { mismatches, type Posed, posed, succeeded } from "./derivatives.test.kit.ts";
import { type CaseProfile, caseAt, exactProfile, profiles } from "./generate/index.ts";
import { exactPrograms, taskAt } from "./programs/draw.ts";
import { questionOf } from "./programs/question.ts";

const SEED = 1811;

/** Counts the elements of a system's sweep, and those that differ from the reference's. */
function differing<S, B>(
  algebra: Algebra<S, B>,
  system: TapeSystem,
  { graph, x, environment, seeds }: Posed<S>,
): readonly [wrong: number, of: number] {
  const subject = succeeded(subjectOf(graph, algebra));
  const recorded = system.record(subject, { x, environment }, [...seeds.keys()]);
  if (!recorded.ok && recorded.error.every(({ code }) => code === "schedule/too-long")) return [0, 0];
  const tape = succeeded(recorded);
  const swept = tape.backward(seeds);
  if (!swept.ok) return expect.unreachable(JSON.stringify(swept.error));
  const { additive, data, shapes } = subject;
  const all = backpropAllCtx(additive, data, x, environment, dense(additive, shapes, seeds));
  const owed = all.slice(0, swept.value.length);
  return [mismatches(algebra, swept.value, owed), owed.flatMap(({ data: elements }) => elements).length];
}

function lookedAt<S, B>(
  algebra: Algebra<S, B>,
  system: TapeSystem,
  profile: CaseProfile,
  count: number,
): readonly [wrong: number, of: number] {
  let [wrong, of] = [0, 0];
  for (let index = 0; index < count; index++) {
    const [w, n] = differing(algebra, system, posed(algebra, caseAt(profile, SEED, index)));
    wrong += w;
    of += n;
  }
  return [wrong, of];
}

describe("Law T on random graphs of operators", () => {
  test.each(
    sampled("rationals", tapeSystems, 4),
  )("over the rationals the $name tape keeps it to equality", (system) => {
    const [wrong, of] = lookedAt(rational, system, exactProfile, 60);
    expect(wrong).toBe(0);
    expect(of).toBeGreaterThan(300);
  });

  test.each(
    sampled(
      "bits",
      tapeSystems.filter(({ claim }) => claim === "bits"),
      4,
    ),
  )("over float64 the $name tape keeps it to the bit, on every profile", (system) => {
    let sum = 0;
    for (const profile of profiles.values()) {
      const [wrong, of] = lookedAt(float64, system, profile, 4);
      expect([profile.name, wrong]).toEqual([profile.name, 0]);
      sum += of;
    }
    expect(sum).toBeGreaterThan(1500);
  });
});

describe("Law T on the runs of random programs", () => {
  test.each(
    sampled("runs", tapeSystems, 4),
  )("the $name tape of a run keeps it, to the bit where it claims that", (system) => {
    let [wrong, of] = [0, 0];
    for (let index = 0; index < 24; index++) {
      const question = questionOf(taskAt(exactPrograms, SEED, index).case);
      if (!question.ok) continue;
      const [w, n] =
        system.claim === "bits"
          ? differing(float64, system, posed(float64, question.value.case))
          : differing(rational, system, posed(rational, question.value.case));
      wrong += w;
      of += n;
    }
    expect(wrong).toBe(0);
    expect(of).toBeGreaterThan(150);
  });
});
