import { visible, visibleJson } from "../../../../spec/shapes/index.ts";

/** HTML in which foreign text is text alone. */
export interface Markup {
  readonly html: string;
}

/** An element's content; strings become text, whatever they hold. */
export type Content = Markup | string | number;

/** Elements that have no end tag. */
const empty: ReadonlySet<string> = new Set(["meta", "input", "img"]);

/** Makes an element; attributes `undefined` are left out, and `true` stands without a value. */
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

/** Joins pieces into one. */
export function together(...pieces: readonly Content[]): Markup {
  return { html: pieces.map(contentOf).join("") };
}

/**
 * Embeds a value as a data script. Law: no `<` is in it, so no text ends the element or begins a comment; it
 * parses as `JSON.stringify` of it does. Source: HTML, "Restrictions for contents of script elements".
 */
export function embeddedJson(id: string, value: unknown): Markup {
  const text = visibleJson(value, 0).replaceAll("<", "\\u003c");
  return { html: `<script type="application/json" id="${escaped(id)}">${text}</script>` };
}

function contentOf(piece: Content): string {
  return typeof piece === "object" ? piece.html : escaped(`${piece}`);
}

/** Escapes text for HTML and shows unseen characters. */
function escaped(text: string): string {
  return visible(text, text.length)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
