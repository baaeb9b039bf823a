import catalogueJson from "../suites/catalogue.json" with { type: "json" };

/** Names what shows a defect: vectors of this suite, or another part of the project. */
export type Room = "vectors" | "state" | "tapes" | "numerics" | "runner" | "oracle";

/** A defect of a real engine, told in our words. */
export interface Defect {
  readonly id: string;
  readonly title: string;
  readonly class: string;
  readonly kind: string;
  readonly room: string;
  /** Reports of the defect, the first one first. */
  readonly links: readonly string[];
}

/** Says, for the table in `docs/corpus.md`, what shows the defects of each room. */
export const rooms: Readonly<Record<Room, string>> = {
  vectors: "a graph and a point show it",
  state: "memory that changes: aliases, versions, lifetimes, optimisers, random numbers",
  tapes: "tapes that are kept, swept again and released, several of one graph, what they keep, hooks on them",
  numerics: "what lies below graphs: codecs of stored tensors, and quires",
  runner: "graphs that must be refused, and sizes that must not end a process",
  oracle: "traps for whoever judges, not for the engine",
};

/** Holds every defect of the catalogue by its identifier. */
export const catalogue: ReadonlyMap<string, Defect> = new Map(
  catalogueJson.map((defect) => [defect.id, defect]),
);

/** Says what shows each defect below graphs: a law that catches a planted codec fault, or a campaign. */
export const shownBelowGraphs: Readonly<Record<string, string>> = {
  G10: "law of storage: a codec that forgets the last codes",
  P04: "`npm run posits`: 2³¹ products, one by one",
  Q01: "law of storage: a codec that does not extend signs",
  Q02: "law of storage: a codec that never uses asym's greatest code",
  Q03: "law of storage: a codec that leaves 0 out of asym's range",
  Q04: "law of storage: a codec that resets codes and not their grid",
};
