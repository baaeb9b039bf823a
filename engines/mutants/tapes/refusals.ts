import { hasReleased, type OpenTape } from "../../../spec/contract/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { isSameShape, present, sizeOf } from "../../../spec/shapes/index.ts";
import {
  type Recording,
  seedsTogether,
  type TapeEngineMutant,
  type TapeFault,
  tapeMutantTable,
} from "./tape_mutant.ts";

/** Changes methods of a right tape. */
function around(change: (tape: OpenTape, recording: Recording) => Partial<OpenTape>): TapeFault {
  return () => async (recording) => {
    const tape = await recording.right();
    return { ...tape, ...change(tape, recording) };
  };
}

/** Returns the seeds that fit the tape. */
function fitting({ graph, of }: Recording, seeds: readonly Seed[]): Seed[] {
  const shapes = shapesOf(graph);
  return seeds.filter(
    ({ id, cotangent }) => of.includes(id) && isSameShape(shapes[id] ?? [], cotangent.shape),
  );
}

/** Repeats the elements of each seed to as many as its id has. */
function fitted({ graph, of }: Recording, seeds: readonly Seed[]): Seed[] {
  const shapes = shapesOf(graph);
  return seeds.map((seed) => {
    const shape = shapes[seed.id];
    if (shape === undefined || !of.includes(seed.id)) return seed;
    const { data } = seed.cotangent;
    const cut = Float64Array.from({ length: sizeOf(shape) }, (_, i) => data[i % data.length] ?? 0);
    return { id: seed.id, cotangent: { shape, data: cut } };
  });
}

/** These faults concern what is refused, and what a refusal or a release leaves behind. */
export const refusalMutants: readonly TapeEngineMutant[] = tapeMutantTable({
  released_tape_answers: {
    fault: "A released tape is still there, and answers.",
    source: "A21",
    change: around(() => ({ release: async () => hasReleased })),
  },
  once_answers_again: {
    fault: "A tape for one sweep answers every sweep.",
    source: "A21",
    change: () => (recording) => recording.right(recording.point, "until released"),
  },
  until_released_answers_once: {
    fault: "A tape that is to live until it is released is gone after a sweep.",
    source: "A22",
    change: () => (recording) => recording.right(recording.point, "once"),
  },
  wrong_shape_is_taken: {
    fault: "A seed of another shape is cut or repeated until it fits.",
    change: around((tape, recording) => ({
      sweep: (seeds, hook) => tape.sweep(fitted(recording, seeds), hook),
    })),
  },
  foreign_seed_is_dropped: {
    fault: "A seed at an id that is not there counts for nothing.",
    change: around((tape, recording) => ({
      sweep: (seeds, hook) =>
        tape.sweep(
          seeds.filter(({ id }) => recording.of.includes(id)),
          hook,
        ),
    })),
  },
  refusal_leaves_seeds: {
    fault: "A sweep that is refused leaves the seeds that fit in their slots, and the next one adds to them.",
    change: () => async (recording) => {
      const tape = await recording.right();
      let left: readonly Seed[] = [];
      return {
        ...tape,
        sweep: async (seeds, hook) => {
          const reply = await tape.sweep(seedsTogether(left, seeds), hook);
          left = reply.kind === "refused" ? fitting(recording, seeds) : [];
          return reply;
        },
      };
    },
  },
  refusal_releases: {
    fault: "A sweep that is refused takes the tape with it.",
    change: around((tape) => ({
      sweep: async (seeds, hook) => {
        const reply = await tape.sweep(seeds, hook);
        if (reply.kind === "refused") await tape.release();
        return reply;
      },
    })),
  },
  refusal_spends: {
    fault: "A sweep that is refused is the one sweep of a tape for one.",
    change: around((tape, { life }) => ({
      sweep: async (seeds, hook) => {
        const reply = await tape.sweep(seeds, hook);
        if (reply.kind === "refused" && life === "once") await tape.release();
        return reply;
      },
    })),
  },
  release_takes_all: {
    fault: "Releasing a tape releases every tape of the engine.",
    change: () => {
      const tapes: OpenTape[] = [];
      return async (recording) => {
        const tape = await recording.right();
        tapes.push(tape);
        return {
          ...tape,
          release: async () => {
            for (const each of tapes) await each.release();
            return hasReleased;
          },
        };
      };
    },
  },
  release_takes_the_newest: {
    fault: "Releasing a tape releases the one that was recorded last.",
    change: () => {
      const tapes: OpenTape[] = [];
      return async (recording) => {
        const tape = await recording.right();
        tapes.push(tape);
        return { ...tape, release: async () => present(tapes.at(-1), "a tape").release() };
      };
    },
  },
});
