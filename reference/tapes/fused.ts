import { at, isSameShape, type NodeId, ok, present } from "../../spec/shapes/index.ts";
import type { GraphData } from "../graph.ts";
import type { Tensor } from "../tensor.ts";
import { rulesOnOperands } from "./reverse.ts";
import { asItIs, contextOf } from "./saving.ts";
import { computed, idAt, sweepBack } from "./sweeping.ts";
import { type Entry, type Pull, type Saved, type Taking, type TapeSystem, tapeSystem } from "./system.ts";

/** Nodes one after the other that are one line of a tape. */
export interface Group {
  readonly first: number;
  /** The last node's index, and one more. */
  readonly end: number;
}

/** The most nodes on one line. */
const LONGEST_GROUP = 16;

/**
 * One line for a run of elementwise nodes. What enters it is written down; the sweep computes the rest again.
 * A fused rule is its nodes' rules, last first, so sums keep their order. Sound over every algebra, to the
 * bit.
 */
export const fused: TapeSystem = fusedTape(groupsOf);

/** {@link fused} with other groups, or another way through one. */
export function fusedTape(
  groups: <S>(data: GraphData<S>) => readonly Group[],
  through: Through = passedThrough,
): TapeSystem {
  return tapeSystem({
    name: "fused",
    summary: "what comes into each run of elementwise nodes",
    keep: (taking) => {
      const lines = groups(taking.subject.data);
      const entries = recorded(taking, lines);
      return ok({
        entries,
        sweep: (seed) => sweepBack(taking, seed, pulls(taking, lines, entries, through)),
      });
    },
  });
}

/** Runs of nodes each of which reads values of its own shape alone. */
export function groupsOf<S>({ inputs, nodes }: GraphData<S>): readonly Group[] {
  const groups: Group[] = [];
  nodes.forEach(({ shape, reads }, index) => {
    const shapeAt = (id: NodeId): readonly number[] => inputs[id] ?? at(nodes, id - inputs.length).shape;
    const isElementwise = reads.length > 0 && reads.every((id) => isSameShape(shapeAt(id), shape));
    const open = groups.at(-1);
    const isLonger = isElementwise && open !== undefined && index - open.first < LONGEST_GROUP;
    if (
      isLonger &&
      isSameShape(at(nodes, open.first).shape, shape) &&
      at(nodes, open.first).reads.length > 0
    ) {
      groups[groups.length - 1] = { first: open.first, end: index + 1 };
    } else groups.push({ first: index, end: index + 1 });
  });
  return groups;
}

function recorded<S>(taking: Taking<S>, groups: readonly Group[]): readonly Entry<S>[] {
  const { subject, point } = taking;
  const save = asItIs(taking);
  const context = [...point.x];
  return groups.map(({ first, end }) => {
    for (let index = first; index < end; index++) context.push(computed(taking, index, context, "first"));
    const nodes = subject.data.nodes.slice(first, end);
    const entering = new Set(nodes.flatMap(({ reads }) => reads.filter((id) => id < idAt(taking, first))));
    return {
      op: nodes.map(({ name }) => name).join(" "),
      inputs: [...entering],
      output: idAt(taking, end - 1),
      saved: [...entering].map((id) => save(id, present(context[id], "a value"))),
      metadata: { shape: at(nodes, nodes.length - 1).shape },
    };
  });
}

/** Computes from what comes into a group a context with what its nodes read. */
export type Through = <S>(taking: Taking<S>, group: Group, entering: readonly Saved<S>[]) => Tensor<S>[];

/** Computes again all but the last: nobody in the group reads that. */
export function passedThrough<S>(
  taking: Taking<S>,
  { first, end }: Group,
  entering: readonly Saved<S>[],
): Tensor<S>[] {
  const context = contextOf(entering);
  for (let index = first; index < end - 1; index++)
    context[idAt(taking, index)] = computed(taking, index, context, "again");
  return context;
}

function* pulls<S>(
  taking: Taking<S>,
  groups: readonly Group[],
  entries: readonly Entry<S>[],
  through: Through,
): Generator<Pull<S>> {
  const { subject, point, meter } = taking;
  const rules = rulesOnOperands(subject);
  for (let line = groups.length - 1; line >= 0; line--) {
    const group = at(groups, line);
    const within = Array.from({ length: group.end - 1 - group.first }, (_, n) =>
      idAt(taking, group.first + n),
    );
    const context = through(taking, group, at(entries, line).saved);
    for (const id of within) meter.holdValue(id);
    for (let index = group.end - 1; index >= group.first; index--) {
      const rule = at(rules, index);
      yield {
        id: idAt(taking, index),
        pull: (c) => {
          meter.movedSaved(rule.reads);
          return rule.pull(context, point.environment, c);
        },
      };
    }
    for (const id of within) meter.dropValue(id);
  }
}
