import type { Reply } from "../../spec/contract/index.ts";
import type { Seed } from "../../spec/graph/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Hearing } from "../hearing/index.ts";
import { scaledSeeds } from "./answers.ts";

/** Scaling by a power of two is exact in binary arithmetic; this one flips the sign too. */
export const FACTOR: number = -2;

/** These are the case's seeds times {@link FACTOR}, and the answer to them. */
export interface Scaled {
  readonly seeds: readonly Seed[];
  readonly reply: Reply<readonly FlatTensor[]>;
}

const known = new WeakMap<Hearing, Promise<Scaled>>();

/** Asks for the vjp of scaled seeds, once for a hearing: linearity compares it, repeatability does not. */
export function scaledOf(hearing: Hearing): Promise<Scaled> {
  const scaled = known.get(hearing) ?? askedOnce(hearing);
  known.set(hearing, scaled);
  return scaled;
}

async function askedOnce({ program, handed, question }: Hearing): Promise<Scaled> {
  const seeds = scaledSeeds(question.seeds, FACTOR);
  return { seeds, reply: await program.vjp(handed.point, seeds) };
}
