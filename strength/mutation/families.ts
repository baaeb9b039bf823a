import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Obligation } from "../../oracle/obligations/index.ts";
import { scriptsOf } from "../../oracle/obligations/script.ts";

const folder = new URL("../../oracle/obligations/", import.meta.url);

/** Lists the families of obligations: the folders of their room whose index makes some. */
export const familyNames: readonly string[] = readdirSync(fileURLToPath(folder), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["solve", "smt2", "certificates"].includes(entry.name))
  .map(({ name }) => name);

/** Loads a family; what is returned makes its obligations of the everyday tier. */
export async function familyOf(name: string): Promise<() => readonly Obligation[]> {
  const loaded: unknown = await import(new URL(`${name}/index.ts`, folder).href);
  const makers = Object.entries(loaded ?? {}).flatMap(([key, value]: [string, unknown]) =>
    key.endsWith("Obligations") && isMaker(value) ? [value] : [],
  );
  if (makers.length !== 1) throw new Error(`${name} exports ${makers.length} makers of obligations, not one`);
  return () => makers.flatMap((make) => make()).filter(({ tier }) => tier === "everyday");
}

function isMaker(value: unknown): value is () => readonly Obligation[] {
  return typeof value === "function";
}

/** Returns the hashes of all that is asked about an obligation. */
export function hashesOf(obligation: Obligation): readonly string[] {
  return scriptsOf(obligation).map(({ hash }) => hash);
}
