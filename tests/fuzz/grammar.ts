/** A seed fixes these random choices. Source: Vigna, SplitMix64, cut to 32 bits (Steele, Lea, Flood 2014). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return Math.floor((((z ^ (z >>> 15)) >>> 0) / 2 ** 32) * limit);
  }

  /** Is true once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Returns one of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }
}

/** Texts that readers, terminals and property tables stumble over. */
const texts: readonly string[] = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u001b[2J",
  "\u001b]0;owned\u0007",
  "\u009b31m",
  "\u202eevil",
  "a\r\n✓ all agree",
  "\u0000",
  "\ud800",
  "\u2028",
  "NaN",
  "nan",
  "-inf",
  "0x1p+99999",
  "0x1p-99999",
  "1e999999999",
  "1/0",
  "(1;2)",
  "x".repeat(300),
  "é".repeat(70_000),
];

const numbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  8,
  31,
  32,
  33,
  0.5,
  -1.5,
  1e-320,
  1e308,
  2 ** 27,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
];

function nested(depth: number, isArray: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = isArray ? [value] : { a: value };
  return value;
}

/** Returns a value that is not what stands there. */
function odd(chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
      return chance.of(texts);
    case 1:
      return chance.of([null, true, false, [], {}, [[]], [null], [0, 0, 0]]);
    case 2:
      return nested(chance.of([2, 20, 63, 64, 65, 1000]), chance.once(2));
    case 3:
      return Array.from({ length: chance.of([2, 33, 1000]) }, () => chance.of(numbers));
    default:
      return chance.of(numbers);
  }
}

type Place = { readonly holder: unknown[] | Record<string, unknown>; readonly key: string | number };

/** Returns every place of a document that something stands at. */
function placesIn(json: unknown, found: Place[] = []): Place[] {
  if (Array.isArray(json)) {
    for (const key of json.keys()) {
      found.push({ holder: json, key });
      placesIn(json[key], found);
    }
  } else if (typeof json === "object" && json !== null) {
    for (const key of Object.keys(json)) {
      found.push({ holder: Object.assign(json), key });
      placesIn(Reflect.get(json, key), found);
    }
  }
  return found;
}

/** Changes a document in one place: its value is replaced, made odd, removed, doubled or renamed. */
function damage(json: unknown, words: readonly string[], chance: Chance): void {
  const places = placesIn(json);
  if (places.length === 0) return;
  const { holder, key } = chance.of(places);
  const own: unknown = Reflect.get(holder, key);
  switch (chance.below(8)) {
    case 0: {
      const other = chance.of(places);
      Reflect.set(holder, key, structuredClone(Reflect.get(other.holder, other.key)));
      return;
    }
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      return;
    case 2:
      if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(own));
      else define(holder, chance.of(texts), own);
      return;
    case 3:
      if (typeof own === "string") Reflect.set(holder, key, chance.of(words));
      else if (typeof own === "number") Reflect.set(holder, key, own + chance.of([-1, 1, 2]));
      else Reflect.set(holder, key, odd(chance));
      return;
    case 4:
      if (typeof own === "number") Reflect.set(holder, key, chance.of(numbers));
      else if (typeof own === "string") Reflect.set(holder, key, chance.of(texts));
      else Reflect.set(holder, key, odd(chance));
      return;
    default:
      Reflect.set(holder, key, typeof own === "number" ? chance.of(numbers) : odd(chance));
  }
}

/** Defines an own property, whatever its name. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

const pieces: readonly string[] = [
  "NaN",
  "Infinity",
  "1e999",
  "-",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  "\uFEFF",
  "\ud800",
  '"__proto__":',
  '"nodes":[],',
  "[".repeat(100),
  '{"a":'.repeat(100),
  "]",
  "}",
  ",",
  '"',
  "\\",
  "\\u0000",
  "//",
  "\n",
];

/** Changes a text in one place: it ends there, or something is put in, taken away, said twice. */
function scratched(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const length = chance.of([1, 1, 2, 10, 100]);
  switch (chance.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at + length) + text.slice(at);
    case 3:
      return chance.of(["\uFEFF", "\uFFFD\uFFFD", " ", "[", "null "]) + text;
    default:
      return text.slice(0, at) + chance.of(pieces) + text.slice(at);
  }
}

/** Damages a document, as text. `words` are names in such documents: of operators, kinds, formats. */
export function hostileText(document: unknown, words: readonly string[], chance: Chance): string {
  const json: unknown = structuredClone(document);
  const damages = chance.of([0, 1, 1, 1, 2, 3, 8]);
  for (let i = 0; i < damages; i++) damage(json, words, chance);
  let text = JSON.stringify(json);
  const scratches = damages === 0 ? 1 + chance.below(2) : chance.of([0, 0, 0, 1]);
  for (let i = 0; i < scratches; i++) text = scratched(text, chance);
  return text;
}
