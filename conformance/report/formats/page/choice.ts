import { element, type Markup } from "./markup.ts";

/** A list to choose from, with its label; `all` is what its first entry is called, which asks for everything. */
export function choice(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
  all?: string,
): Markup {
  const first = all === undefined ? [] : [element("option", { value: "" }, all)];
  const written = options.map(([value, words]) => element("option", { value }, words));
  return element("label", {}, `${label} `, element("select", { name }, ...first, ...written));
}
