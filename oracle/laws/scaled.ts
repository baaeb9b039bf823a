import type { Reply } from "../../spec/contract/index.ts";
import type { Seed } from "../../spec/graph/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Hearing } from "../hearing/index.ts";
import { scaledSeeds } from "./answers.ts";

/**
 * Seeds are scaled by this. It is no power of two and not ±1, so that no engine folds it as a special case;
 * its four bits keep most drawn seeds numbers of every precision.
 */
export const FACTOR: number = -11 / 8;

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
