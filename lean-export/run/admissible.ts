import type { LeanMessage } from "./messages.ts";

/**
 * It says what an exported file says of itself, and whether it is written in the part of Lean that cannot run
 * code while it is checked. Lean is a programming language: a file may define its own syntax, read files,
 * print what looks like a verdict or put a constant into the environment without the kernel. None of that has
 * a place in an exported trace, which is data, definitions and theorems; so it is refused before Lean sees
 * it.
 */
export type Admission =
  | { readonly kind: "fit"; readonly claims: readonly Claim[]; readonly imports: readonly string[] }
  | { readonly kind: "unfit"; readonly message: string; readonly line: number };

/** A theorem that the file claims. */
export interface Claim {
  /** The name is in the namespace `Trace`. */
  readonly name: string;
  /** The source says that it states this. */
  readonly statement: string;
  /** Its theorem stands in this line, counted from 1. */
  readonly line: number;
}

/** The first line of an exported file. */
export const formatLine = "-- adjudge.lean.v1";

/** The second line goes on with the names of the claims, separated by spaces. */
export const claimsPrefix = "-- claims:";

/** The namespace of the claims. */
export const claimsNamespace = "Trace";

/** At most so many characters are read. */
const maximumCharacters = 50_000_000;

/** Words that run code, change what is read, leave something unproved or hide something. */
const forbidden: ReadonlySet<string> = new Set(
  (
    "admit attribute axiom binder_predicate builtin_dsimproc builtin_initialize builtin_simproc by_elab csimp " +
    "dbg_trace declare_config_elab declare_simp_like_tactic declare_syntax_cat deriving dsimproc elab elab_rules " +
    "erase eval export extern implemented_by include include_str infix infixl infixr init initialize instance " +
    "local macro macro_rules meta mutual native_decide notation nativeDecide opaque partial postfix prefix " +
    "private reduceBool register_builtin_option register_option register_simp_attr run_cmd run_elab run_meta " +
    "run_tac scoped set_option simproc sorry sorryAx syntax trustCompiler unsafe unseal seal variable " +
    "omit Lean IO _root_ prelude"
  ).split(" "),
);

/** Attributes that change nothing that a proof depends on. */
const attributes: ReadonlySet<string> = new Set(["expose", "simp", "reducible", "inline"]);

/** Returns a text as Lean takes it: without a byte order mark, each line ended by a line feed alone. */
export function asLeanReads(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** Screens a file of the format `adjudge.lean.v1`, whose imports must lie in `libraries`. Cost: linear. */
export function screen(text: string, libraries: readonly string[]): Admission {
  if (text.length > maximumCharacters) return unfit("the file is too long", 1);
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== formatLine) return unfit(`the first line is not "${formatLine}"`, 1);
  const second = lines[1] ?? "";
  if (!second.startsWith(claimsPrefix)) return unfit(`the second line is not "${claimsPrefix} …"`, 2);
  const names = second
    .slice(claimsPrefix.length)
    .split(/\s+/)
    .filter((name) => name !== "");
  if (names.length === 0) return unfit("the file claims nothing", 2);
  const odd = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (odd !== undefined) return unfit(`"${odd}" cannot be the name of a claim`, 2);
  if (new Set(names).size !== names.length) return unfit("a claim is named twice", 2);
  const { code, doubtful } = withoutComments(text);
  if (doubtful !== undefined)
    return unfit("a comment begins here that Lean may read otherwise", lineOf(text, doubtful));
  const fault = findForbidden(code);
  if (fault !== undefined) return fault;
  const header = /^\s*module\s+((?:public\s+import\s+\S+\s+)*)/.exec(code);
  if (header === null) return unfit("it is no module", 3);
  const imports = [...(header[1] ?? "").matchAll(/import\s+(\S+)/g)].map(([, name = ""]) => name);
  const foreign = imports.find(
    (name) => !libraries.some((root) => name === root || name.startsWith(`${root}.`)),
  );
  if (foreign !== undefined) return unfit(`it imports ${foreign}`, lineOf(code, code.indexOf(foreign)));
  const other = /\bimport\b/.exec(code.slice(header[0].length));
  if (other === null) return collectClaims(names, code, imports);
  return unfit("it imports otherwise than by public import", lineOf(code, header[0].length + other.index));
}

function unfit(message: string, line: number): Admission & { readonly kind: "unfit" } {
  return { kind: "unfit", message, line };
}

function lineOf(text: string, index: number): number {
  return text.slice(0, Math.max(index, 0)).split("\n").length;
}

/** Returns the text with blanks for comments and the insides of strings: all else keeps its place. */
export function blankComments(text: string): string {
  return withoutComments(text).code;
}

/** Versions of Lean might differ on where a comment ends that begins so. */
const oddComment = /^\/--?\//;

