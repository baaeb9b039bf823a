import { folded, WIDTH } from "./folded.ts";

/** A branch of a tree says something, and has branches of its own. */
export interface Branch {
  readonly says: string;
  readonly branches?: readonly (Branch | undefined)[];
}

/** Draws a tree in lines of so many columns; a branch that is left out is not drawn. */
export function treeLines({ says, branches = [] }: Branch, width: number = WIDTH): string[] {
  const grown = branches.flatMap((branch) => branch ?? []);
  const [first = "", ...folds] = folded(says, width - 2);
  return [
    first,
    ...folds.map((line) => `${grown.length === 0 ? "  " : "│ "}${line}`),
    ...grown.flatMap((branch, place) => {
      const isLast = place === grown.length - 1;
      const [head = "", ...others] = treeLines(branch, width - 3);
      return [`${isLast ? "└─" : "├─"} ${head}`, ...others.map((line) => `${isLast ? "  " : "│ "} ${line}`)];
    }),
  ];
}
