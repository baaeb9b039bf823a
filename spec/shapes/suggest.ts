/**
 * Returns the name that someone who wrote `word` probably meant: one that starts with it or that it starts
 * with (`mul`, `sums`), else the nearest within two letters added, dropped or replaced; `undefined` if there
 * is none. Cost: bounded; only the first 64 characters of `word` are looked at.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const start = word.slice(0, 64).toLowerCase();
  if (start.length >= 2) {
    const extended = names.find((name) => name.startsWith(start) || start.startsWith(`${name}_`));
    if (extended !== undefined) return extended;
  }
  const near = names
    .map((name) => ({ name, distance: editDistance(start, name) }))
    .filter(({ name, distance }) => distance <= 2 && distance < name.length);
  near.sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Returns Levenshtein's distance: the least number of letters added, dropped or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
