import {
  definition,
  type NodeData,
  type Tape,
  type TapeNode,
  type Tensor,
} from "../../../reference/index.ts";
import {
  type Additive,
  InvariantError,
  type Issue,
  nodeId,
  ok,
  type Result,
} from "../../../spec/shapes/index.ts";

/** A loop pulls cotangents back through a tape: a cotangent for each id goes in and comes out. */
export type Loop = <S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: readonly Tensor<S>[],
) => Result<readonly Tensor<S>[], Issue>;

/**
 * Pulls back as the definition's `backpropAllCtx` does [SEMANTICS §3], for the graph that a tape is: the
 * last node's cotangent is taken off, pulled back to each earlier id, added to the rest of the seed, and put
 * back at the end when the rest is done. What a node gives to an id that is not earlier has no entry to go
 * to. Throws {@link InvariantError} where a `backward` fails. Cost: that of the definition; for small tapes.
 */
export const peelLast: Loop = (algebra, tape, seed) => {
  const graph = { inputs: [], nodes: tape.map(graphNode) };
  return ok(definition.backpropAllCtx(algebra, graph, [], new Map(), seed));
};

/** Makes a tape's node a graph's: `vjp` is its `backward`, which gives once to an id. It has no tangents. */
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
