import { at, type NodeId, present } from "../../spec/shapes/index.ts";
import type { Tensor } from "../tensor.ts";
import type { ReverseRule } from "./reverse.ts";
import { computed, idAt, sweepBack } from "./sweeping.ts";
import type { Entry, Kept, Pull, Saved, Taking } from "./system.ts";

/** Puts a value aside; called once for each id that a rule reads. */
export type Save<S> = (id: NodeId, value: Tensor<S>) => Saved<S>;

/** Saves a value as it is. */
export function asItIs<S>({ meter }: Taking<S>): Save<S> {
  return (id, value) => {
    meter.holdValue(id);
    return { id, read: () => value };
  };
}

/**
 * Makes a system whose tapes have one line a node, on which stands what the node's rule reads. How a value is
 * put aside, and which rule it is, makes the system. Cost: linear.
 */
export function saving<S>(
  taking: Taking<S>,
  rules: readonly ReverseRule<S>[],
  save: Save<S> = asItIs(taking),
): Kept<S> {
  const { subject, point } = taking;
  const context = [...point.x];
  const kept = new Map<NodeId, Saved<S>>();
  const savedAt = (id: NodeId): Saved<S> => {
    const saved = kept.get(id) ?? save(id, present(context[id], "a value"));
    kept.set(id, saved);
    return saved;
  };
  const entries = subject.data.nodes.map((_, index): Entry<S> => {
    context.push(computed(taking, index, context, "first"));
    return lineOf(taking, index, at(rules, index).reads.map(savedAt));
  });
  return {
    entries,
    sweep: (seed) => sweepBack(taking, seed, pullsOf(taking, entries, rules)),
  };
}

/** Returns the line of a node. */
export function lineOf<S>(taking: Taking<S>, index: number, saved: readonly Saved<S>[]): Entry<S> {
  const { name, reads, shape } = at(taking.subject.data.nodes, index);
  return { op: name, inputs: reads, output: idAt(taking, index), saved, metadata: { shape } };
}

/** Yields for each line, last first, its rule on what stands there. */
export function* pullsOf<S>(
  { subject, point, meter }: Taking<S>,
  entries: readonly Entry<S>[],
  rules: readonly ReverseRule<S>[],
): Generator<Pull<S>> {
  for (let line = entries.length - 1; line >= 0; line--) {
    const { output, saved } = at(entries, line);
    const rule = at(rules, output - subject.data.inputs.length);
    yield {
      id: output,
      pull: (c) => {
        meter.movedSaved(saved.map(({ id }) => id));
        return rule.pull(contextOf(saved), point.environment, c);
      },
    };
  }
}

/** Returns a context in which the saved values stand at their ids, and nothing else. */
export function contextOf<S>(saved: readonly Saved<S>[]): Tensor<S>[] {
  const context: Tensor<S>[] = [];
  for (const { id, read } of saved) context[id] = read();
  return context;
}
