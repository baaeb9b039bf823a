import { createHash } from "node:crypto";
import { element, type Markup } from "./markup.ts";
import { pageStyle } from "./style.ts";

/** A page consists of these, besides its style. */
export interface Framed {
  readonly title: string;
  readonly body: readonly Markup[];
  readonly script?: string;
}

/**
 * Makes a page of one HTML file without network. Law: only the script with this hash runs, and only images
 * within the page are shown.
 */
export function framed({ title, body, script }: Framed): string {
  const page = element(
    "html",
    { lang: "en" },
    element(
      "head",
      {},
      element("meta", { charset: "utf-8" }),
      element("meta", { "http-equiv": "Content-Security-Policy", content: policyOf(script) }),
      element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      element("meta", { name: "color-scheme", content: "light dark" }),
      element("title", {}, title),
      { html: `<style>${pageStyle}</style>` },
    ),
    element("body", {}, ...body, ...(script === undefined ? [] : [{ html: `<script>${script}</script>` }])),
  );
  return `<!doctype html>\n${page.html}\n`;
}

/** Writes the content security policy: nothing is fetched, and only what is written here runs. */
function policyOf(script: string | undefined): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const runs = script === undefined ? "'none'" : hash(script);
  return `default-src 'none'; img-src data:; style-src ${hash(pageStyle)}; script-src ${runs}; base-uri 'none'; form-action 'none'`;
}

/** Makes a section with a heading, which links lead to. */
export function part(id: string, title: string, content: Markup, level: 2 | 3 = 2): Markup {
  const heading = `${id}-heading`;
  return element(
    "section",
    { id, "aria-labelledby": heading },
    element(`h${level}`, { id: heading }, title),
    content,
  );
}

/** Makes a box for content larger than the window, which the keyboard can scroll. */
export function scrolling(label: string, content: Markup): Markup {
  return element("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": label }, content);
}
