import type { Random } from "fast-check";
import type { Call, CallChange, Mode } from "../../spec/wire/index.ts";
import { siblingOf } from "../calls/index.ts";
import type { Case } from "../case/index.ts";
import { happens, oneOf } from "../random/index.ts";

const modes: readonly [Mode, ...Mode[]] = ["evaluate", "jvp", "vjp", "backward_dense"];

/** Lists what a call may change of a case, so that its answers may differ. */
function changesOf({ graph, seeds }: Case): readonly [CallChange, ...CallChange[]] {
  const entries: readonly CallChange[] = graph.environment.length === 0 ? [] : ["entries", "entries"];
  const attribute: readonly CallChange[] = siblingOf(graph) === undefined ? [] : ["attribute"];
  const seeded: readonly CallChange[] = seeds.length === 0 ? [] : ["seeds"];
  return ["inputs", "tangents", ...seeded, ...entries, ...attribute];
}

function modeFor(random: Random, change: CallChange): Mode {
  if (change === "tangents") return "jvp";
  return change === "seeds" ? oneOf(random, ["vjp", "backward_dense"]) : oneOf(random, modes);
}

/**
 * Draws the calls of a case: each mode once, in any order, and between them one or two calls that change
 * something; one call asked twice in a row; the graph loaded twice more; the first call asked again last.
 */
export function drawCalls(random: Random, question: Case): readonly Call[] {
  const calls: Call[] = [];
  const insert = (call: Call): void => {
    calls.splice(random.nextInt(0, calls.length), 0, call);
  };
  for (const mode of modes) insert({ mode });
  for (let left = random.nextInt(1, 2); left > 0; left--) {
    const change = oneOf(random, changesOf(question));
    insert({ mode: modeFor(random, change), change });
    // Few graphs have Δ, so those that do are asked more of it.
    if (change === "entries") insert({ mode: oneOf(random, modes), change });
  }
  if (happens(random, 1, 4)) {
    const place = random.nextInt(0, calls.length - 1);
    calls.splice(place, 0, ...calls.slice(place, place + 1));
  }
  if (happens(random, 1, 4))
    for (let left = 2; left > 0; left--) insert({ mode: oneOf(random, modes), change: "load" });
  if (happens(random, 1, 2)) calls.push(...calls.slice(0, 1));
  return calls;
}
