import { tryFile } from "./files.ts";
import { holdLean, tryLean } from "./lean.ts";
import { asked, tryLines, trySmoke } from "./lines.ts";
import { tryStorage } from "./storage.ts";
import { tryWords } from "./words.ts";

/** One of these is hostile. */
export type Kind = "files" | "lines" | "words" | "lean";

/** A seed's trial counts what was tried, and lists what is wrong with how it was taken. */
export interface Tried {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** A lane is told its order, and tells news. */
export interface Order {
  readonly kind: Kind;
  readonly first: number;
  readonly stride: number;
}
export type News =
  | { readonly kind: "ready" }
  | { readonly kind: "begun"; readonly seed: number }
  | { readonly kind: "done"; readonly seed: number; readonly tried: Tried };

/** Returns what tries seeds of a kind, once it is ready. Files are written to `folder`. */
export async function trierOf(kind: Kind, folder: string): Promise<(seed: number) => Promise<Tried>> {
  switch (kind) {
    case "files":
      return async (seed) => ({
        counts: { "files to every command": 1 },
        faults: await tryFile(seed, folder),
      });
    case "words":
      return async (seed) => ({ counts: { "command lines": 1 }, faults: await tryWords(seed) });
    case "lines":
      return async (seed) => {
        const kind = asked[seed % asked.length];
        const tried = {
          [`lines about ${kind}`]: await tryLines(seed, kind),
          "lines to smoke": await trySmoke(seed),
          "words to the storage profile": await tryStorage(seed),
        };
        return {
          counts: Object.fromEntries(Object.entries(tried).map(([what, { lines }]) => [what, lines])),
          faults: Object.values(tried).flatMap(({ faults }) => faults),
        };
      };
    case "lean": {
      const held = await holdLean();
      return async (seed) => {
        const { verdict, hasReached, faults } = await tryLean(seed, folder, held);
        const counts = {
          "Lean files": 1,
          "that Lean read": hasReached ? 1 : 0,
          "that it accepted": verdict === "accepted" ? 1 : 0,
        };
        return { counts, faults };
      };
    }
  }
}
