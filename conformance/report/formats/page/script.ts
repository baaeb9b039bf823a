import * as details from "./browser/details.ts";
import * as digits from "./browser/digits.ts";
import * as elements from "./browser/elements.ts";
import * as listing from "./browser/listing.ts";
import * as pictures from "./browser/pictures.ts";
import * as start from "./browser/start.ts";

/**
 * Writes the page's program: the functions of `browser/` in one scope, so that they are checked like all code
 * and need no bundler. Law: these files export each top-level function and keep no state outside.
 */
export function pageScript(): string {
  const functions = [details, digits, elements, listing, pictures, start].flatMap((module) =>
    Object.values(module),
  );
  return `"use strict";(()=>{\n${functions.map(String).join("\n").replaceAll("\r", "")}\nstartPage();\n})();\n`;
}
