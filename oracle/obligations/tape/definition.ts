import { addTensors, type Tape, type Tensor, zeros } from "../../../reference/index.ts";
import { type Additive, type Issue, ok, type Result } from "../../../spec/index.ts";

/** A way to pull cotangents back through a tape: one cotangent for each id goes in, and one comes out. */
export type Loop = <S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: readonly Tensor<S>[],
) => Result<readonly Tensor<S>[], Issue>;

/**
 * `backpropAllCtx` of SEMANTICS §3, word for word, of the graph that a tape is: the last node's cotangent is taken off, pulled back to one entry for each earlier id,
 * added entry by entry to the rest of the seed, and put back at the end when the rest is done. What a node gives to an id that is not earlier has no
 * entry to go to. Fails: as a node's `backward` does. Cost: quadratic, recursive; for small tapes.
 */
export const peelLast: Loop = (algebra, tape, seed) => {
  const node = tape.at(-1);
  const cotangent = seed.at(-1);
  if (node === undefined || cotangent === undefined) return ok([]);
  const contributions = node.backward(cotangent);
  if (!contributions.ok) return contributions;
  const summed = seed.slice(0, -1).map((slot, id) => {
    const given = contributions.value.find(({ parent }) => parent === id);
    return addTensors(algebra, slot, given?.cotangent ?? zeros(algebra, slot.shape));
  });
  const rest = peelLast(algebra, tape.slice(0, -1), summed);
  return rest.ok ? ok([...rest.value, cotangent]) : rest;
};
