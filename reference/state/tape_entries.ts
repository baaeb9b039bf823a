import { expand, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, PrimitiveGraph } from "../../spec/graph/index.ts";
import type { Statement, View } from "../../spec/programs/index.ts";
import { at, type Issue, type NodeId, nodeId, ok, type Result, type Shape } from "../../spec/shapes/index.ts";
import { needsWithin, reverseRules } from "../reverse_needs.ts";
import type { Recording } from "./execute.ts";
import { hazardsOf, readsInPlace } from "./hazards.ts";

/** An operand that an entry reads where it lies in a memory, and what overwrites it there, if it is saved. */
export interface EntryInPlace {
  readonly place: number;
  /** So many memories were made before it. */
  readonly memory: number;
  readonly view: View;
  readonly overwrittenBy?: Statement;
}

/** An entry of a tape that saves what each rule reads: one for each node. */
export interface TapeEntry {
  readonly id: NodeId;
  readonly node: PrimitiveGraph["nodes"][number];
  /** The node of the graph, composites not written out, that it is a step of. */
  readonly origin: NodeId;
  readonly shape: Shape;
  /** Pulling back to operands that depend on an input reads these values, and these entries of Δ. */
  readonly saved: readonly NodeId[];
  readonly savedEntries: readonly string[];
  /** No input leads to it, so that nothing goes back through it. */
  readonly isConstant: boolean;
  readonly inPlace: readonly EntryInPlace[];
}

/**
 * Lists the tape of a run entry by entry, in order: what cotangents of what depends on an input are computed
 * from has to be saved [SEMANTICS §10.5]. **Law**: each entry saves what its pulls read in the sweep that
 * {@link lifetimes} goes, from all ids to all inputs. Fails: as `reverseRules` does. Cost: linear.
 */
export function tapeEntriesOf(
  graph: Graph,
  recording?: Recording<unknown>,
): Result<{ readonly entries: readonly TapeEntry[]; readonly shapes: readonly Shape[] }, Issue[]> {
  const expansion = expand(graph);
  const shapes = shapesOf(expansion.graph);
  const rules = reverseRules(expansion.graph, shapes);
  if (!rules.ok) return rules;
  const reads = recording === undefined ? ok([]) : readsInPlace(recording, expansion);
  if (!reads.ok) return reads;
  const overwriting = new Map(
    hazardsOf({ events: recording?.events ?? [] }, reads.value).map(({ read, statement }) => [
      read,
      statement,
    ]),
  );
  const inPlace = Map.groupBy(reads.value, ({ node }) => node);
  const inputs = expansion.graph.inputs.length;
  const leadsTo = expansion.graph.inputs.map(() => true);
  const entries = expansion.graph.nodes.map((node, index): TapeEntry => {
    const id = nodeId(inputs + index);
    const needs = needsWithin(at(rules.value, index), expansion.graph.environment).flatMap((need, i) =>
      need !== undefined && at(leadsTo, at(node.parents, i)) ? [need] : [],
    );
    const isConstant = needs.length === 0;
    leadsTo.push(!isConstant);
    const read = needs.flatMap(({ operands }) => operands).map((place) => at(node.parents, place));
    const ownValue = needs.some(({ value }) => value) ? [id] : [];
    return {
      id,
      node,
      origin: at(expansion.origins, id),
      shape: at(shapes, id),
      saved: [...new Set([...read, ...ownValue])],
      savedEntries: [...new Set(needs.flatMap(({ entries }) => entries))],
      isConstant,
      inPlace: (inPlace.get(id) ?? []).map((one) => {
        const overwrittenBy = overwriting.get(one);
        const { place, memory, view } = one;
        return { place, memory, view, ...(overwrittenBy === undefined ? {} : { overwrittenBy }) };
      }),
    };
  });
  return ok({ entries, shapes });
}
