import { Unsupported } from "../kit/library.ts";

/** Throws {@link Unsupported} where the library's function does not take what the operator does. */
export function onlyIf(isTaken: boolean, limit: string): void {
  if (!isTaken) throw new Unsupported(limit);
}
