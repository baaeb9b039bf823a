import { definition, type NodeData, type Tape, type TapeNode, type Tensor } from "../../../reference/index.ts";
import {
  type Additive,
  InvariantError,
  type Issue,
  nodeId,
  ok,
  type Result,
} from "../../../spec/shapes/index.ts";

/** A way to pull cotangents back through a tape: one cotangent for each id goes in, and one comes out. */
export type Loop = <S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: readonly Tensor<S>[],
) => Result<readonly Tensor<S>[], Issue>;

/**
 * `backpropAllCtx` of the definition [SEMANTICS §3], of the graph that a tape is: the last node's cotangent is taken off, pulled back to one entry for each earlier id,
 * added entry by entry to the rest of the seed, and put back at the end when the rest is done. What a node gives to an id that is not earlier has no
 * entry to go to. Throws {@link InvariantError} where a node's `backward` fails. Cost: that of the definition; for small tapes.
 */
export const peelLast: Loop = (algebra, tape, seed) => {
  const graph = { inputs: [], nodes: tape.map(graphNode) };
  return ok(definition.backpropAllCtx(algebra, graph, [], new Map(), seed));
};

/** A tape's node as a graph's: its value is there, and `vjp` is its `backward`, which gives to an id once at most. A tape has no tangents. */
function graphNode<S>({ name, value, parents, backward }: TapeNode<S>): NodeData<S> {
  return {
    name,
    shape: value.shape,
    reads: parents.map(nodeId),
    forward: () => value,
    jvp: () => {
      throw new InvariantError("a tape has no tangents");
    },
    vjp: (_context, _environment, upstream) => {
      const given = backward(upstream);
      if (!given.ok) throw new InvariantError(given.error.message);
      return new Map(given.value.map(({ parent, cotangent }) => [nodeId(parent), cotangent]));
    },
  };
}
