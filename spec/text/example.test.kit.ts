import { readFileSync } from "node:fs";
import { present } from "../shapes/index.ts";
import { readText, type TextDocument } from "./index.ts";

/** Reads the one document of a text of docs/examples. Throws if the text has a mistake. */
export function exampleOf(name: string): TextDocument {
  const text = readFileSync(new URL(`../../docs/examples/${name}.adj`, import.meta.url), "utf8");
  const read = readText(text);
  if (!read.ok) throw new Error(`${name}: ${read.error[0]?.message}`);
  return present(read.value[0], `the document of ${name}`);
}
