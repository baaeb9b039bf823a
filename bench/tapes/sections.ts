/** A page's sections stand between marks, by the mark's name. */
export type Sections = ReadonlyMap<string, readonly string[]>;

const begin = (name: string): string => `<!-- measured: ${name} -->`;
const END = "<!-- end -->";

/**
 * Replaces what a page has between `<!-- measured: NAME -->` and the next `<!-- end -->`. Throws if the page
 * lacks a mark. Law: doing it twice is doing it once.
 */
export function withSections(page: string, sections: Sections): string {
  let written = page;
  for (const [name, lines] of sections) {
    const start = written.indexOf(begin(name));
    const end = written.indexOf(END, start);
    if (start < 0 || end < 0) throw new Error(`the page has no place for ${name}`);
    written = [written.slice(0, start + begin(name).length), "", ...lines, "", written.slice(end)].join("\n");
  }
  return written;
}

/** Returns the lines between a mark and its end; none if it is not there. */
export function sectionOf(page: string, name: string): readonly string[] {
  const start = page.indexOf(begin(name));
  if (start < 0) return [];
  const lines = page.slice(start + begin(name).length, page.indexOf(END, start)).trim();
  return lines === "" ? [] : lines.split("\n");
}
