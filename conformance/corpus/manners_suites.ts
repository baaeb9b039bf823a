import { hooked } from "./manners_hooks.ts";
import { keeping } from "./manners_kept.ts";
import { several } from "./manners_several.ts";
import { sweeping } from "./manners_sweeps.ts";
import type { MannersText } from "./manners_text.ts";

/** Every vector of tapes as it is written, by its theme; all are files of `suites/manners`. */
export const mannersSuites: Readonly<Record<string, readonly MannersText[]>> = {
  "one tape, and how often it is swept": sweeping,
  "several tapes, and what is refused": several,
  "what a tape keeps": keeping,
  "when hooks are called, and with what": hooked,
};
