import { at, type NodeId, ok } from "../../spec/shapes/index.ts";
import { type ReverseRule, rulesOnOperands } from "./reverse.ts";
import { asItIs, lineOf, pullsOf } from "./saving.ts";
import { type Property, type Simplification, simplifications } from "./simplifications.ts";
import { computed, idAt, sweepBack } from "./sweeping.ts";
import { type Entry, type Kept, type Saved, type Taking, type TapeSystem, tapeSystem } from "./system.ts";

/** A pruned tape relies on these properties and applies these simplifications. */
export interface Pruning {
  /** Properties of the algebra; a simplification that needs another one is not used. */
  readonly properties: ReadonlySet<Property>;
  readonly simplifications: readonly Simplification[];
  /** Says for each node whether it stays: one that leads to no seed, or from no input, has no line. */
  readonly stays: <S>(taking: Taking<S>, rules: readonly ReverseRule<S>[]) => readonly boolean[];
}

/**
 * Makes a tape without what comes to nothing: dead nodes have no line, trivial ones save nothing. It gives
 * the cotangents of Γ for seeds at its recorded ids. The sparse form licenses it [SEMANTICS §3.8]: pulling
 * back zero gives zero, which adds nothing. Over floats 0 · ∞ breaks the one and −0 the other.
 */
export function prunedTape(
  properties: readonly Property[],
  changes: Partial<Omit<Pruning, "properties">> = {},
): TapeSystem {
  const pruning: Pruning = {
    properties: new Set(properties),
    simplifications,
    stays: leadsSomewhere,
    ...changes,
  };
  return tapeSystem({
    name: "pruned",
    summary: "the operands of nodes between an input and a seed, unless their rule is trivial",
    claim: "exact",
    reach: "inputs",
    // What is scaled twice gets its cotangent past the value in between.
    settles: !pruning.properties.has("multiplication associates"),
    keep: (taking) => ok(kept(taking, pruning)),
  });
}

function kept<S>(taking: Taking<S>, pruning: Pruning): Kept<S> {
  const { subject, point } = taking;
  const rules = simplified(taking, pruning);
  const stays = pruning.stays(taking, rules);
  const save = asItIs(taking);
  const saved = new Map<NodeId, Saved<S>>();
  const context = [...point.x];
  const entries = subject.data.nodes.flatMap((_, index): Entry<S>[] => {
    context.push(computed(taking, index, context, "first"));
    if (stays[index] !== true) return [];
    const line = at(rules, index).reads.map((id) => {
      const value = saved.get(id) ?? save(id, at(context, id));
      saved.set(id, value);
      return value;
    });
    return [lineOf(taking, index, line)];
  });
  return { entries, sweep: (seed) => sweepBack(taking, seed, pullsOf(taking, entries, rules)) };
}

function simplified<S>(
  taking: Taking<S>,
  { properties, simplifications: known }: Pruning,
): readonly ReverseRule<S>[] {
  const { written, shapes } = taking.subject;
  return rulesOnOperands(taking.subject).map((rule, index) => {
    if (written === undefined) return rule;
    for (const { needs, rule: simpler } of known) {
      const found = properties.has(needs) ? simpler(written, index, shapes) : undefined;
      if (found !== undefined) return found;
    }
    return rule;
  });
}

/** Says for each node whether an input leads to it, and rules lead from a seed back to it. */
export function leadsSomewhere<S>(taking: Taking<S>, rules: readonly ReverseRule<S>[]): readonly boolean[] {
  const { inputs, nodes } = taking.subject.data;
  const depends = inputs.map(() => true);
  for (const { reads } of nodes) depends.push(reads.some((id) => depends[id]));
  const seeded = new Set<NodeId>(taking.of);
  for (let index = nodes.length - 1; index >= 0; index--) {
    if (!seeded.has(idAt(taking, index))) continue;
    for (const id of at(rules, index).gives ?? at(nodes, index).reads) seeded.add(id);
  }
  return nodes.map((_, index) => depends[inputs.length + index] === true && seeded.has(idAt(taking, index)));
}
