import { mutantFamilies, mutants } from "../../engines/index.ts";
import { documentedSettings } from "./gradcheck.ts";
import { spread } from "./matrix.ts";
import { measureTrials } from "./measure.ts";
import { table } from "./table.ts";
import { unsoundCases } from "./trial.ts";

/** Finite differences, the usual test of a gradient, find this on the cases of the random search. */
export interface Differences {
  /** A mutant was asked this many cases at most. */
  readonly cases: number;
  /** The sound interpreter is accused in this many of them. */
  readonly accused: number;
  /** Each mutant is first accused, where the sound interpreter is not, after this many cases, if ever. */
  readonly found: ReadonlyMap<string, number | undefined>;
}

/** Measures what finite differences find of all mutants, on every core. Cost: minutes for 1,000 cases. */
export async function measureDifferences(seed: number, cases: number): Promise<Differences> {
  const settings = documentedSettings;
  const unsound = await unsoundCases(seed, cases, settings);
  const names = mutants.map(({ name }) => name);
  const found = await measureTrials(names, { seed, cases, by: { kind: "differences", settings, unsound } });
  return { cases, accused: unsound.size, found };
}

/** Writes the section on finite differences, for the document and for the terminal. */
export function differencesSection({ cases, accused, found }: Differences): string {
  const { eps, atol, rtol } = documentedSettings;
  const line = (family: string, names: readonly string[]): string[] => {
    const counts = names.flatMap((name) => found.get(name) ?? []);
    const median = counts.length === 0 ? "" : `${spread(counts).median}`;
    return [family, `${names.length}`, `${counts.length}`, median];
  };
  const families = mutantFamilies.map(({ family, members }) =>
    line(
      family,
      members.map(({ name }) => name),
    ),
  );
  const all = line("all", [...found.keys()]);
  return `## Finite differences

The usual test of a gradient holds it against quotients of differences. \`npm run power -- --gradcheck\` does so on the cases
of random search, as \`torch.autograd.gradcheck\` does by default: every element of every input is moved by
±${eps.toExponential()} in float64, and every derivative of every output must lie within
${atol.toExponential()} + ${rtol.toExponential()} · |quotient| of the quotient. The outputs are the nodes that no other reads, and those
that the case seeds. There is no truth: the values are the engine's own, so that a function which is wrong together with its
derivative passes, and so does whatever is wrong with tangents, which are not asked by default. In cases in which the sound
interpreter is accused, as it is at kinks, at poles and where values are large, the accusation of a mutant does not count.

Within ${cases} cases ${all[2]} of ${all[1]} mutants are found, and the sound interpreter is accused in ${accused} cases
(${((100 * accused) / cases).toFixed(1)} %).

${table(["family", "mutants", "found", "cases until then, median"], [...families, all])}`;
}
