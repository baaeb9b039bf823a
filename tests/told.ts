import { type FindingText, findings } from "../conformance/index.ts";
import { mutants, programMutants, tapeEngineMutants, unseenMutants } from "../engines/index.ts";
import { tapeMutants } from "../reference/tapes/planted/index.ts";
import { compositeNames, present, primitiveNames } from "../spec/index.ts";

/** A phrase of a page, in which `#` stands for a number, and the numbers. */
export type Phrase = readonly [phrase: string, ...counts: readonly number[]];

/** Pages tell these counts of vectors; `read` gives the text of a page. */
interface Sources {
  readonly vectors: number;
  readonly tapes: number;
  readonly read: (path: string) => string;
}

/** Lists what each page tells of how many there are. `npm run golden` writes the code's numbers. */
function phrasesOf({ vectors, tapes, read }: Sources): Readonly<Record<string, readonly Phrase[]>> {
  const strength = read("docs/strength.md");
  const accused = /accused in \d+ cases\s+\((\d+)\.(\d+) %\)/.exec(strength)?.slice(1).map(Number);
  const unseen = Number(/ (\d+) by one of the two/.exec(read("docs/unseen.md"))?.[1]);
  const found = Number(/ (\d+) of \d+ mutants are found/.exec(strength)?.[1]);
  const all = findings();
  const told = [all.length, new Set(all.map(({ engine }) => engine)).size];
  const ofDerivative = all.filter(({ isOfDerivative }) => isOfDerivative).length;
  return {
    "README.md": [
      ["**# findings in # engines**", ...told],
      ["# primitives and # composites", primitiveNames.length, compositeNames.length],
      ["a suite of # [vectors]", vectors],
      ["| # of # | # of # |", mutants.length, mutants.length, found, mutants.length],
      ["Of a second set of #, kept apart, # are found", unseenMutants.length, unseen],
      ["in #.# % of the cases", ...present(accused, "the share in docs/strength.md")],
    ],
    "docs/findings.md": [
      ["**# findings in # engines.**", ...told],
      ["Of differentiation are # of them", ofDerivative],
    ],
    "docs/README.md": [["see the # findings in # engines", ...told]],
    "docs/derivatives.md": [["for all # primitives", primitiveNames.length]],
    "docs/judging.md": [["`mutants` are the # of", mutants.length]],
    "docs/performance.md": [["without the # composites", compositeNames.length]],
    "docs/programs.md": [
      ["one fault each: # of them", programMutants.length],
      ["tell all # too", programMutants.length],
    ],
    "docs/tapes.md": [
      ["it is of # systems with a fault each", tapeMutants.length],
      ["each of the # as an engine", tapeMutants.length],
      ["asks all #.", tapes],
      ["# engines with one fault each", tapeEngineMutants.length],
      ["of # scripts", tapes],
      ["of the # faults are about hooks", tapeEngineMutants.length],
    ],
    "docs/unseen.md": [["The # mutants of `engines/mutants/unseen/`", unseenMutants.length]],
  };
}

/** Returns every page that tells numbers or findings, by path. Throws where a phrase is gone. */
export function toldPages(sources: Sources): ReadonlyMap<string, string> {
  const all = findings();
  return new Map(
    Object.entries(phrasesOf(sources)).map(([path, phrases]) => {
      const page = withCounts(sources.read(path), phrases);
      return [path, path === "docs/findings.md" ? withContents(withReplays(page, all), all) : page];
    }),
  );
}

const NUMBER = "\\d+(?:,\\d{3})*";

