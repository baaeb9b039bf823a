import { type Level, type Leveling, plain, settled, soundLeveling } from "../levels.ts";

/** A nested tape with one fault. */
export interface LevelMutant {
  readonly name: string;
  /** It says what is wrong, in a few words that follow "it". */
  readonly says: string;
  /** Makes a leveling anew for each subject, as what is shared stays shared. */
  leveling(): Leveling;
}

/** Keeps one tape for all open derivatives, on which a variable that already stands there is no new one. */
function merged(): Leveling {
  return {
    open: (open) => open[0] ?? soundLeveling.open(open),
    variable: (level, value) =>
      value.kind === "taped" && value.level === level ? value : soundLeveling.variable(level, value),
  };
}

/** It treats the point of an inner derivative as a constant of the outer ones. */
const detached: Leveling = {
  ...soundLeveling,
  variable: (level, value) => soundLeveling.variable(level, plain(settled(value))),
};

/** The inner derivatives have the lower numbers. */
const turned: Leveling = {
  ...soundLeveling,
  open: <S>(open: readonly Level<S>[]) => ({ number: -open.length, lines: [] }),
};

/** Faults in the levels of derivatives within derivatives. */
export const levelMutants: readonly LevelMutant[] = [
  { name: "levels-merged", says: "has one tape for all levels", leveling: merged },
  {
    name: "levels-detached",
    says: "leaves the sweep of a level off the tapes around it",
    leveling: () => detached,
  },
  { name: "levels-turned", says: "takes an inner level for an outer one", leveling: () => turned },
];
