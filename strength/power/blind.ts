import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Case } from "../../oracle/case/case.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import { families } from "./blind_classes.ts";

/** Random search of so many cases must reach what is not listed. */
export const BLIND_CASES = 5000;

/** What fewer cases reach is listed, so that another drawing may miss it. */
const SELDOM = 5;

/** These classes are too many to be listed; the share that is reached is held instead. */
export const COUNTED = "pairs";

/** How many cases reach each class of a family; those that never occur count 0. */
type Counts = ReadonlyMap<string, number>;

/** Counts for each class of each family the cases that have it. */
export function countClasses(questions: Iterable<Case>): ReadonlyMap<string, Counts> {
  const counted = new Map(
    [...families].map(([name, { all }]) => [name, new Map(all.map((one) => [one, 0]))]),
  );
  for (const question of questions) {
    for (const [name, family] of families) {
      const counts = counted.get(name);
      for (const one of new Set(family.in(question))) {
        const count = counts?.get(one);
        if (count !== undefined) counts?.set(one, count + 1);
      }
    }
  }
  return counted;
}

/** Lists the classes that at most `most` cases have. */
export function seldom(counts: Counts, most: number): readonly string[] {
  return [...counts].filter(([, count]) => count <= most).map(([name]) => name);
}

/** Draws the cases of a random search. */
export function* searched(count: number): Iterable<Case> {
  for (let index = 0; index < count; index++) yield searchedCase(1, index);
}

const listPath = fileURLToPath(new URL("./blind.json", import.meta.url));

/** Each family has its classes by operator, divided by semicolons; those under "all" have no operator. */
type Listed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The list that is kept has what search hardly ever reaches, and the least share of pairs, in percent. */
export interface BlindList {
  readonly pairsReached: number;
  readonly classes: Listed;
}

const DIVIDER = "; ";
const OPERATOR = /^(\w+): /;

/** Lists classes by operator, to be read by people too. */
export function listed(classes: readonly string[]): Readonly<Record<string, string>> {
  const lists = new Map<string, string[]>();
  for (const name of classes) {
    const op = OPERATOR.exec(name)?.[1];
    const key = op ?? "all";
    lists.set(key, [...(lists.get(key) ?? []), op === undefined ? name : name.slice(op.length + 2)]);
  }
  return Object.fromEntries([...lists].map(([op, names]) => [op, names.join(DIVIDER)]));
}

/** Returns the classes of {@link listed}. */
export function unlisted(lists: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(lists).flatMap(([op, names]) =>
    names.split(DIVIDER).map((name) => (op === "all" ? name : `${op}: ${name}`)),
  );
}

/** Reads the list that is kept. */
export function readBlindList(): BlindList {
  const list: BlindList = JSON.parse(readFileSync(listPath, "utf8"));
  return list;
}

/** Returns the share of classes that are reached, in percent. */
export function shareOf(counts: Counts): number {
  return (100 * (counts.size - seldom(counts, 0).length)) / counts.size;
}

/** Prints what random search never reaches, and writes the list that is kept. */
export function reportBlind(): void {
  const counted = countClasses(searched(BLIND_CASES));
  const classes: Record<string, Readonly<Record<string, string>>> = {};
  let pairsReached = 0;
  console.log(`of what random search of ${BLIND_CASES} cases never reaches:`);
  for (const [name, counts] of counted) {
    const never = seldom(counts, 0);
    console.log(`\n${name}: ${never.length} of ${counts.size} (${shareOf(counts).toFixed(1)} % reached)`);
    if (name === COUNTED) pairsReached = Math.floor(shareOf(counts));
    else classes[name] = listed(seldom(counts, SELDOM));
    for (const one of never) console.log(`  ${one}`);
  }
  writeFileSync(listPath, `${JSON.stringify({ pairsReached, classes }, undefined, 2)}\n`);
  console.log(`\nstrength/power/blind.json written`);
}
