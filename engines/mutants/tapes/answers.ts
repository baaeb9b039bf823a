import type { Hook, OpenTape, RefusableReply } from "../../../spec/contract/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import {
  copiedTensor,
  type Recording,
  seedsTogether,
  summed,
  type TapeEngineMutant,
  type TapeFault,
  tapeMutantTable,
} from "./tape_mutant.ts";

type Answer = readonly FlatTensor[];

/** Changes a right tape's answers, given those before and the seeds. */
function answering(
  change: () => (answer: Answer, seeds: readonly Seed[], recording: Recording) => Answer,
): TapeFault {
  return () => async (recording) => {
    const tape = await recording.right();
    const changed = change();
    return {
      ...tape,
      sweep: async (seeds, hook) => {
        const reply = await tape.sweep(seeds, hook);
        return reply.kind === "result" ? { ...reply, value: changed(reply.value, seeds, recording) } : reply;
      },
    };
  };
}

/** Returns the next float away from 0. */
function nudged(x: number): number {
  return x * (1 + Number.EPSILON);
}

/** Sweeps a right tape from other seeds. */
function seeding(
  change: () => (tape: OpenTape, seeds: readonly Seed[], hook?: Hook) => Promise<RefusableReply<Answer>>,
): TapeFault {
  return () => async (recording) => {
    const tape = await recording.right();
    const sweep = change();
    return { ...tape, sweep: (seeds, hook) => sweep(tape, seeds, hook) };
  };
}

/** These faults concern what one sweep leaves to another, and who owns arrays. */
export const answerMutants: readonly TapeEngineMutant[] = tapeMutantTable({
  starts_from_the_last_cotangents: {
    fault: "A sweep adds to the cotangents that the last one has left.",
    source: "A06",
    change: answering(() => {
      let left: Answer | undefined;
      return (answer) => {
        const sum = left === undefined ? answer : summed(answer, left);
        left = sum.map(copiedTensor);
        return sum;
      };
    }),
  },
  seeds_add_up: {
    fault: "The seeds of earlier sweeps are still in their slots.",
    change: seeding(() => {
      let planted: readonly Seed[] = [];
      return async (tape, seeds, hook) => {
        const all = seedsTogether(planted, seeds);
        const reply = await tape.sweep(all, hook);
        if (reply.kind === "result")
          planted = all.map(({ id, cotangent }) => ({ id, cotangent: copiedTensor(cotangent) }));
        return reply;
      };
    }),
  },
  answers_from_memory: {
    fault: "Every sweep gets the answer of the first one.",
    change: answering(() => {
      let first: Answer | undefined;
      return (answer) => {
        first ??= answer.map(copiedTensor);
        return first.map(copiedTensor);
      };
    }),
  },
  second_sweep_is_zero: {
    fault: "A second sweep finds everything swept, and answers zeros.",
    source: "A22",
    change: answering(() => {
      let isSwept = false;
      return (answer) => {
        const given = isSwept
          ? answer.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }))
          : answer;
        isSwept = true;
        return given;
      };
    }),
  },
  third_sweep_doubles: {
    fault: "From the third sweep on cotangents are doubled.",
    change: answering(() => {
      let sweeps = 0;
      return (answer) => {
        sweeps += 1;
        return sweeps > 2 ? summed(answer, answer) : answer;
      };
    }),
  },
  other_digits_each_time: {
    fault:
      "Every second sweep is off by a unit in the last place, which is within the bound of most operators.",
    change: answering(() => {
      let sweeps = 0;
      return (answer) => {
        sweeps += 1;
        return sweeps % 2 === 0
          ? answer.map(({ shape, data }) => ({ shape, data: data.map(nudged) }))
          : answer;
      };
    }),
  },
  answers_share_a_buffer: {
    fault: "All answers of a tape are the same arrays.",
    source: "N65",
    change: answering(() => {
      let held: Answer | undefined;
      return (answer) => {
        if (held === undefined) held = answer.map(copiedTensor);
        else for (const [i, { data }] of answer.entries()) at(held, i).data.set(data);
        return held;
      };
    }),
  },
  cotangents_share_a_buffer: {
    fault: "The cotangents of inputs of one shape are in one buffer, which holds the last of them.",
    source: "N65",
    change: answering(() => (answer) => {
      const buffers = new Map<string, FlatTensor>();
      return answer.map((tensor) => {
        const key = tensor.shape.join();
        const buffer = buffers.get(key) ?? copiedTensor(tensor);
        buffers.set(key, buffer);
        buffer.data.set(tensor.data);
        return buffer;
      });
    }),
  },
  seed_is_the_answer: {
    fault: "Where a cotangent equals a seed, it is the caller's own array.",
    change: answering(
      () => (answer, seeds) =>
        answer.map((tensor) => {
          const same = seeds.find(
            ({ cotangent: { shape, data } }) =>
              shape.join() === tensor.shape.join() && data.every((x, i) => Object.is(x, tensor.data[i])),
          );
          return same?.cotangent ?? tensor;
        }),
    ),
  },
  sweeps_share_slots: {
    fault: "Sweeps that are under way together have one set of slots.",
    source: "A11",
    change: seeding(() => {
      let underWay: readonly Seed[] = [];
      return async (tape, seeds, hook) => {
        underWay = seedsTogether(underWay, seeds);
        await undefined;
        const reply = await tape.sweep(underWay, hook);
        underWay = [];
        return reply.kind === "refused" ? tape.sweep(seeds, hook) : reply;
      };
    }),
  },
});
