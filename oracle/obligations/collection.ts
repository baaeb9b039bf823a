import type { Obligation } from "./obligation.ts";
import { familyOf } from "./run.ts";
import { scriptNamesOf } from "./script.ts";

/**
 * Lists what is wrong with a collection of obligations: ids or script names used twice, missing dependencies,
 * and circles of obligations that rest on each other. Of some families only, others may be missing.
 */
export function faultsOfCollection(
  obligations: readonly Obligation[],
  isWhole: boolean = true,
): readonly string[] {
  const ids = obligations.map(({ id }) => id);
  const known = new Set(ids);
  // What could not be made may be any obligation of its family.
  const hiding = new Set(obligations.filter(({ crash }) => crash !== undefined).map(familyOf));
  const there = new Set(obligations.map(familyOf));
  const mayBeMissing = (family: string): boolean => hiding.has(family) || !(isWhole || there.has(family));
  return [
    ...repeated(ids).map((id) => `two obligations are called ${id}`),
    ...repeated(obligations.flatMap(scriptNamesOf))
      .filter((name) => !known.has(name))
      .map((name) => `two scripts are called ${name}`),
    ...obligations.flatMap(({ id, dependsOn }) =>
      dependsOn
        .filter((other) => !known.has(other) && !mayBeMissing(familyOf({ id: other })))
        .map((other) => `${id} rests on ${other}, which is not there`),
    ),
    ...circles(obligations),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

/** Lists the obligations in circles: what is left once all that rest on settled ones are settled. */
function circles(obligations: readonly Obligation[]): readonly string[] {
  const known = new Set(obligations.map(({ id }) => id));
  const settled = new Set<string>();
  for (let before = -1; before < settled.size; ) {
    before = settled.size;
    for (const { id, dependsOn } of obligations)
      if (dependsOn.every((other) => settled.has(other) || !known.has(other))) settled.add(id);
  }
  return obligations
    .filter(({ id }) => !settled.has(id))
    .map(({ id }) => `${id} rests on itself, directly or through others`);
}
