import { visible, visibleJson } from "../../../../spec/shapes/index.ts";

/** HTML that is written: foreign text is in it as text alone. */
export interface Markup {
  readonly html: string;
}

/** What stands in an element: strings are text, whatever they hold. */
export type Content = Markup | string | number;

/** Elements that have no end. */
const empty: ReadonlySet<string> = new Set(["meta", "input", "img"]);

/** An element; attributes of `undefined` are left out, and `true` is an attribute without a value. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | true | undefined>>,
  ...children: readonly Content[]
): Markup {
  const written = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined) return "";
    return value === true ? ` ${key}` : ` ${key}="${escaped(`${value}`)}"`;
  });
  const start = `<${name}${written.join("")}>`;
  return { html: empty.has(name) ? start : `${start}${children.map(contentOf).join("")}</${name}>` };
}

/** Several pieces as one. */
export function together(...pieces: readonly Content[]): Markup {
  return { html: pieces.map(contentOf).join("") };
}

/**
 * A value inside a script element that is data. Law: no text in it ends the element or begins a comment, for no `<` stands in it; it reads back as what
 * `JSON.stringify` of it does. Source: HTML, "Restrictions for contents of script elements".
 */
export function embeddedJson(id: string, value: unknown): Markup {
  const text = visibleJson(value, 0).replaceAll("<", "\\u003c");
  return { html: `<script type="application/json" id="${escaped(id)}">${text}</script>` };
}

function contentOf(piece: Content): string {
  return typeof piece === "object" ? piece.html : escaped(`${piece}`);
}

/** Text without what is not seen, and without what HTML reads as its own. */
function escaped(text: string): string {
  return visible(text, text.length)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
