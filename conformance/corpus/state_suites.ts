import { aliasing } from "./state_aliasing.ts";
import { reported } from "./state_catalogue.ts";
import { control } from "./state_control.ts";
import { derivatives } from "./state_derivatives.ts";
import { draws } from "./state_draws.ts";
import { edges } from "./state_edges.ts";
import { loops } from "./state_loops.ts";
import { optimisers } from "./state_optimisers.ts";
import { sessions } from "./state_sessions.ts";
import { tape } from "./state_tape.ts";
import type { StateText } from "./state_text.ts";
import { training } from "./state_training.ts";
import { viewing } from "./state_views.ts";

/** Holds every vector of programs as it is written, by theme; each becomes a file of `suites/state`. */
export const stateSuites: Readonly<Record<string, readonly StateText[]>> = {
  "aliases and overwritten values": aliasing,
  views: viewing,
  "branches, loops, calls": control,
  "edges of statements": edges,
  "each statement through a view in a loop": loops,
  "random numbers": draws,
  "checkpoint, no_grad, detach, retain, release": tape,
  "effects and sessions": sessions,
  "derivatives within programs": derivatives,
  optimisers,
  "defects of memory and control flow": reported,
  "defects of training": training,
};
