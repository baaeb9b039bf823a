/**
 * A term of an exported file as a reader takes it who knows lists, numbers and constructors, and nothing else
 * of Lean: a number or a name as text, a list, what stands between ⟨ and ⟩.
 */
export type Term = string | readonly Term[];

/** An exported file shows this to somebody who reads its text. */
export interface ShownFile {
  /** Inputs, environment, nodes. */
  readonly program: Readonly<Record<string, Term>>;
  readonly run: Readonly<Record<string, Term>>;
  readonly engine: Readonly<Record<string, Term>> | undefined;
  /** The names on the second line. */
  readonly claims: readonly string[];
}

/** Comments left out: of a line, and between marks that nest. No string has a place in such a file. */
function withoutComments(text: string): string {
  let [kept, depth] = ["", 0];
  for (let at = 0; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (two === "/-") depth += 1;
    else if (two === "-/" && depth > 0) depth -= 1;
    else if (two === "--" && depth === 0) {
      const end = text.indexOf("\n", at);
      if (end < 0) break;
      at = end - 1;
      continue;
    } else {
      if (depth === 0) kept += text[at];
      continue;
    }
    at += 1;
    kept += " ";
  }
  return kept;
}

/** Returns the text of an exported file as data; `undefined` where it is not written as an exporter would. */
export function shownIn(text: string): ShownFile | undefined {
  const claims = /^-- claims: ?(.*)$/m.exec(text)?.[1]?.split(/\s+/).filter(Boolean);
  const code = withoutComments(text);
  const [program, run, engine] = ["program", "run", "engine"].map((name) => definitionIn(code, name));
  return claims && program && run && { claims, program, run, engine };
}

/** Returns the fields of a definition: up to the next declaration. */
function definitionIn(code: string, name: string): Record<string, Term> | undefined {
  const body = new RegExp(`\\bdef\\s+${name}\\s*:[^=]*?\\bwhere\\b`).exec(code);
  if (body === null) return undefined;
  const rest = code.slice(body.index + body[0].length);
  const own = rest.slice(0, /\b(?:def|theorem|axiom|end)\b/.exec(rest)?.index ?? rest.length);
  const fields: Record<string, Term> = {};
  for (const [, field = "", value = ""] of own.matchAll(/(\w+)\s*:=([\s\S]*?)(?=\w+\s*:=|$)/g)) {
    const term = termOf(value);
    if (term === undefined) return undefined;
    fields[field] = term;
  }
  return fields;
}

/** A whole number as it is said, whatever is written in front of its digits. */
function numberOf(text: string): string | undefined {
  const [, sign = "", digits = ""] = /^(-?)(0x[\da-f]+|\d+)$/.exec(text) ?? [];
  return digits === "" ? undefined : `${sign}${BigInt(digits)}`;
}

/** Returns the negative of a number, in the same form. */
function negated(term: Term | undefined): Term | undefined {
  if (typeof term !== "string" || !/^-?\d+$/.test(term)) return undefined;
  return `${-BigInt(term)}`;
}

/** Reads a term: a number is its text, `mkRat p q` is `p/q`, `program.seeded x` is x, an operator a list. */
function termOf(text: string): Term | undefined {
  // `where` stands behind its type's name, since it is a keyword elsewhere.
  const tokens: readonly string[] =
    text.replaceAll("Operator.where", ".where").match(/[[\](),⟨⟩]|-?0x[\da-f]+|-?\d+|\.\w+|[\w.]+|\S/gu) ??
    [];
  let at = 0;
  const entries = (close: string): Term[] | undefined => {
    const list: Term[] = [];
    while (tokens[at] !== close) {
      const entry = applied();
      if (entry === undefined) return undefined;
      list.push(entry);
      // The type of a number changes nothing of what it says.
      if (tokens[at] === ":") at += 2;
      if (tokens[at] === ",") at += 1;
      else if (tokens[at] !== close) return undefined;
    }
    at += 1;
    return list;
  };
  const atom = (): Term | undefined => {
    const token = tokens[at++];
    if (token === "[") return entries("]");
    if (token === "⟨") return entries("⟩");
    if (token === "(") {
      const list = entries(")");
      return list?.length === 1 ? list[0] : list;
    }
    if (token === "-") return negated(atom());
    if (token === "true" || token === "false") return token;
    // The name of an elementary function.
    if (token?.startsWith(".") === true) return token.slice(1);
    return token === undefined ? undefined : numberOf(token);
  };
  const applied = (): Term | undefined => {
    // Names that are opened for a term change nothing of what its numbers say.
    while (tokens[at] === "open") at = tokens.indexOf("in", at) + 1 || tokens.length;
    const head = tokens[at];
    if (head === "mkRat") {
      at += 1;
      const [numerator, denominator] = [atom(), atom()];
      return typeof numerator === "string" && typeof denominator === "string"
        ? `${numerator}/${denominator}`
        : undefined;
    }
    if (head === "program.seeded") {
      at += 1;
      return atom();
    }
    if (head?.startsWith(".") !== true) return atom();
    at += 1;
    const parts: Term[] = [head.slice(1)];
    while (at < tokens.length && !/^[,⟩\])]$/.test(tokens[at] ?? "")) {
      const part = atom();
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts;
  };
  const term = applied();
  return at === tokens.length ? term : undefined;
}
