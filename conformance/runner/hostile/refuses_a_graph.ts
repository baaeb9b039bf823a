/** Refuses a graph, as only programs may be. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id }) => say({ id, kind: "refused", reason: "a saved value was overwritten" }));
