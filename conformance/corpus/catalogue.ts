import catalogueJson from "../suites/catalogue.json" with { type: "json" };

/** Where a defect is shown: by vectors of this suite, or in a later room of the project. */
export type Room = "vectors" | "state" | "tapes" | "numerics" | "runner" | "oracle";

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
  tapes: "tapes that are kept, swept again and released, several of one graph, what they keep, hooks on them",
  numerics: "what lies below graphs: codecs of stored tensors, and quires",
  runner: "graphs that must be refused, and sizes that must not end a process",
  oracle: "traps for whoever judges, not for the engine",
};

/** Every defect of the catalogue, by its identifier. */
export const catalogue: ReadonlyMap<string, Defect> = new Map(
  catalogueJson.map((defect) => [defect.id, defect]),
);

/** What shows the entries that lie below graphs: a law that tells a planted fault of this name, in `reference/numerics/storage/`, or a campaign. */
export const shownBelowGraphs: Readonly<Record<string, string>> = {
  G10: "law of storage: a codec that forgets the last codes",
  P04: "`npm run posits`: 2³¹ products, one by one",
  Q01: "law of storage: a codec that does not extend signs",
  Q02: "law of storage: a codec that never uses asym's greatest code",
  Q03: "law of storage: a codec that leaves 0 out of asym's range",
  Q04: "law of storage: a codec that resets codes and not their grid",
};
