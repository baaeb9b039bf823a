import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { adjudge } from "../cli/process/recording.test.kit.ts";
import { exitCodes } from "../cli/terminal/exit.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** A command of a page, and what the page says that it prints. */
export interface Exchange {
  readonly argv: readonly string[];
  readonly printed: string;
}

/** Finds the exchanges in a page's blocks marked `console`: a command behind `$ adjudge`, and its output. */
export function exchangesIn(page: string): Exchange[] {
  return [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ adjudge /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.trimEnd().split("\n");
        const argv = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
        return { argv, printed: lines.join("\n") };
      }),
  );
}

/** Finds the exchanges of a page of the project, by its path from the root. */
export function exchangesOf(path: string): (Exchange & { readonly path: string })[] {
  return exchangesIn(readFileSync(`${root}/${path}`, "utf8")).map((exchange) => ({ path, ...exchange }));
}

/**
 * Returns the pattern of what a page prints: `…` on a line of its own stands for lines that are left out, at
 * the end for any, and within a line for the rest of it or a part.
 */
export function patternOf(printed: string): RegExp {
  const lines = printed.split("\n");
  const parts = lines.map((line, i) => {
    if (line === "…") return i === lines.length - 1 ? "[\\s\\S]*" : "(?:[^\\n]*\\n)*?";
    const text = line
      .split("…")
      .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("[^\\n]*");
    return i === lines.length - 1 ? text : `${text}\\n`;
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Runs the command of an exchange, and expects that it prints what the page says. */
export async function expectPrinted({ argv, printed }: Exchange): Promise<void> {
  const paths = argv.map((word) => (/^(?:docs|conformance)\//.test(word) ? `${root}/${word}` : word));
  const { code, out } = await adjudge(...paths);
  // What refuses says so, and ends with 1.
  expect(code).toBe(/^(?:✗|error\[)/m.test(printed) ? exitCodes.disagrees : exitCodes.agrees);
  const said = out.replaceAll(`${root}/`, "");
  if (!patternOf(printed).test(said)) expect(said).toBe(printed);
}
