import { InvariantError, present } from "../../spec/shapes/index.ts";

/** A statement, or a block whose lines are filled in when it runs. */
type Line = string | { head: string; readonly lines: Line[]; readonly tail: string };

/** A value of the library, and the text that denotes it in the script. */
interface Known {
  readonly text: string;
  readonly raw: object;
}

/**
 * Records an adapter's calls of its library as JavaScript that anybody can run: each call of a function of a
 * {@link Recorder.named} value becomes a line as it is made, so the script cannot differ from the calls. A
 * function passed to the library is recorded when the library first calls it.
 */
export class Recorder {
  readonly #known = new WeakMap<object, Known>();
  readonly #main: Line[] = [];
  #lines: Line[] | undefined = this.#main;
  #count = 0;

  /** Wraps a value that the text denotes from now on, as texts of its members and results follow from it. */
  named<T extends object>(text: string, value: T, owner?: object): T {
    const proxy = new Proxy(value, {
      get: (raw, key) => {
        const found: unknown = Reflect.get(raw, key, raw);
        if (typeof key === "symbol") return typeof found === "function" ? found.bind(raw) : found;
        return this.#wrapped(/^[0-9]+$/.test(key) ? `${text}[${key}]` : `${text}.${key}`, found, raw);
      },
      apply: (raw, _, given: readonly unknown[]) => {
        if (typeof raw !== "function") throw new InvariantError(`${text} is called`);
        const parts = given.map((one) => this.#argument(one));
        const call = `${text}(${parts.map((part) => part.text).join(", ")})`;
        return this.#called(call, () =>
          Reflect.apply(
            raw,
            owner,
            parts.map((part) => part.raw),
          ),
        );
      },
    });
    this.#known.set(proxy, { text, raw: value });
    return proxy;
  }

  /** Returns the text that denotes a value of the library. */
  textOf(value: unknown): string {
    return this.#argument(value).text;
  }

  /** Runs `body` without recording it. */
  aside<R>(body: () => R): R {
    return this.#within(undefined, body);
  }

  /** Returns the whole script. */
  text(): string {
    return written(this.#main, 0).join("\n");
  }

  #within<R>(lines: Line[] | undefined, body: () => R): R {
    const before = this.#lines;
    this.#lines = lines;
    try {
      return body();
    } finally {
      this.#lines = before;
    }
  }

  #fresh(letter: string): string {
    this.#count += 1;
    return `${letter}${this.#count}`;
  }

  /** Records a call and names its result. A call that throws is the last line. */
  #called(call: string, make: () => unknown): unknown {
    const lines = this.#lines;
    const place = lines?.push(`${call};`);
    const value = make();
    if (value === undefined) return value;
    const name = this.#fresh("v");
    if (lines !== undefined && place !== undefined) lines[place - 1] = `const ${name} = ${call};`;
    return this.#wrapped(name, value);
  }

  #wrapped(text: string, value: unknown, owner?: object): unknown {
    if (Array.isArray(value))
      return value.map((element, place) => this.#wrapped(`${text}[${place}]`, element));
    const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
    return isObject ? this.named(text, value, owner) : value;
  }

  /** Returns the text of an argument, and the value that the library gets for it. */
  #argument(value: unknown): { readonly text: string; readonly raw: unknown } {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") {
      return {
        text: Object.is(value, -0) ? "-0" : (JSON.stringify(finite(value)) ?? String(value)),
        raw: value,
      };
    }
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (typeof value === "function")
      return this.#function((...given) => Reflect.apply(value, undefined, given));
    if (Array.isArray(value)) {
      const parts = value.map((element) => this.#argument(element));
      return { text: `[${parts.map((part) => part.text).join(", ")}]`, raw: parts.map((part) => part.raw) };
    }
    if (isNumbers(value)) {
      const numbers = [...value].map((x) => (Object.is(x, -0) ? "-0" : String(x)));
      return { text: `new ${value.constructor.name}([${numbers.join(", ")}])`, raw: value };
    }
    const parts = Object.entries(value).map(([key, one]) => [key, this.#argument(one)] as const);
    return {
      text: `{ ${parts.map(([key, part]) => `${key}: ${part.text}`).join(", ")} }`,
      raw: Object.fromEntries(parts.map(([key, part]) => [key, part.raw])),
    };
  }

  /** Names a function of the adapter, and wraps it so that its first call records its body. */
  #function(make: (...given: unknown[]) => unknown): { readonly text: string; readonly raw: unknown } {
    const name = this.#fresh("f");
    const block = { head: `const ${name} = () => {`, lines: [] as Line[], tail: "};" };
    this.#lines?.push(block);
    let isWritten = false;
    const raw = (...given: unknown[]): unknown => {
      const names = given.map(() => this.#fresh("x"));
      const lines = isWritten ? undefined : block.lines;
      if (!isWritten) block.head = `const ${name} = (${names.join(", ")}) => {`;
      isWritten = true;
      return this.#within(lines, () => {
        const results = make(
          ...given.map((one, place) => this.#wrapped(present(names[place], "a name"), one)),
        );
        const result = this.#argument(results);
        this.#lines?.push(`return ${result.text};`);
        return result.raw;
      });
    };
    return { text: name, raw };
  }
}

/** Turns numbers that JSON cannot write into `undefined`, so that their own text is taken. */
function finite(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

function isNumbers(value: object): value is Float32Array | Float64Array | Int32Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function written(lines: readonly Line[], depth: number): string[] {
  const indent = "  ".repeat(depth);
  return lines.flatMap((line) =>
    typeof line === "string"
      ? [indent + line]
      : [indent + line.head, ...written(line.lines, depth + 1), indent + line.tail],
  );
}
