import { element, type Markup } from "./markup.ts";

/** Makes a labelled list to choose from; an entry `all` before the others asks for everything. */
export function choice(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
  all?: string,
  chosen?: string,
): Markup {
  const first = all === undefined ? [] : [element("option", { value: "" }, all)];
  const written = options.map(([value, words]) =>
    element("option", { value, selected: value === chosen ? true : undefined }, words),
  );
  return element("label", {}, `${label} `, element("select", { name }, ...first, ...written));
}
