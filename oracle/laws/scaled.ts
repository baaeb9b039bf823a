import type { Reply } from "../../spec/contract/index.ts";
import type { Seed } from "../../spec/graph/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Hearing } from "../hearing/index.ts";
import { scaledSeeds } from "./answers.ts";

/** A power of two: scaling by it is exact in binary arithmetic. The sign is turned too. */
export const FACTOR: number = -2;

/** The case's seeds times {@link FACTOR}, and the answer to them. */
export interface Scaled {
  readonly seeds: readonly Seed[];
  readonly reply: Reply<readonly FlatTensor[]>;
}

const known = new WeakMap<Hearing, Promise<Scaled>>();

/** What the program of a case pulls back of scaled seeds. Asked once for a hearing: one law compares it, and to another it is a question in between. */
export function scaledOf(hearing: Hearing): Promise<Scaled> {
  const scaled = known.get(hearing) ?? askedOnce(hearing);
  known.set(hearing, scaled);
  return scaled;
}

async function askedOnce({ program, handed, question }: Hearing): Promise<Scaled> {
  const seeds = scaledSeeds(question.seeds, FACTOR);
  return { seeds, reply: await program.vjp(handed.point, seeds) };
}
