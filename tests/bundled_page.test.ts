import { readFileSync } from "node:fs";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, test } from "vitest";
import { packageVersion } from "../cli/terminal/version.ts";
import { chooseEngine, formatterOf, reportJson } from "../conformance/index.ts";
import packageJson from "../package.json" with { type: "json" };
import { present } from "../spec/index.ts";
import { bundledCases, bundledPage } from "./bundled_page.ts";

type Element = DefaultTreeAdapterTypes.Element;

/** The elements of a page, in its order. */
function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("tagName" in node) found.push(node);
    if ("childNodes" in node) waiting.push(...node.childNodes.toReversed());
  }
  return found;
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

const text = readFileSync(bundledPage, "utf8");
const elements = elementsOf(text);
const isRow = ({ tagName, attrs }: Element): boolean =>
  tagName === "th" && attrs.some(({ name, value }) => name === "scope" && value === "row");
/** The names of the engines come first of all rows' heads. */
const rowHeads = elements.filter(isRow).map(textOf);

/** What of a page is no report's: its program, its looks, and which cases were drawn. */
function frameOf(of: readonly Element[]): string[] {
  const isData = ({ attrs }: Element): boolean => attrs.some(({ name }) => name === "type");
  const frame = of.filter((one) => ["script", "style"].includes(one.tagName) && !isData(one));
  const header = of.filter(({ tagName }) => tagName === "header").flatMap(({ childNodes }) => childNodes);
  return [...frame, ...header.filter(({ nodeName }) => nodeName === "p")].map(textOf);
}

describe("docs/bundled.html (npm run docs)", () => {
  test("is of the versions of adjudge and of the engines that are installed", async () => {
    const ours = await Promise.all(
      ["interpreter", "javascript", "wasm"].map(async (word) => {
        const choice = chooseEngine(word);
        const started = choice.ok ? await choice.value.start({}) : undefined;
        const engine = started?.kind === "started" ? started.engine : undefined;
        const { name, version, dtypes } = present(engine, word).describe();
        return dtypes.map((dtype) => `${name} ${version}, ${dtype}`);
      }),
    );
    const { "@tensorflow/tfjs": tfjs, "@jax-js/jax": jaxjs } = packageJson.devDependencies;
    const theirs = [
      `TensorFlow.js ${tfjs}, float32`,
      ...["float64", "float32"].map((dtype) => `jax-js ${jaxjs}, ${dtype}`),
    ];
    const names = [...ours.flat(), ...theirs];
    expect(rowHeads.slice(0, names.length)).toEqual(names);
  });

  test("is written as pages are now, of the cases that the command draws", async () => {
    const adjudge = packageVersion();
    const shares = [{ profile: "mix", share: 1 }];
    const run = { adjudge, seed: 1, cases: bundledCases, profile: "mix", lawsEvery: 4, shares };
    const page = (await formatterOf("html"))(reportJson(run, []));
    expect(frameOf(elements)).toEqual(frameOf(elementsOf(page)));
  });

  test("names no day and no place on a machine, and is small", () => {
    expect(text).not.toMatch(/\b20\d\d-\d\d-\d\d|\/(?:tmp|home|work|usr|root)\//);
    expect(text.length).toBeLessThan(1e6);
  });
});
