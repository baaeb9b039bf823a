import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Obligation } from "../../oracle/obligations/index.ts";
import { scriptsOf } from "../../oracle/obligations/script.ts";
import { tiered } from "../../oracle/obligations/tiers.ts";

/**
 * Who asks about a mutant's obligations begins its lines so: a family is being made, or is, or one failed.
 */
export const MAKING = "making: ";
export const MADE = "made: ";
export const FAILED = "failed: ";

const folder = new URL("../../oracle/obligations/", import.meta.url);

/** Lists the folders of the room of obligations whose index may make some. */
const folders: readonly string[] = readdirSync(fileURLToPath(folder), { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && existsSync(fileURLToPath(new URL(`${entry.name}/index.ts`, folder))),
  )
  .map(({ name }) => name);

/** Lists the families of obligations: the folders whose index makes some. Cost: it loads them all. */
export async function familyNames(): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of folders) if ((await makersIn(name)).length > 0) names.push(name);
  return names;
}

/** Loads a family; what is returned makes its obligations of the everyday tier. */
export async function familyOf(name: string): Promise<() => readonly Obligation[]> {
  const makers = await makersIn(name);
  return () => tiered(makers.flatMap((make) => make("everyday"))).filter(({ tier }) => tier === "everyday");
}

/** Makes obligations; where a tier is named, what is of another one may be missing. */
type Maker = (tier: Obligation["tier"]) => readonly Obligation[];

async function makersIn(name: string): Promise<readonly Maker[]> {
  const loaded: unknown = await import(new URL(`${name}/index.ts`, folder).href);
  return Object.entries(loaded ?? {}).flatMap(([key, value]: [string, unknown]) =>
    key.endsWith("Obligations") && isMaker(value) ? [value] : [],
  );
}

function isMaker(value: unknown): value is Maker {
  return typeof value === "function";
}

/** Returns the hashes of all that is asked about an obligation. */
export function hashesOf(obligation: Obligation): readonly string[] {
  return scriptsOf(obligation).map(({ hash }) => hash);
}
