/** Makes an HTML element; strings become text, whatever they hold. */
export function make(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns the element with this id and class. Fails: throws where the page lacks it. */
export function part<E extends Element>(id: string, sort: new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof sort)) throw new Error(`the page has no ${id}`);
  return found;
}
