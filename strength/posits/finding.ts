/** What a part of the campaign found: how much it asked, how much of that was decided, and the first wrong answers. */
export interface Part {
  readonly name: string;
  readonly asked: number;
  readonly undecided: number;
  readonly wrong: readonly string[];
}

/** How many wrong answers are told. */
const TOLD = 3;

/** Counts the answers of a part of the campaign: `right`, `undecided`, or what is wrong. */
export class Tally {
  readonly #name: string;
  #asked = 0;
  #undecided = 0;
  #wrongs = 0;
  readonly #told: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Counts one answer. */
  add(answer: "right" | "undecided" | { readonly wrong: string }): void {
    this.#asked += 1;
    if (answer === "undecided") this.#undecided += 1;
    else if (answer !== "right") {
      this.#wrongs += 1;
      if (this.#told.length < TOLD) this.#told.push(answer.wrong);
    }
  }

  /** All that was counted. */
  get part(): Part {
    const more = this.#wrongs - this.#told.length;
    return {
      name: this.#name,
      asked: this.#asked,
      undecided: this.#undecided,
      wrong: more > 0 ? [...this.#told, `and ${more} more`] : this.#told,
    };
  }
}
