import { mutantFamilies } from "../../engines/index.ts";
import type { Matrix } from "./matrix.ts";
import { measureTrials } from "./measure.ts";
import type { Row } from "./row.ts";
import { isOwn, OWN } from "./suite.ts";
import { table } from "./table.ts";

/** These profiles were made because random search missed mutants of a family. */
const ownProfiles: ReadonlyMap<string, readonly string[]> = new Map([
  ["kinks", ["kink"]],
  ["moves", ["arranging"]],
  ["composites", ["network", "windows"]],
  ["nesting", ["nested"]],
]);

/** Random search finds this of a family without the profiles that were made for it. */
export interface Unaided {
  /** A mutant was asked this many cases at most. */
  readonly cases: number;
  /** Each mutant of a family with own profiles is found after this many cases; `undefined` if it is not. */
  readonly found: ReadonlyMap<string, number | undefined>;
}

/** Measures what is found of families without their own profiles, on every core. */
export async function measureUnaided(seed: number, cases: number): Promise<Unaided> {
  const profiles = new Map(
    mutantFamilies.flatMap(({ family, members }) => {
      const own = ownProfiles.get(family);
      return own === undefined ? [] : members.map(({ name }) => [name, own] as const);
    }),
  );
  const found = await measureTrials([...profiles.keys()], {
    seed,
    cases,
    by: { kind: "withheld", profiles },
  });
  return { cases, found };
}

/** This is found of one family, by name, and without what was made for it. */
interface Found {
  readonly family: string;
  readonly members: readonly string[];
  readonly bySuite: readonly string[];
  /** These are killed without the vectors that were written because a mutant of the family survived. */
  readonly byOthers: readonly string[];
  /** These are killed even without vectors for published defects that the family is modelled on. */
  readonly byStrangers: readonly string[];
  /** Random search finds these within the cases of {@link Unaided}. */
  readonly bySearch: readonly string[];
  /** Random search finds these without the family's own profiles. */
  readonly byUnaided: readonly string[];
}

function foundByFamily({ rows, suite }: Matrix, unaided: Unaided): readonly Found[] {
  const defectsOf = new Map(suite.map(({ name, defects }) => [name, defects]));
  return mutantFamilies.map(({ family, members }) => {
    const own = rows.filter(({ mutant }) => members.some(({ name }) => name === mutant.name));
    const sources = new Set(own.map(({ mutant }) => mutant.source));
    const isShown = (vector: string): boolean =>
      (defectsOf.get(vector) ?? []).some((defect) => sources.has(defect));
    const found = (isFound: (row: Row) => boolean): string[] =>
      own.filter(({ row }) => isFound(row)).map(({ row }) => row.name);
    const bySuite = (isLeft: (vector: string) => boolean): string[] =>
      found((row) => row.suite.generic.some(({ name }) => isLeft(name)));
    const bySearch = found(
      ({ random: { generic } }) => generic !== undefined && generic.cases <= unaided.cases,
    );
    return {
      family,
      members: own.map(({ row }) => row.name),
      bySuite: bySuite(() => true),
      byOthers: bySuite((vector) => !isOwn(vector)),
      byStrangers: bySuite((vector) => !isOwn(vector) && !isShown(vector)),
      bySearch,
      byUnaided: ownProfiles.has(family)
        ? found(({ name }) => unaided.found.get(name) !== undefined)
        : bySearch,
    };
  });
}

/** The table counts these for each family. */
const columns: readonly (readonly [head: string, part: (found: Found) => readonly string[]])[] = [
  ["mutants", ({ members }) => members],
  ["killed by the suite", ({ bySuite }) => bySuite],
  [`without \`${OWN}\``, ({ byOthers }) => byOthers],
  ["nor its defects", ({ byStrangers }) => byStrangers],
  ["killed at random", ({ bySearch }) => bySearch],
  ["without its profile", ({ byUnaided }) => byUnaided],
];

/** Writes the section on what suite and search find that they were not made for. */
export function generalisationSection(matrix: Matrix, unaided: Unaided): string {
  const families = foundByFamily(matrix, unaided);
  const lines = families.map((found) => [
    found.family,
    ...columns.map(([, part]) => `${part(found).length}`),
  ]);
  const all = ["all", ...columns.map(([, part]) => `${families.flatMap(part).length}`)];
  const profiles = [...ownProfiles].map(([family, names]) => `\`${names.join("`, `")}\` for ${family}`);
  const missed = families.flatMap(({ bySuite, byStrangers }) =>
    bySuite.filter((name) => !byStrangers.includes(name)),
  );
  return `## Generalisation

Suite and search have grown beside the mutants, and find of these what they might not find of others. Here each family of mutants
meets only what was not made for it. *The suite*: first without the vectors of \`${OWN}\` that kill one of the family, each
of which was written because some mutant survived; then also without those that show a published defect which one of the
family is modelled on. *Random search*, up to ${unaided.cases} cases: without the profile that was made because mutants of the family
survived (${profiles.join(", ")}). Its cases are passed over, and those of the other profiles take their place; where none of
these draws the operators, nothing is found. For the other families nothing is left out.

${table(["family", ...columns.map(([head]) => head)], [...lines, all])}

Killed by none of the vectors that are left: ${missed.map((name) => `\`${name}\``).join(", ")}.`;
}
