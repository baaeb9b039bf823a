import type { OpenTape } from "../../../spec/contract/index.ts";
import type { Graph, Point } from "../../../spec/graph/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { copyOf, type Recording, type TapeEngineMutant, tapeMutantTable } from "./tape_mutant.ts";

/** Makes a fault that depends on the first recording of each graph. */
function byFirst(
  tape: (first: Recording, own: Recording) => Promise<OpenTape>,
): () => (recording: Recording) => Promise<OpenTape> {
  return () => {
    const firsts = new Map<string, Recording>();
    return (recording) => {
      const key = JSON.stringify(recording.graph);
      const first = firsts.get(key) ?? { ...recording, point: copyOf(recording.point) };
      firsts.set(key, first);
      return tape(first, recording);
    };
  };
}

/** Changes the words of all keys of masks, with each call. */
function redrawn({ nodes }: Graph, { inputs, environment }: Point, times: number): Point {
  const keys = new Set(nodes.flatMap((node) => (node.op === "bernoulli_mask" ? [node.attributes.key] : [])));
  return {
    inputs,
    environment: new Map(
      [...environment].map(([name, tensor]): [string, FlatTensor] => [
        name,
        keys.has(name) ? { ...tensor, data: tensor.data.map((word) => word + times) } : tensor,
      ]),
    ),
  };
}

/** Makes a tape that records anew at each sweep, at a point that it is told then. */
async function recomputing(recording: Recording, at: () => Point): Promise<OpenTape> {
  const own = await recording.right();
  return {
    ...own,
    sweep: async (seeds, hook) => {
      const reply = await own.sweep(seeds);
      return reply.kind === "result" ? (await recording.right(at())).sweep(seeds, hook) : reply;
    },
  };
}

/** These faults concern what a tape remembers of where it was recorded. */
export const remembranceMutants: readonly TapeEngineMutant[] = tapeMutantTable({
  recording_overwrites: {
    fault: "All tapes of a graph are at the point where the last one was recorded.",
    change: () => {
      const last = new Map<string, Point>();
      return (recording) => {
        const key = JSON.stringify(recording.graph);
        const own = copyOf(recording.point);
        last.set(key, own);
        return recomputing(recording, () => last.get(key) ?? own);
      };
    },
  },
  pullback_of_the_first_recording: {
    fault: "The pullback that was made at the first recording is used for the later ones.",
    source: "N61",
    change: byFirst((first, own) => recomputing(own, () => first.point)),
  },
  constants_of_the_first_recording: {
    fault: "What is not differentiated is what it was at the first recording.",
    source: "N63",
    change: byFirst((first, own) => {
      const point = copyOf({ inputs: own.point.inputs, environment: first.point.environment });
      return recomputing(own, () => point);
    }),
  },
  variables_of_the_first_recording: {
    fault: "Only the variables of the first recording are watched: later ones get no cotangent.",
    source: "N67",
    change: byFirst(async (first, own) => {
      const tape = await own.right();
      const isFirst = first.point.inputs.every(({ data }, i) =>
        data.every((x, n) => Object.is(x, own.point.inputs[i]?.data[n])),
      );
      if (isFirst) return tape;
      return {
        ...tape,
        sweep: async (seeds, hook) => {
          const reply = await tape.sweep(seeds, hook);
          if (reply.kind !== "result") return reply;
          return {
            ...reply,
            value: reply.value.map(({ shape, data }) => ({ shape, data: data.map(() => 0) })),
          };
        },
      };
    }),
  },
  inputs_by_reference: {
    fault: "The inputs are kept as the caller's own arrays.",
    change: () => (recording) => {
      const { inputs } = recording.point;
      const { environment } = copyOf(recording.point);
      return recomputing(recording, () => ({ inputs, environment }));
    },
  },
  indices_by_reference: {
    fault: "Indices are kept as the caller's own arrays.",
    source: "N57",
    change: () => (recording) => {
      const { graph, point } = recording;
      const own = copyOf(point);
      const indices = graph.environment.filter(({ kind }) => kind === "index").map(({ name }) => name);
      const environment = new Map(
        [...own.environment].map(([name, tensor]): [string, FlatTensor] => [
          name,
          (indices.includes(name) ? point.environment.get(name) : undefined) ?? tensor,
        ]),
      );
      return recomputing(recording, () => ({ inputs: own.inputs, environment }));
    },
  },
  mask_drawn_again: {
    fault: "A second sweep computes the run again, and draws other masks.",
    source: "D17",
    change: () => (recording) => {
      const own = copyOf(recording.point);
      let sweeps = 0;
      return recomputing(recording, () => {
        const point = redrawn(recording.graph, own, sweeps);
        sweeps += 1;
        return point;
      });
    },
  },
  graphs_are_taken_for_one: {
    fault: "A tape of a graph with the same inputs as an earlier one is a tape of that.",
    change: () => {
      const firsts = new Map<string, Recording>();
      return async (recording) => {
        const key = JSON.stringify([recording.graph.inputs, recording.graph.environment]);
        const first = firsts.get(key) ?? recording;
        firsts.set(key, first);
        return first.right(copyOf(recording.point), recording.life);
      };
    },
  },
});
