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
  const found = Number(/ (\d+) of \d+ mutants are found/.exec(read("docs/strength.md"))?.[1]);
  const all = findings();
  const told = [all.length, new Set(all.map(({ engine }) => engine)).size];
  return {
    "README.md": [
      ["**# findings in # engines**", ...told],
      ["# primitives and # composites", primitiveNames.length, compositeNames.length],
      ["a suite of # [vectors]", vectors],
      ["| # of # | # of # |", mutants.length, mutants.length, found, mutants.length],
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
  const pages = Object.entries(phrasesOf(sources)).map(
    ([path, phrases]) => [path, withCounts(sources.read(path), phrases)] as const,
  );
  return new Map([
    ...pages,
    ["docs/findings.md", withContents(withReplays(sources.read("docs/findings.md"), findings()))],
  ]);
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
    /replay conformance\/suites\/findings\/\w+\.adj#(\w+).*/g,
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

/** A page with its chapters and their sections listed between the marks, each a link. Law: twice is once. */
export function withContents(page: string): string {
  const [head = "", rest] = page.split(BEGIN);
  const body = present(rest?.split(END)[1], `a page with ${BEGIN} and ${END}`);
  const anchors = anchorsOf(body)[Symbol.iterator]();
  const linkTo = (title: string): string => `[${title}](#${anchors.next().value})`;
  const rows = body.split(/^(?=## )/m).flatMap((chapter) => {
    const [, title] = /^## (.*)$/m.exec(chapter) ?? [];
    if (title === undefined) return [];
    const link = linkTo(title);
    const sections = [...chapter.matchAll(/^### (.*)$/gm)].map(([, section = ""]) => linkTo(section));
    const cases = chapter.match(/ replay conformance/g)?.length ?? "";
    return [`| ${link} | ${cases} | ${sections.join(" · ")} |`];
  });
  const lines = ["| chapter | cases | sections |", "| --- | ---: | --- |", ...rows];
  return [`${head}${BEGIN}`, "", ...lines, "", `${END}${body}`].join("\n");
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
