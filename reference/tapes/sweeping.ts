import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { SparseContext } from "../context.ts";
import type { Tensor } from "../tensor.ts";
import type { Pull, Sweep, Taking } from "./system.ts";

/**
 * Sweeps as most systems do: for each node, last first, the settled cotangent of its slot is pulled back and
 * the results are added. Systems differ in where `pulls` takes the values from. Law: pulling each node in
 * this order with the reference's `vjp` gives {@link backpropAllCtx}. No recursion.
 */
export function* sweepBack<S>(
  { subject, slots: slotsOf, meter }: Taking<S>,
  seed: SparseContext<S>,
  pulls: Iterable<Pull<S>>,
): Sweep<S> {
  const inputs = subject.data.inputs.length;
  const slots = slotsOf(subject.additive, subject.shapes, inputs, seed);
  for (const { id, pull } of pulls) {
    const cotangent = slots.settled(id);
    yield { id, cotangent };
    const bars = pull(cotangent);
    meter.movedCotangents([id, ...bars.keys()]);
    slots.add(bars);
  }
  for (let id = inputs - 1; id >= 0; id--) yield { id: nodeId(id), cotangent: slots.settled(id) };
  return slots.all();
}

/** Returns the id of the node at `index`. */
export function idAt<S>({ subject }: Pick<Taking<S>, "subject">, index: number): NodeId {
  return nodeId(subject.data.inputs.length + index);
}

/** Computes the node at `index` from a context with its operands. `again` if the recording did. */
export function computed<S>(
  taking: Taking<S>,
  index: number,
  context: readonly Tensor<S>[],
  again: "first" | "again",
): Tensor<S> {
  const { subject, point, meter } = taking;
  const node = at(subject.data.nodes, index);
  meter.moved([...node.reads, idAt(taking, index)]);
  if (again === "again") meter.recomputed();
  return node.forward(context, point.environment);
}
