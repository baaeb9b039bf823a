import * as details from "./browser/details.ts";
import * as digits from "./browser/digits.ts";
import * as elements from "./browser/elements.ts";
import * as listing from "./browser/listing.ts";
import * as pictures from "./browser/pictures.ts";
import * as start from "./browser/start.ts";

/**
 * The page's program: the functions of `browser/` as they stand here, in one scope. So they are written and checked as all others, and no
 * bundler is needed. Law: each of their top-level functions is exported, for only those are carried over, and they hold nothing between calls.
 */
export function pageScript(): string {
  const functions = [details, digits, elements, listing, pictures, start].flatMap((module) =>
    Object.values(module),
  );
  return `"use strict";(()=>{\n${functions.map(String).join("\n").replaceAll("\r", "")}\nstartPage();\n})();\n`;
}
