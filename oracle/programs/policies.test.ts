import { describe, expect, test } from "vitest";
import { type Posit, posit } from "../../reference/numerics/index.ts";
import {
  aliasesOf,
  backpropSparse,
  type Hazard,
  hazardsOf,
  interpret,
  type MaybeTruth,
  type PolicyOrNone,
  policies,
  type Rational,
  type ReadInPlace,
  type Recording,
  rational,
  rationalFromNumber,
  readsInPlace,
  sumTensors,
  sweepUnder,
  type Tensor,
} from "../../reference/package.ts";
import { sightingsIn } from "../../reference/state/aliases.test.kit.ts";
import {
  type Algebra,
  at,
  expand,
  type NodeId,
  nodeId,
  overlap,
  present,
  standardPosit,
  wholeView,
} from "../../spec/index.ts";
import { type DrawnProgram, exactPrograms, floatPrograms, programAt } from "./draw.ts";
import { asRecorded, startOver } from "./laws.test.kit.ts";

const SEED = 7;

/** An algebra and how its numbers are made of ours. */
interface Over<S, B> {
  readonly algebra: Algebra<S, B>;
  readonly element: (x: number) => S;
}

const exactly: Over<Rational, MaybeTruth> = { algebra: rational, element: rationalFromNumber };

function shown<S, B>({ algebra }: Over<S, B>, tensors: readonly (Tensor<S> | undefined)[]): string {
  return tensors.map((tensor) => tensor?.data.map(algebra.format).join(" ") ?? "nothing").join("; ");
}

/** Returns a cotangent of each result: 1, 2, 3, … */
function seedsOf<S, B>({ element }: Over<S, B>, { program }: DrawnProgram): Map<number, Tensor<S>> {
  let next = 0;
  const results = program.procedures[0]?.results ?? [];
  return new Map(
    results.map(({ shape }, place) => {
      const size = shape.reduce((product, extent) => product * extent, 1);
      return [place, { shape, data: Array.from({ length: size }, () => element(++next)) }];
    }),
  );
}

/** Returns the cotangents of the recorded graph. */
function rightAnswer<S, B>(over: Over<S, B>, drawn: DrawnProgram): string {
  const { algebra, element } = over;
  const start = startOver(drawn, element);
  const { recording } = asRecorded(algebra, drawn.program, start);
  const { graph, ids } = expand(recording.graph);
  const meaning = interpret(graph, algebra);
  if (!meaning.ok) throw new Error("no meaning");
  const seeds = new Map<NodeId, Tensor<S>>();
  for (const [place, cotangent] of seedsOf(over, drawn)) {
    const id = at(ids, at(recording.outcome.results, place));
    const before = seeds.get(id);
    seeds.set(id, before === undefined ? cotangent : sumTensors(algebra.additive, [before, cotangent]));
  }
  const inputs = [...start.parameters, ...start.state];
  const cotangents = backpropSparse(algebra.additive, meaning.value, inputs, recording.environment, seeds);
  return shown(
    over,
    inputs.map((_, id) => cotangents.get(nodeId(id))),
  );
}

function answerUnder<S, B>(policy: PolicyOrNone, over: Over<S, B>, drawn: DrawnProgram): string {
  const start = startOver(drawn, over.element);
  const swept = sweepUnder(policy, over.algebra, drawn.program, start, seedsOf(over, drawn));
  if (!swept.ok) return `${swept.error[0]?.code}`;
  return swept.value.kind === "refused"
    ? `refused by the ${swept.value.by}`
    : shown(over, swept.value.cotangents);
}

describe("law V, on random programs over the rationals", () => {
  test("each policy gives the recorded graph's cotangents or refuses; copying and recomputing never refuse", () => {
    const counts = { refused: 0, silent: 0, agreeing: 0 };
    for (let index = 0; index < 150; index++) {
      const drawn = programAt(exactPrograms, SEED, index);
      const right = rightAnswer(exactly, drawn);
      const answers = new Map(policies.map((policy) => [policy, answerUnder(policy, exactly, drawn)]));
      expect([index, answers.get("copy"), answers.get("recompute")]).toEqual([index, right, right]);
      expect([right, "refused by the write"]).toContain(answers.get("forbid"));
      expect([right, "refused by the sweep"]).toContain(answers.get("version"));
      // Who does not look is wrong only where the others refuse.
      const unlooked = answerUnder("none", exactly, drawn);
      if (unlooked !== right) {
        counts.silent++;
        expect([index, answers.get("version")]).toEqual([index, "refused by the sweep"]);
      }
      counts[answers.get("version") === right ? "agreeing" : "refused"]++;
      // A sweep reaches some of what was overwritten, never more.
      if (answers.get("forbid") === right) expect(answers.get("version")).toBe(right);
    }
    expect(counts.silent).toBeGreaterThan(15);
    expect(counts.refused).toBeGreaterThan(counts.silent - 1);
    expect(counts.agreeing).toBeGreaterThan(30);
  });
});

