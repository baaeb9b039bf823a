import { existsSync } from "node:fs";
import { posix } from "node:path";
import { roomNames, type Sources, sourcesIn } from "./rooms.ts";

/** A numbered clause of SEMANTICS.md, or a chapter as a whole, whose number has no dot. */
interface Clause {
  readonly number: string;
  readonly title: string;
  /** Code that the clause is the first to name: functions with their operands, and names of several words. */
  readonly names: readonly string[];
  /** Words in italics, which the clause gives their meaning. */
  readonly words: readonly string[];
}

/** A place that belongs to a clause: a link, and the words for it. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** A row has what belongs to one clause, by column of the table. */
export interface Row {
  readonly clause: Clause;
  readonly typescript: readonly Place[];
  readonly lean: readonly Place[];
  readonly obligations: readonly Place[];
  /** It counts the vectors about the clause, by their folder. */
  readonly vectors: ReadonlyMap<string, number>;
}

/** A cell has at most so many links, and the count of further ones. */
const MOST_LINKS = 5;

/** The beginning of a clause is cut to so many characters. */
const LONGEST_TITLE = 48;

const CLAUSE = /^(?:## (\d+)\. (.*)|(\d+\.\d+) ([\s\S]*?)(?=\n\d+\.\d+ |\n## |(?![\s\S])))/gm;
const CODE = /`(\w+(?=\()|\w*[a-z](?:[A-Z]|_[a-z])\w*(?=`)|[A-Z]\w+(?=`))/g;
const ITALIC = /_(\w[\w -]+\w)_/g;
const CITE = /SEMANTICS(?:\.md)? ((?:(?:, (?:and )?| and | to )?§?\d+(?:\.\d+)?)+)(?:, ([\w ]+))?/g;
const DECLARED: Readonly<Record<string, RegExp>> = {
  ".ts": /^(export )?(?:async |abstract )*(?:function|const|interface|type|class) (\w+)/gm,
  ".lean": /^(?!private )(protected )?(?:theorem|def|structure|inductive|abbrev|class) ([\w.?]+)/gm,
};

/** Returns the chapters and clauses of SEMANTICS.md, in order. The first clause with a name has it. */
export function clausesOf(semantics: string): readonly Clause[] {
  const known = new Set<string>();
  const firstIn = (text: string, pattern: RegExp): string[] => {
    const names = [...text.matchAll(pattern)].map(([, name = ""]) => name);
    const fresh = names.filter((name) => !known.has(name));
    for (const name of fresh) known.add(name);
    return fresh;
  };
  return [...semantics.matchAll(CLAUSE)].map(([, chapter, heading = "", number = "", text = ""]) =>
    chapter === undefined
      ? { number, title: beginningOf(text), names: firstIn(text, CODE), words: firstIn(text, ITALIC) }
      : { number: chapter, title: heading, names: [], words: [] },
  );
}

/** Returns the first words of a clause, with no name in code cut in two. */
function beginningOf(text: string): string {
  const [first = ""] = text.replaceAll(/\s+/g, " ").split(/(?<=[\w`_)])[.:;] /);
  if (first.length <= LONGEST_TITLE) return first;
  const cut = first.slice(0, LONGEST_TITLE).replace(/ \S*$/, "");
  return `${cut.split("`").length % 2 === 1 ? cut : cut.replace(/ ?`[^`]*$/, "")} …`;
}

/** The rows for the project as it stands, with vectors by their paths in the suites. */
export function mapRows(
  vectors: Iterable<readonly [path: string, about: { readonly clause: string }]>,
): readonly Row[] {
  const folders = roomNames().filter((room) => !room.includes("/") && room !== "tests");
  const sources = folders.flatMap((room) => [...sourcesIn(room, ".ts"), ...sourcesIn(room, ".lean")]);
  const [semantics = ""] = sourcesIn("spec", "SEMANTICS.md").values();
  const about = [...vectors].map(
    ([path, { clause }]) => [`conformance/suites/${suiteOf(path)}`, clause] as const,
  );
  return rowsOf(semantics, new Map(sources), about);
}

/** Puts a vector's name below the file of its suite, or below the folder of a suite of several files. */
function suiteOf(path: string): string {
  const [theme = "", name = ""] = path.split("/");
  const isFile = existsSync(new URL(`../conformance/suites/${theme}.adj`, import.meta.url));
  return `${theme}${isFile ? ".adj" : ""}/${name}`;
}

