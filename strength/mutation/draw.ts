import { randomAt } from "../../oracle/random/index.ts";
import { type Mutation, mutationsOf } from "./mutators.ts";
import { roomOf } from "./rooms.ts";

/** Lists all mutants of the files whose path begins with one of these. */
export function allMutations(
  sources: ReadonlyMap<string, string>,
  only: readonly string[],
): readonly Mutation[] {
  return [...sources].flatMap(([file, text]) =>
    roomOf(file) !== undefined && (only.length === 0 || only.some((path) => file.startsWith(path)))
      ? mutationsOf(file, text)
      : [],
  );
}

/** Draws so many, each as likely as the others. Law: of one seed, fewer are the first of more. */
export function drawn(mutations: readonly Mutation[], seed: number, count: number): readonly Mutation[] {
  const left = [...mutations];
  return Array.from({ length: Math.min(count, left.length) }, (_, index) => {
    const random = randomAt(seed, index);
    const [chosen] = left.splice(random.nextInt(0, left.length - 1), 1);
    return chosen;
  }).filter((mutation) => mutation !== undefined);
}