/**
 * Blanks comments and strings, and says where a comment begins that Lean may read otherwise: one that does
 * not stand apart, since a token of Lean's may end within its opening (`//-`, `<--`), or an odd one.
 */
function withoutComments(text: string): { readonly code: string; readonly doubtful: number | undefined } {
  let doubtful: number | undefined;
  const pieces: string[] = [];
  const blank = (from: number, to: number): void => {
    pieces.push(text.slice(from, to).replace(/[^\n]/g, " "));
  };
  const opening = /--|\/-|"/g;
  let at = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    pieces.push(text.slice(at, match.index));
    const isApart = match[0] === '"' || /^\s?$/.test(text.slice(match.index - 1, match.index));
    if (!isApart || oddComment.test(text.slice(match.index, match.index + 4))) doubtful ??= match.index;
    const end = endOf(text, match.index, match[0]);
    // The quotes stay, so that what stands before a string is seen beside it: `r"` begins a raw one.
    const quotes = match[0] === '"' ? 1 : 0;
    const inside = Math.max(match.index + quotes, end - quotes);
    pieces.push(text.slice(match.index, match.index + quotes));
    blank(match.index + quotes, inside);
    pieces.push(text.slice(inside, end));
    at = end;
    opening.lastIndex = end;
  }
  pieces.push(text.slice(at));
  return { code: pieces.join(""), doubtful };
}

/** Finds the end of the comment or string that begins at `start`. */
function endOf(text: string, start: number, opening: string): number {
  if (opening === "--") return indexOrEnd(text, "\n", start);
  if (opening === '"') {
    for (let at = start + 1; at < text.length; at += 1) {
      if (text[at] === "\\") at += 1;
      else if (text[at] === '"') return at + 1;
    }
    return text.length;
  }
  // Lean reads over the character behind the first "/-", also where it begins a documentation comment.
  let depth = 1;
  for (let at = start + 3; at < text.length; at += 1) {
    if (text.startsWith("/-", at)) depth += 1;
    else if (text.startsWith("-/", at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const index = text.indexOf(what, from);
  return index < 0 ? text.length : index;
}

/** Returns the first thing in the code that an exported file may not hold. */
function findForbidden(code: string): (Admission & { readonly kind: "unfit" }) | undefined {
  // Interpolated, raw and character literals and quoted names could hide what is looked for here.
  const odd = /[«»`'\\]|[A-Za-z]!|\br#*"|#(?!\[)/.exec(code);
  if (odd !== null) return unfit(`"${odd[0]}" has no place in an exported file`, lineOf(code, odd.index));
  for (const match of code.matchAll(/[\p{L}_][\p{L}\p{N}_!?]*/gu)) {
    if (forbidden.has(match[0])) {
      return unfit(`"${match[0]}" has no place in an exported file`, lineOf(code, match.index));
    }
  }
  for (const match of code.matchAll(/@\[([^\]@]*)(.?)/gs)) {
    if (match[2] !== "]") return unfit("a list of attributes does not end", lineOf(code, match.index));
    const words = (match[1] ?? "").split(",").map((word) => word.trim());
    const unknown = words.find((word) => !attributes.has(word));
    if (unknown !== undefined)
      return unfit(`the attribute "${unknown}" is not allowed`, lineOf(code, match.index));
  }
  const space = [...code.matchAll(/\bnamespace\s+(\S+)/g)].find(([, name]) => name !== claimsNamespace);
  if (space !== undefined)
    return unfit(`the namespace ${space[1]} is not ${claimsNamespace}`, lineOf(code, space.index));
  return undefined;
}

function collectClaims(names: readonly string[], code: string, imports: readonly string[]): Admission {
  const theorems = new Map<string, Claim>();
  // The lines are counted on from the theorem before, since there may be thousands.
  let [line, counted] = [1, 0];
  for (const match of code.matchAll(/\btheorem\s+([A-Za-z_]\w*)([\s\S]*?)(?=:=|\btheorem\b|$)/g)) {
    const [, name = "", statement = ""] = match;
    const said = statement.replace(/^\s*:/, "").trim().replace(/\s+/g, " ");
    line += lineOf(code.slice(counted, match.index), match.index) - 1;
    counted = match.index;
    theorems.set(name, { name, statement: said, line });
  }
  const claims: Claim[] = [];
  for (const name of names) {
    const claim = theorems.get(name);
    if (claim === undefined) return unfit(`the claim ${name} has no theorem`, 2);
    claims.push(claim);
  }
  return { kind: "fit", claims, imports };
}

/** Returns the claim within whose theorem a message was given: the last that begins at or before its line. */
export function claimAt(claims: readonly Claim[], message: Pick<LeanMessage, "line">): Claim | undefined {
  return claims.filter(({ line }) => line <= message.line).sort((a, b) => b.line - a.line)[0];
}
