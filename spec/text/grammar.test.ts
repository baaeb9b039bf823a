import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { present } from "../shapes/index.ts";
import { signs } from "./forms.ts";
import { blockHeads, clauseHeads, headerHeads, LineParser } from "./line_parser.ts";
import { tokens } from "./tokens.ts";

const page = readFileSync(new URL("../../docs/text.md", import.meta.url), "utf8");
const [, grammar = ""] = /^```ebnf\n([\s\S]*?)^```/m.exec(page) ?? [];

/** A rule's signs: in double quotes what it says itself, and names of rules. */
function signsIn(rule: string): readonly string[] {
  return [...rule.replaceAll(/\(\*[\s\S]*?\*\)/g, "").matchAll(/"[^"]+"|[a-zA-Z]+/g)].map(([sign]) => sign);
}

function rulesIn(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...text.matchAll(/^(\w+) += ([\s\S]*?) ;(?= |\n|$)/gm)].map(([, name = "", rule = ""]) => [
      name,
      signsIn(rule),
    ]),
  );
}

const names: ReadonlySet<string> = new Set(tokens.map(({ name }) => name.toLowerCase()));

/** What a rule of the page is made of, as the parser's are: rules that the page alone has are written out. */
function partsOf(
  rules: ReadonlyMap<string, readonly string[]>,
  name: string,
  known: ReadonlySet<string>,
): Set<string> {
  const parts = present(rules.get(name), `the rule ${name}`).flatMap((sign) => {
    const literal = sign.startsWith('"') ? sign.slice(1, -1) : undefined;
    // A word that is no token of its own is a name to the parser, which tells by it what follows.
    if (literal !== undefined) return [names.has(literal) ? `"${literal}"` : "name"];
    if (known.has(sign) || !rules.has(sign)) return [sign];
    return names.has(sign) || sign === "unitSign" ? [sign] : [...partsOf(rules, sign, known)];
  });
  return new Set(parts);
}

/** A rule of the parser, as chevrotain tells of it. */
interface Production {
  readonly type: string;
  readonly name?: string;
  readonly separator?: Production;
  readonly definition?: readonly Production[];
}

const kinds = new Map([["unit sign", "unitSign"]]);
const classes = new Set(["word", "name", "text", "numeral", "operator", "update", "unit sign"]);

function signsOf({ type, name = "", separator, definition = [] }: Production): string[] {
  const own =
    type === "NonTerminal"
      ? [name]
      : type !== "Terminal"
        ? []
        : [
            classes.has(name.toLowerCase())
              ? (kinds.get(name) ?? name.toLowerCase())
              : `"${name.toLowerCase()}"`,
          ];
  return [...own, ...(separator === undefined ? [] : signsOf(separator)), ...definition.flatMap(signsOf)];
}

/** The parser reads these in more than one way, so that they are written out wherever they stand. */
const inlined: ReadonlySet<string> = new Set(["number"]);

/** The parts of a rule of the parser; rules that the page has not are written out. */
function partsIn(
  name: string,
  productions: ReadonlyMap<string, Production>,
  rules: ReadonlyMap<string, unknown>,
): Set<string> {
  const { definition = [] } = present(productions.get(name), `the rule ${name} of the parser`);
  const parts = definition
    .flatMap(signsOf)
    .flatMap((sign) =>
      productions.has(sign) && (!rules.has(sign) || inlined.has(sign))
        ? [...partsIn(sign, productions, rules)]
        : [sign],
    );
  return new Set(parts);
}

/** Lists the rules of the parser of which a grammar says something else. */
function strangeRules(text: string): readonly string[] {
  const rules = rulesIn(text);
  const all: readonly Production[] = new LineParser().getSerializedGastProductions();
  const productions = new Map(all.map((production) => [production.name ?? "", production]));
  const known = new Set([...productions.keys()].filter((name) => rules.has(name) && !inlined.has(name)));
  expect(known.size).toBeGreaterThan(20);
  return [...known].flatMap((name) => {
    const own = partsIn(name, productions, rules);
    const told = partsOf(rules, name, known);
    return [...own].every((part) => told.has(part)) && own.size === told.size
      ? []
      : [`${name}: ${[...own].sort().join(" ")} | ${[...told].sort().join(" ")}`];
  });
}

test("the grammar of docs/text.md has each rule of the parser, made of the same parts", () => {
  expect(strangeRules(grammar)).toEqual([]);
});

test("its lines are 60 at most, and it has the words that lines begin with, and all operators", () => {
  expect(grammar.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  const rules = rulesIn(grammar);
  for (const head of [...headerHeads, ...blockHeads]) expect(grammar).toContain(`"${head}"`);
  for (const head of clauseHeads) expect(page).toMatch(new RegExp(`\`${head}\\b`));
  expect(rules.get("operator")?.toSorted()).toEqual(
    Object.keys(signs)
      .map((sign) => `"${sign}"`)
      .toSorted(),
  );
});

test("a part that is missing, or one too many, would be noticed", () => {
  expect(strangeRules(grammar.replace("span ] | span", "span ]").replace("[ span ]", ""))).toHaveLength(1);
  expect(strangeRules(grammar.replace('[ "&" [ "&" ] ] word', "word"))).toHaveLength(1);
  expect(strangeRules(grammar.replace('"?" ;', '"?" | shape ;'))).toHaveLength(1);
});
