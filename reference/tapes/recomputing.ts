import { at, type NodeId, nodeId, ok, present } from "../../spec/shapes/index.ts";
import type { Tensor } from "../tensor.ts";
import { rulesOnOperands } from "./reverse.ts";
import { lineOf } from "./saving.ts";
import { computed, idAt, sweepBack } from "./sweeping.ts";
import { type Pull, type SystemParts, type Taking, type TapeSystem, tapeSystem } from "./system.ts";

/** Writes down the inputs alone. */
export const keepInputs: SystemParts["keep"] = (taking) => {
  const { subject, point, meter } = taking;
  for (const id of point.x.keys()) meter.holdValue(nodeId(id));
  const context = [...point.x];
  const entries = subject.data.nodes.map((_, index) => {
    context.push(computed(taking, index, context, "first"));
    return lineOf(taking, index, []);
  });
  return ok({ entries, sweep: (seed) => sweepBack(taking, seed, pulls(taking)) });
};

/** Saves only the inputs: what a rule reads is computed from them again, each time. Cost: quadratic. */
export const recomputing: TapeSystem = tapeSystem({
  name: "recomputing",
  summary: "the inputs",
  keep: keepInputs,
});

function* pulls<S>(taking: Taking<S>): Generator<Pull<S>> {
  const { subject, point, meter } = taking;
  const rules = rulesOnOperands(subject);
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = at(rules, index);
    yield {
      id: idAt(taking, index),
      pull: (c) => {
        const context = computedAgain(taking, rule.reads);
        meter.movedSaved(rule.reads);
        return rule.pull(context, point.environment, c);
      },
    };
  }
}

/** Computes the values at `wanted` from the inputs, and keeps others while a node reads them. */
function computedAgain<S>(taking: Taking<S>, wanted: readonly NodeId[]): Tensor<S>[] {
  const { subject, point, meter } = taking;
  const { inputs, nodes } = subject.data;
  const again = dependencies(taking, wanted);
  const last = new Map<NodeId, NodeId>();
  for (const id of again) for (const read of at(nodes, id - inputs.length).reads) last.set(read, id);
  const live = new Map<NodeId, Tensor<S>>(point.x.map((value, id) => [nodeId(id), value]));
  const contextOf = (ids: readonly NodeId[]): Tensor<S>[] => {
    const context: Tensor<S>[] = [];
    for (const id of ids) context[id] = present(live.get(id), "a value that is still read");
    return context;
  };
  for (const id of again) {
    const { reads } = at(nodes, id - inputs.length);
    live.set(id, computed(taking, id - inputs.length, contextOf(reads), "again"));
    meter.holdValue(id);
    for (const read of new Set(reads)) {
      if (read < inputs.length || last.get(read) !== id || wanted.includes(read)) continue;
      live.delete(read);
      meter.dropValue(read);
    }
  }
  for (const id of live.keys()) if (id >= inputs.length) meter.dropValue(id);
  return contextOf(wanted);
}

/** Returns the nodes that `wanted` are or depend on, in order. */
function dependencies<S>({ subject }: Taking<S>, wanted: readonly NodeId[]): readonly NodeId[] {
  const { inputs, nodes } = subject.data;
  const found = new Set<NodeId>();
  const pending = [...wanted];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id < inputs.length || found.has(id)) continue;
    found.add(id);
    for (const parent of at(nodes, id - inputs.length).reads) pending.push(parent);
  }
  return [...found].sort((a, b) => a - b);
}
