import type { Distribution } from "../../spec/programs/index.ts";
import { formatShape, isSameShape, quote, type Shape } from "../../spec/shapes/index.ts";
import { threefry2x32 } from "../operators/index.ts";
import { type Tensor, tensor } from "../tensor.ts";
import type { Domain, Key, Shaped } from "./domain.ts";
import { StateFault } from "./fault.ts";

/** A run counts what its generator has drawn. */
interface Drawing {
  readonly drawn: number;
  /** Draws once more: how many draws of the same run came before, wherever the generator began. */
  nextDraw(): number;
}

/** A run has this of the world outside and of chance, and is so far in it. */
interface Outside<S> {
  readonly literals: { literal(x: number): S };
  /** Each channel has the tensors that are received from it, in order. */
  readonly world: ReadonlyMap<string, readonly Tensor<S>[]>;
  /** The generator has this key. */
  readonly key: Key;
  /** An engine's own generator has drawn these, in its place. */
  readonly draws?: readonly Tensor<S>[] | undefined;
  readonly progress: Drawing & { readonly received: Map<string, number> };
}

/** Returns the next draw of the generator, whose n-th key Threefry makes of its key and n, or an own one. */
export function drawnFrom<S, V extends Shaped, M>(
  domain: Domain<S, V, M>,
  { literals, progress, key, draws }: Outside<S>,
  from: Distribution,
  shape: Shape,
  own: Key | undefined,
): V {
  if (own === undefined && draws !== undefined)
    return domain.constant(replayed(draws[progress.nextDraw()], shape));
  const { drawn } = progress;
  if (own === undefined) progress.nextDraw();
  const words = own ?? threefry2x32(key, [0, drawn]);
  if (from.kind === "bernoulli") return domain.mask(words, from.rate, shape);
  return domain.constant(
    tensor(shape, (position) => {
      const [a, b] = threefry2x32(words, [0, position]);
      return literals.literal(((a ^ b) >>> 0) / 2 ** 32);
    }),
  );
}

function replayed<S>(draw: Tensor<S> | undefined, shape: Shape): Tensor<S> {
  if (draw !== undefined && isSameShape(draw.shape, shape)) return draw;
  throw new StateFault(
    "program/draws",
    draw === undefined
      ? "the run draws more often than was told."
      : `what was drawn has shape ${formatShape(draw.shape)}, and ${formatShape(shape)} is wanted.`,
    "tell every draw, in the order of the run",
  );
}

/** Returns the next tensor on a channel. Throws {@link StateFault} if none, or one of another shape. */
export function receivedOn<S, V extends Shaped, M>(
  domain: Domain<S, V, M>,
  { world, progress }: Outside<S>,
  channel: string,
  shape: Shape,
): V {
  const count = progress.received.get(channel) ?? 0;
  progress.received.set(channel, count + 1);
  const next = world.get(channel)?.[count];
  if (next !== undefined && isSameShape(next.shape, shape)) return domain.received(next);
  throw new StateFault(
    "program/world",
    next === undefined
      ? `nothing more comes on the channel ${quote(channel)}.`
      : `what comes on the channel ${quote(channel)} has shape ${formatShape(next.shape)}, and ${formatShape(shape)} is wanted.`,
    "give the world a tensor of this shape for each time it is asked",
  );
}
