/** Searches for smaller questions and for what is to blame take a share of a run's time, and no more. */
export interface SearchTime {
  /** Tells whether another question may be tried. */
  isOpen(): boolean;
  /** Does a search, whose time counts. */
  during<T>(search: () => Promise<T>): Promise<T>;
}

/** Counts the time of searches by a clock in milliseconds, of which there may be `most` by now. */
export function searchTime(now: () => number, most: () => number): SearchTime {
  let spent = 0;
  let begun: number | undefined;
  return {
    isOpen: () => spent + (begun === undefined ? 0 : now() - begun) < most(),
    async during(search) {
      begun = now();
      try {
        return await search();
      } finally {
        spent += now() - begun;
        begun = undefined;
      }
    },
  };
}