/** Finds what cites or declares each clause's names. `vectors` pair a path with the clause it is about. */
export function rowsOf(
  semantics: string,
  sources: Sources,
  vectors: readonly (readonly [path: string, clause: string])[],
): readonly Row[] {
  const clauses = clausesOf(semantics);
  const cites = [...sources].flatMap(([path, text]) => citesIn(path, text, clauses));
  const unknown = [...cites.map(({ number, path }) => [path, number] as const), ...vectors].filter(
    ([, number]) => clauses.every((clause) => clause.number !== number),
  );
  if (unknown.length > 0)
    throw new Error(`no such clause: ${unknown.map((pair) => pair.join(" cites ")).join("; ")}`);
  const declared = [...sources].flatMap(([path, text]) =>
    /^(?:spec|reference|lean-export\/lean)\//.test(path)
      ? declarationsIn(path, text).filter(({ isExported }) => isExported)
      : [],
  );
  return clauses.map((clause) => {
    const named = declared.filter(({ name }) => clause.names.includes(name));
    const places = distinct([...cites.filter(({ number }) => number === clause.number), ...named]);
    const about = vectors
      .filter(([, number]) => number === clause.number)
      .map(([path]) => posix.dirname(path));
    return {
      clause,
      typescript: places.filter((place) => place.path.endsWith(".ts") && !isObligation(place.path)),
      lean: places.filter(({ path }) => path.endsWith(".lean")),
      obligations: distinct(
        places
          .map(({ path }) => path)
          .filter(isObligation)
          .map((path) => ({ path, name: posix.basename(path, ".ts") })),
      ),
      vectors: new Map(
        [...Map.groupBy(about, (folder) => folder)].map(([folder, all]) => [folder, all.length]),
      ),
    };
  });
}

const isObligation = (path: string): boolean => path.startsWith("oracle/obligations/");

const distinct = (places: readonly Place[]): readonly Place[] => [
  ...new Map(places.map(({ path, name }) => [`${path} ${name}`, { path, name }])).values(),
];

/** Something that a file declares at its top level. */
interface Declaration extends Place {
  readonly at: number;
  readonly isExported: boolean;
}

function declarationsIn(path: string, text: string): readonly Declaration[] {
  const pattern = DECLARED[posix.extname(path)];
  if (pattern === undefined) return [];
  return [...text.matchAll(pattern)].map(({ 1: exported, 2: name = "", index }) => ({
    path,
    name,
    at: index,
    isExported: exported !== undefined || path.endsWith(".lean"),
  }));
}

/**
 * Lists the clauses that a file cites, under the name of the declaration that the docstring belongs to: the
 * next one, or for a member the one before. A word behind a chapter selects the clause that defines the word.
 */
function citesIn(
  path: string,
  text: string,
  clauses: readonly Clause[],
): readonly (Place & { readonly number: string })[] {
  const declared = declarationsIn(path, text);
  return [...text.matchAll(CITE)].flatMap(({ 1: list = "", 2: word = "", index }) => {
    if (isObligation(path) && text[index - 1] !== '"') return [];
    const isInMember = /^ {2}/.test(text.slice(text.lastIndexOf("\n", index) + 1));
    const own = isInMember
      ? declared.findLast(({ at }) => at < index)
      : declared.find(({ at }) => at > index);
    const name = own?.name ?? posix.basename(path);
    const cited = [...list.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => number);
    const precise = clauses.find(({ names, words }) =>
      [...names, ...words].some((known) => known.toLowerCase() === word),
    );
    return cited.map((number) => ({
      path,
      name,
      number: precise?.number.startsWith(`${number}.`) ? precise.number : number,
    }));
  });
}

/** Writes `docs/map.md`: a row for each clause. */
export function mapPage(rows: readonly Row[]): string {
  const lines = rows.map(({ clause: { number, title }, typescript, lean, obligations, vectors }) => {
    const about = [...vectors]
      .toSorted(([, a], [, b]) => b - a)
      .map(([path, many]) => ({
        path: path.endsWith(".adj") ? path : `${path}/`,
        name: `${posix.basename(path, ".adj")} ${many}`,
      }));
    const cells = [[number.includes(".") ? `${number} ${title}` : `**${number}. ${title}**`]];
    return `| ${[...cells, links(typescript), links(lean), links(obligations), links(about)].join(" | ")} |`;
  });
  return [
    "<!-- Generated by `npm run golden` from docstrings, obligations and vectors. -->",
    "",
    "# From a clause to its code, proofs and vectors",
    "",
    "One row for each clause of [SEMANTICS.md](../spec/SEMANTICS.md). A piece of TypeScript or Lean",
    "stands in a row if its docstring cites the clause (`[SEMANTICS §4.3]`) or if it declares what the",
    "clause names. Obligations and vectors say which clause they are about. A row in bold has what cites",
    "the chapter as a whole.",
    "",
    "| clause | TypeScript | Lean | obligations | vectors |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}

/** The links of a cell: the core first, then what is shortest to say. */
function links(places: readonly Place[]): string {
  const shown = places.slice(0, MOST_LINKS).map(({ path, name }) => `[${name}](../${path})`);
  const left = places.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** Finds what is wrong with the map: a clause that no code has, or a link that leads nowhere. */
export function faultsOf(rows: readonly Row[], isThere: (path: string) => boolean): readonly string[] {
  return rows.flatMap(({ clause: { number }, typescript, lean, obligations, vectors }) => {
    const paths = [...[...typescript, ...lean, ...obligations].map(({ path }) => path), ...vectors.keys()];
    const dead = paths.filter((path) => !isThere(path)).map((path) => `${number}: ${path} is not there`);
    return typescript.length === 0 && number.includes(".") ? [`${number}: no code has it`, ...dead] : dead;
  });
}
