/** A part of the campaign counts what it asked and decided, and keeps the first wrong answers. */
export interface Part {
  readonly name: string;
  readonly asked: number;
  readonly undecided: number;
  readonly wrong: readonly string[];
}

/** This many wrong answers are told. */
const TOLD = 3;

/** A tally counts the answers of a part of the campaign: `right`, `undecided`, or what is wrong. */
export class Tally {
  readonly #name: string;
  #asked = 0;
  #undecided = 0;
  #wrongs = 0;
  readonly #told: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(answer: "right" | "undecided" | { readonly wrong: string }): void {
    this.#asked += 1;
    if (answer === "undecided") this.#undecided += 1;
    else if (answer !== "right") {
      this.#wrongs += 1;
      if (this.#told.length < TOLD) this.#told.push(answer.wrong);
    }
  }

  /** Returns all that was counted. */
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
