import type { Hook, OpenTape } from "../../../spec/contract/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../../spec/shapes/index.ts";
import { flowOf } from "../../../spec/tapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { tellingAtFirst, tellingParts } from "./settling.ts";
import {
  copiedTensor,
  type Recording,
  summed,
  type TapeEngineMutant,
  type TapeFault,
  tapeMutantTable,
} from "./tape_mutant.ts";

/** Calls a right tape's hooks otherwise; `make` is called for each tape, its result for each sweep. */
function calling(make: (recording: Recording) => (hook: Hook, seeds: readonly Seed[]) => Hook): TapeFault {
  return () => async (recording) => {
    const tape = await recording.right();
    const change = make(recording);
    return { ...tape, sweep: (seeds, hook) => tape.sweep(seeds, hook && change(hook, seeds)) };
  };
}

/** Changes the sweeps of a right tape with hooks. */
function sweeping(
  change: (
    tape: OpenTape,
    recording: Recording,
  ) => (seeds: readonly Seed[], hook: Hook) => ReturnType<OpenTape["sweep"]>,
): TapeFault {
  return () => async (recording) => {
    const tape = await recording.right();
    const changed = change(tape, recording);
    return {
      ...tape,
      sweep: (seeds, hook) => (hook === undefined ? tape.sweep(seeds) : changed(seeds, hook)),
    };
  };
}

function zerosOf({ shape }: Pick<FlatTensor, "shape">): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)) };
}

function negated({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map((x) => -x) };
}

/** Returns the ids that are inputs, or whose first operand an input moves. */
function fedByInputs({ graph, hooks }: Recording): ReadonlySet<NodeId> {
  const { isMoved } = flowOf(graph);
  return new Set(
    hooks.filter((id) => {
      const first = graph.nodes[id - graph.inputs.length]?.parents[0];
      return first === undefined || isMoved[first] === true;
    }),
  );
}

/** These faults concern whether, when and with what hooks are called, and what they change. */
export const hookMutants: readonly TapeEngineMutant[] = tapeMutantTable({
  called_by_each_reader: {
    fault: "A hook is called for each reader of its value, with that reader's part.",
    reverse: tellingParts,
  },
  called_at_the_first_reader: {
    fault: "A hook is called as soon as something has come to its value, before all of it has.",
    source: "A05",
    reverse: tellingAtFirst,
  },
  not_called_where_data_comes_in: {
    fault: "The hook of a node whose first operand needs no gradient is not called.",
    source: "N69",
    change: calling((recording) => {
      const fed = fedByInputs(recording);
      return (hook) => (id, cotangent) => {
        if (fed.has(id)) hook(id, cotangent);
      };
    }),
  },
  not_called_again: {
    fault: "Hooks are called in the first sweep of a tape alone.",
    change: calling(() => {
      let isSwept = false;
      return (hook) => {
        const isFirst = !isSwept;
        isSwept = true;
        return isFirst ? hook : () => {};
      };
    }),
  },
  called_twice_in_a_second_sweep: {
    fault: "A second sweep hangs the hooks up once more, and calls each twice.",
    source: "F11",
    change: calling(() => {
      let sweeps = 0;
      return (hook) => {
        sweeps += 1;
        const times = Math.min(sweeps, 2);
        return (id, cotangent) => {
          for (let n = 0; n < times; n++) hook(id, copiedTensor(cotangent));
        };
      };
    }),
  },
  handed_the_first_cotangent: {
    fault: "Every sweep hands a hook what the first one has.",
    change: calling(() => {
      const firsts = new Map<NodeId, FlatTensor>();
      return (hook) => (id, cotangent) => {
        const first = firsts.get(id) ?? copiedTensor(cotangent);
        firsts.set(id, first);
        hook(id, copiedTensor(first));
      };
    }),
  },
  handed_anothers_cotangent: {
    fault: "A hook is handed what came to the value whose hook was called before it.",
    change: calling(() => (hook) => {
      let last: FlatTensor | undefined;
      return (id, cotangent) => {
        hook(id, last ?? cotangent);
        last = copiedTensor(cotangent);
      };
    }),
  },
  own_seed_left_out: {
    fault: "The hook of a value that is seeded is handed what its readers give, without the seed.",
    change: calling(() => (hook, seeds) => (id, cotangent) => {
      const seed = seeds.find((one) => one.id === id)?.cotangent;
      hook(id, seed === undefined ? cotangent : at(summed([cotangent], [negated(seed)]), 0));
    }),
  },
  handed_arrays_are_used_again: {
    fault: "What hooks are handed is in one buffer for each shape.",
    source: "N65",
    change: calling(() => {
      const buffers = new Map<string, FlatTensor>();
      return (hook) => (id, cotangent) => {
        const key = cotangent.shape.join();
        const buffer = buffers.get(key) ?? copiedTensor(cotangent);
        buffers.set(key, buffer);
        buffer.data.set(cotangent.data);
        hook(id, buffer);
      };
    }),
  },
  called_although_refused: {
    fault: "Hooks are called before it is seen that the seeds do not fit.",
    change: sweeping((tape, { graph, hooks }) => async (seeds, hook) => {
      const shapes = shapesOf(graph);
      const reply = await tape.sweep(seeds, hook);
      if (reply.kind === "refused") for (const id of hooks) hook(id, zerosOf({ shape: at(shapes, id) }));
      return reply;
    }),
  },
  called_first_to_last: {
    fault: "Hooks are called when all is done, in the order of the run.",
    change: sweeping((tape) => async (seeds, hook) => {
      const calls: Seed[] = [];
      const reply = await tape.sweep(seeds, (id, cotangent) => calls.push({ id, cotangent }));
      for (const { id, cotangent } of calls.toSorted((a, b) => a.id - b.id)) hook(nodeId(id), cotangent);
      return reply;
    }),
  },
  hooks_of_the_first_recording: {
    fault: "The hooks of the first recording of a graph are those of all its tapes.",
    source: "N67",
    change: () => {
      const firsts = new Map<string, readonly NodeId[]>();
      return (recording) => {
        const key = JSON.stringify(recording.graph);
        const hooks = firsts.get(key) ?? recording.hooks;
        firsts.set(key, hooks);
        return recording.right(recording.point, recording.life, hooks);
      };
    },
  },
  hook_gives_nothing_back: {
    fault: "What a hook gives back, which is nothing, is handed on for zero.",
    change: sweeping((tape) => async (seeds, hook) => {
      let isCalled = false;
      const reply = await tape.sweep(seeds, (id, cotangent) => {
        isCalled = true;
        hook(id, cotangent);
      });
      return reply.kind === "result" && isCalled ? { ...reply, value: reply.value.map(zerosOf) } : reply;
    }),
  },
});
