import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { type Options, type Program, parse } from "acorn";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";

/** The obligations read the code that they are about as this edition of ECMAScript. */
export const edition: Options = { ecmaVersion: "latest", sourceType: "module" };

/** A place in a text: from a character on, up to another. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A module of the project, as it is written or compiled, without its types. */
export class Source {
  readonly text: string;
  readonly tree: Program;
  readonly #tokens: readonly Place[];

  /** Throws a `SyntaxError` if the text is no module. Cost: some milliseconds for a file. */
  constructor(text: string) {
    const tokens: Place[] = [];
    this.text = text;
    this.tree = parse(text, { ...edition, onToken: ({ start, end }) => void tokens.push({ start, end }) });
    this.#tokens = tokens;
  }

  /**
   * Makes the same with a planted fault: `to` in the place of `from`, whatever space is between its tokens.
   * Fails, saying how often `from` is there, if that is not once.
   */
  planted(from: string, to: string): Result<Source, string> {
    const places = this.#placesOf(from);
    const [place] = places;
    if (place === undefined || places.length > 1)
      return fail(`${from} in ${places.length} places, and not in one`);
    return ok(new Source(this.text.slice(0, place.start) + to + this.text.slice(place.end)));
  }

  /** Tells whether a piece of code is there once, so that a fault can be planted in its place. */
  hasOnce(piece: string): boolean {
    return this.#placesOf(piece).length === 1;
  }

  #placesOf(piece: string): readonly Place[] {
    return this.#tokens.flatMap(({ start }, at) => {
      const end = this.#endOf(piece, at);
      return end === undefined ? [] : [{ start, end }];
    });
  }

  /** Returns where a piece of code ends that begins with a token, if it does begin there. */
  #endOf(piece: string, first: number): number | undefined {
    let rest = piece.trim();
    for (let at = first; ; at++) {
      const token = this.#tokens[at];
      if (token === undefined) return undefined;
      const text = this.text.slice(token.start, token.end);
      if (text === "" || !rest.startsWith(text)) return undefined;
      rest = rest.slice(text.length).trimStart();
      if (rest === "") return token.end;
    }
  }
}

/** Modules end so: with `.ts`, or where they are compiled with `.js`. */
export const ending: string = import.meta.url.slice(import.meta.url.lastIndexOf("."));

const sources = new Map<string, Source>();

/** Reads a module by its path from the root of the project, without its ending. Cost: once a module. */
export function sourceOf(path: string): Source {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../../${path}${ending}`, import.meta.url), "utf8");
  const source = new Source(ending === ".ts" ? withoutTypes(text) : text);
  sources.set(path, source);
  return source;
}

/** Strips types, without Node.js's note that it is new to do so. */
export function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