describe("law V, over posits whose sums are a quire's", () => {
  const made = posit(standardPosit(16), "quire");
  if (!made.ok) throw new Error("there are posits of 16 bits");
  const quire = made.value;
  const number = (x: number): Posit => present(quire.levels.orderedReal, "posits").literal(x);
  /** It is the quire's algebra, but that sums are rounded one by one. */
  const { sum: _, ...additive } = quire.additive;
  const rounding = { ...quire, additive };

  test("a policy's sweep adds cotangents up as the algebra does", () => {
    const isTold = (index: number): boolean => {
      const drawn = programAt(exactPrograms, SEED, index);
      const answers = [quire, rounding].map((algebra) =>
        answerUnder("copy", { algebra, element: number }, drawn),
      );
      return answers[0] !== answers[1];
    };
    for (let index = 0; index < 60; index++) {
      const drawn = programAt(exactPrograms, SEED, index);
      const right = rightAnswer({ algebra: quire, element: number }, drawn);
      const copied = answerUnder("copy", { algebra: quire, element: number }, drawn);
      expect([index, copied]).toEqual([index, right]);
    }
    expect(Array.from({ length: 400 }, (_, index) => index).some(isTold)).toBe(true);
  });
});

describe("law A, on random programs", () => {
  test("references that share a location were never said to be unable, and those that must do", () => {
    const counts = { must: 0, may: 0, cannot: 0 };
    let donated = 0;
    for (let index = 0; index < 200; index++) {
      const drawn = programAt(floatPrograms, SEED, index);
      const answer = aliasesOf(drawn.program);
      const sightings = sightingsIn(drawn.program, startOver(drawn, Number));
      donated += sightings.filter(({ binder }) => "kind" in binder && binder.kind === "donated").length;
      for (const [i, a] of sightings.entries()) {
        for (const b of sightings.slice(i + 1)) {
          if (a.binder === b.binder) continue;
          const said = answer(a.binder, b.binder);
          counts[said]++;
          expect([index, said]).not.toEqual([index, a.memory === b.memory ? "cannot" : "must"]);
        }
      }
    }
    expect(counts.must).toBeGreaterThan(200);
    expect(counts.may).toBeGreaterThan(200);
    expect(counts.cannot).toBeGreaterThan(200);
    expect(donated).toBeGreaterThan(20);
  });
});

/** Finds the hazards by definition: after each saved operand, the first write to one of its elements. */
function hazardsByPairs({ events }: Recording<Rational>, reads: readonly ReadInPlace[]): Hazard[] {
  const hazards: Hazard[] = [];
  for (const read of reads) {
    const time = events.findIndex(
      (event, i) =>
        event.kind === "write" &&
        i > read.time &&
        event.memory === read.memory &&
        overlap(event.view, read.view),
    );
    const event = events[time];
    if (!read.isSaved || event?.kind !== "write") continue;
    hazards.push({ read, statement: event.statement, time, before: event.before });
  }
  return hazards.sort((a, b) => a.time - b.time || a.read.node - b.read.node);
}

describe("hazardsOf", () => {
  test("finds for each saved operand the first later write to one of its elements", () => {
    let hazards = 0;
    for (let index = 0; index < 100; index++) {
      const drawn = programAt(exactPrograms, SEED, index);
      const { recording } = asRecorded(rational, drawn.program, startOver(drawn, rationalFromNumber));
      const reads = readsInPlace(recording, expand(recording.graph));
      if (!reads.ok) throw new Error("no rules");
      const found = hazardsOf(recording, reads.value);
      expect([index, found]).toEqual([index, hazardsByPairs(recording, reads.value)]);
      hazards += found.length;
    }
    expect(hazards).toBeGreaterThan(100);
  });

  test("looks at each event of a run a few times, however many there are", () => {
    const event = {
      memory: 0,
      view: wholeView([1]),
      statement: { do: "release", of: "a" } as const,
      node: nodeId(1),
      place: 0,
      before: nodeId(0),
    };
    let looks = 0;
    const events = Array.from({ length: 4000 }, (_, time) => ({
      ...event,
      get kind() {
        looks++;
        return time % 2 === 0 ? ("read" as const) : ("write" as const);
      },
    }));
    const reads = events.flatMap((_, time) => (time % 2 === 0 ? [{ ...event, time, isSaved: true }] : []));
    expect(hazardsOf({ events }, reads)).toHaveLength(2000);
    expect(looks).toBeLessThan(10 * events.length);
  });
});
