import type { CoeffectJson, SignaturesJson } from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { nameOfId } from "../case/index.ts";
import { coeffectsOf, type MemoryAsked, type Mode } from "../diagnosis/coeffects/index.ts";
import { qualityOf } from "./quality.ts";

/** The two modes whose signatures are compared. */
const compared: readonly Mode[] = [{ kind: "forward", tangents: 1 }, { kind: "reverse" }];

/**
 * Says what forward and reverse mode cost and give: auxiliary memory, how good the gradient is, the tape, and
 * what escapes. Fails: as {@link coeffectsOf} does.
 */
export function signaturesOf(
  graph: Graph,
  asked: Omit<MemoryAsked, "modes">,
): Result<SignaturesJson, Issue[]> {
  const memory = coeffectsOf(graph, { ...asked, modes: compared });
  if (!memory.ok) return memory;
  const { axis, modes } = memory.value;
  return ok({
    of: asked.of.map((id) => nameOfId(graph, id)),
    wrt: asked.wrt.map((id) => nameOfId(graph, id)),
    ...(axis?.isFollowed === true ? { axisLength: axis.length } : {}),
    modes: modes.map((told, place) => ({
      mode: told.mode,
      memory: told.peak,
      quality: qualityOf(graph, asked.wrt, at(compared, place)).quality,
      tape: told.kept,
      escapes: escapesIn(told),
    })),
  });
}

/** Counts what leaves the sweep that makes it, results aside. */
export function escapesIn({ classes }: CoeffectJson): { readonly values: number; readonly elements: number } {
  const arena = classes.find(({ class: name }) => name === "arena");
  return { values: arena?.values ?? 0, elements: arena?.elements ?? 0 };
}
