import type { DataType } from "../../spec/wire/index.ts";
import { quoteWord } from "../testees/index.ts";

/** The random cases of a run were drawn so. */
export interface Drawn {
  /** The cases are of tapes, not of graphs. */
  readonly kind?: "tapes";
  readonly profile: string;
  readonly seed: number;
  readonly lawsEvery: number;
}

/** Returns the command that judges a case again: one of the run by its index, or a file. */
export function replayLine(
  { label, dtype }: { readonly label: string; readonly dtype: DataType },
  { kind, profile, seed, lawsEvery }: Drawn,
  place: number | string,
): string {
  return `adjudge replay -e ${quoteWord(label)} --dtype ${dtype} ${which()}`;

  function which(): string {
    if (typeof place === "string") return quoteWord(place);
    if (kind !== undefined) return `--kind ${kind} --profile ${profile} --seed ${seed} --case ${place}`;
    const hadLaws = lawsEvery > 0 && place % lawsEvery === 0;
    return `--profile ${profile} --seed ${seed} --case ${place}${hadLaws ? "" : " --no-laws"}`;
  }
}
