import {
  addTensors,
  type Context,
  type Environment,
  type Graph,
  map,
  type Tensor,
} from "../../../reference/index.ts";
import { type Additive, at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import type { FloatSet } from "../sets/float_set.ts";
import { settled } from "../sets/set_algebra.ts";

/** A cotangent is pulled back in this context. */
interface Pulled {
  readonly context: Context<FloatSet>;
  readonly environment: Environment<FloatSet>;
  readonly c: Tensor<FloatSet>;
}

/** Returns what the reference hands to ids from `id` on, through all nodes before it but where it `ends`. */
export function pulled(
  { inputs, nodes }: Graph<FloatSet>,
  additive: Additive<FloatSet>,
  ends: (id: NodeId) => boolean,
  id: NodeId,
  { context, environment, c }: Pulled,
): Map<NodeId, Tensor<FloatSet>> {
  const slots = new Map<NodeId, Tensor<FloatSet>>([[id, c]]);
  for (let from: number = id; from >= inputs.length; from--) {
    const slot = slots.get(nodeId(from));
    if (slot === undefined || (from !== id && ends(nodeId(from)))) continue;
    const handed = at(nodes, from - inputs.length).vjp(context, environment, map(slot, settled));
    for (const [parent, bar] of handed) {
      const before = slots.get(parent);
      slots.set(parent, before ? addTensors(additive, before, bar) : bar);
    }
  }
  return slots;
}
