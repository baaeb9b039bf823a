import { hooked } from "./manners_hooks.ts";
import { keeping } from "./manners_kept.ts";
import { several } from "./manners_several.ts";
import { sweeping } from "./manners_sweeps.ts";
import type { MannersText } from "./manners_text.ts";

/** Holds every vector of tapes as it is written, by theme; each becomes a file of `suites/manners`. */
export const mannersSuites: Readonly<Record<string, readonly MannersText[]>> = {
  "one tape, and how often it is swept": sweeping,
  "several tapes, and what is refused": several,
  "what a tape keeps": keeping,
  "when hooks are called, and with what": hooked,
};
