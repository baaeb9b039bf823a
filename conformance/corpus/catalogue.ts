import catalogueJson from "../suites/catalogue.json" with { type: "json" };

/** Where a defect is shown: by vectors of this suite, or in a later room of the project. */
export type Room = "vectors" | "state" | "tapes" | "hooks" | "numerics" | "runner" | "oracle";

/** A defect of a real engine, in our words. */
export interface Defect {
  readonly id: string;
  readonly title: string;
  readonly class: string;
  readonly kind: string;
  readonly room: string;
  /** Where it was reported, the first report first. */
  readonly links: readonly string[];
}

/** What is looked at in each room, for the table. */
export const rooms: Readonly<Record<Room, string>> = {
  vectors: "a graph and a point show it",
  state: "memory that changes: aliases, versions, lifetimes, optimisers, random numbers",
  tapes: "tapes that are kept, swept again and released, several of one graph, what they keep",
  hooks: "functions that users hang on a sweep, which no graph has: see tapes.md",
  numerics: "number formats: posits, quantised and narrow storage",
  runner: "graphs that must be refused, and sizes that must not end a process",
  oracle: "traps for whoever judges, not for the engine",
};

/** Every defect of the catalogue, by its identifier. */
export const catalogue: ReadonlyMap<string, Defect> = new Map(
  catalogueJson.map((defect) => [defect.id, defect]),
);