/** Returns a page whose phrases have these numbers. Law: twice is once. Throws if one is missing. */
export function withCounts(page: string, phrases: readonly Phrase[]): string {
  return phrases.reduce((text, [phrase, ...counts]) => {
    const parts = phrase
      .split("#")
      .map((part) => part.replaceAll(/[^\w\s#]/g, "\\$&").replaceAll(" ", "\\s+"));
    const pattern = new RegExp(`(?<![\\d,])${parts.join(NUMBER)}`, "g");
    if (!pattern.test(text)) throw new Error(`no page says "${phrase}" any more: tests/told.ts has to know`);
    return text.replaceAll(pattern, (told) => {
      const left = [...counts];
      return told.replaceAll(new RegExp(NUMBER, "g"), () => String(left.shift()));
    });
  }, page);
}

/**
 * Corrects each line of the page of findings that replays one. Throws if the page omits a finding, or has one
 * that does not exist.
 */
export function withReplays(
  page: string,
  all: readonly Pick<FindingText, "name" | "engine" | "dtype">[],
): string {
  const left = new Map(all.map((finding) => [finding.name, finding]));
  const written = page.replaceAll(
    /replay conformance\/suites\/findings\/[\w-]+\.adj#(\w+).*/g,
    (_, name: string) => {
      const { engine, dtype } = present(
        all.find((finding) => finding.name === name),
        `the finding ${name}, of which docs/findings.md tells`,
      );
      left.delete(name);
      return `replay conformance/suites/findings/${engine}.adj#${name} -e ${engine} --dtype ${dtype}`;
    },
  );
  if (left.size > 0) throw new Error(`docs/findings.md does not tell of ${[...left.keys()].join(", ")}`);
  return written;
}

const BEGIN = "<!-- contents: written by npm run golden -->";
const END = "<!-- end of contents -->";

/** A chapter of the page of findings, with links to it and to its sections. */
interface Chapter {
  /** It is named by the engine's name and version, or is about no engine. */
  readonly engine: string | undefined;
  readonly title: string;
  readonly link: string;
  readonly sections: readonly string[];
  /** It is the first to tell of these findings, by name. */
  readonly findings: ReadonlySet<string>;
}

/**
 * Returns a page with an index between the marks: a row for each engine, with its number of findings, how
 * many of them are of differentiation, and links to its sections, then one for each chapter that is about no
 * engine. Law: twice is once.
 */
export function withContents(
  page: string,
  known: readonly Pick<FindingText, "name" | "isOfDerivative">[],
): string {
  const [head = "", rest] = page.split(BEGIN);
  const body = present(rest?.split(END)[1], `a page with ${BEGIN} and ${END}`);
  const chapters = chaptersOf(body);
  const ofDerivative = new Set(known.flatMap((one) => (one.isOfDerivative ? [one.name] : [])));
  const engines = Map.groupBy(chapters, ({ engine }) => engine);
  const rows = [...engines].flatMap(([engine, its]) =>
    engine === undefined ? [] : [rowOf(`[${engine}](${its[0]?.link})`, its, ofDerivative)],
  );
  const others = (engines.get(undefined) ?? []).map((one) =>
    rowOf(`[${one.title}](${one.link})`, [one], ofDerivative),
  );
  const all = `| all |${countsOf(chapters, ofDerivative)} |`;
  const heads = ["| engine | findings | of differentiation | sections |", "| --- | ---: | ---: | --- |"];
  const lines = [...heads, ...rows, all, ...others];
  return [`${head}${BEGIN}`, "", ...lines, "", `${END}${body}`].join("\n");
}

/** Returns two cells: how many findings chapters have, and how many of differentiation. */
function countsOf(chapters: readonly Chapter[], ofDerivative: ReadonlySet<string>): string {
  const names = chapters.flatMap(({ findings }) => [...findings]);
  const counts = [names.length, names.filter((name) => ofDerivative.has(name)).length];
  return counts.map((count) => ` ${count > 0 ? count : ""} |`).join("");
}

function rowOf(name: string, chapters: readonly Chapter[], ofDerivative: ReadonlySet<string>): string {
  const parts = chapters.map(({ engine, title, link, sections }) => {
    const about = title.slice(engine?.length).replace(/^: /, "");
    const isPart = engine !== undefined && title !== engine && chapters.length > 1;
    return `${isPart ? `[**${about}**](${link}): ` : ""}${sections.join(" · ")}`;
  });
  return `| ${name} |${countsOf(chapters, ofDerivative)} ${parts.join(" · ")} |`;
}

function chaptersOf(body: string): readonly Chapter[] {
  const anchors = anchorsOf(body)[Symbol.iterator]();
  const seen = new Set<string>();
  return body.split(/^(?=## )/m).flatMap((chapter) => {
    const title = /^## (.*)$/m.exec(chapter)?.[1];
    if (title === undefined) return [];
    const link = `#${anchors.next().value}`;
    const sections = [...chapter.matchAll(/^### (.*)$/gm)].map(
      ([, section = ""]) => `[${section}](#${anchors.next().value})`,
    );
    const replays = chapter.matchAll(/ replay conformance\/suites\/findings\/[\w-]+\.adj#(\w+)/g);
    const told = new Set([...replays].map(([, name = ""]) => name).filter((name) => !seen.has(name)));
    for (const name of told) seen.add(name);
    const engine = /^.+? \d+\.\d[\d.]*/.exec(title)?.[0];
    return [{ engine, title, link, sections, findings: told }];
  });
}

/** Lists the anchors of a page's headings, in its order, as GitHub names them. */
export function anchorsOf(page: string): readonly string[] {
  const counts = new Map<string, number>();
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{M}\p{Nd}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
