import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { discharged } from "../../../../reference/package.ts";
import { readText } from "../../../../spec/text/index.ts";
import { description, disagreement } from "../../sections.test.kit.ts";
import type { PageDetail, PageIndex } from "./browser/data.ts";
import { layOutGraphs } from "./layout.ts";
import {
  attribute,
  blamedSection,
  elementsOf,
  embedded,
  foreignDocuments,
  foreignReport,
  manyFindings,
  type PageElement,
  reportOf,
  textOf,
  wrongSweep,
} from "./page.test.kit.ts";
import { htmlPage } from "./page.ts";

const layOut = await layOutGraphs();
const page = (report: Parameters<typeof htmlPage>[0], name?: string): string =>
  htmlPage(report, layOut, name === undefined ? [] : foreignDocuments(name));
const named = (elements: readonly PageElement[], name: string): PageElement[] =>
  elements.filter(({ tagName }) => tagName === name);

const blamed = reportOf(blamedSection([disagreement(0), disagreement(0), disagreement(1)]));
const html = page(blamed, "a name");
const elements = elementsOf(html);

describe("the page", () => {
  test("has one first heading, and none that skips a level", () => {
    const levels = elements.flatMap(({ tagName }) =>
      /^h[1-6]$/.test(tagName) ? [Number(tagName.slice(1))] : [],
    );
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [place, level] of levels.slice(1).entries())
      expect(level - (levels[place] ?? 0)).toBeLessThanOrEqual(1);
  });

  test("says of every head of a table what it heads, and of every table what it is", () => {
    const heads = named(elements, "th");
    expect(heads.length).toBeGreaterThan(10);
    for (const head of heads) expect(["row", "col", "colgroup"]).toContain(attribute(head, "scope"));
    for (const table of named(elements, "table"))
      expect(table.childNodes.map(({ nodeName }) => nodeName)).toContain("caption");
  });

  test("has a title in every picture, and calls it a picture", () => {
    const pictures = named(elements, "svg");
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) {
      const [title] = picture.childNodes;
      expect(attribute(picture, "role")).toBe("img");
      expect(title?.nodeName).toBe("title");
    }
  });

  test("gives each element an id of its own", () => {
    const ids = elements.flatMap((one) => attribute(one, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const labels = elements.flatMap((one) => attribute(one, "aria-labelledby") ?? []);
    for (const label of labels) expect(ids).toContain(label);
  });

  test("links only within itself, and loads nothing", () => {
    for (const one of elements) {
      expect(attribute(one, "src")).toBeUndefined();
      expect(attribute(one, "href") ?? "#").toMatch(/^#/);
      expect(one.attrs.filter(({ name }) => name.startsWith("on") || name === "style")).toEqual([]);
    }
    expect(named(elements, "link")).toEqual([]);
  });

  test("lets nothing run but its own script, and nothing be fetched", () => {
    const policy = named(elements, "meta")
      .map((meta) => attribute(meta, "content") ?? "")
      .find((content) => content.includes("default-src 'none'"));
    const hash = (name: string): string[] =>
      named(elements, name)
        .filter((one) => attribute(one, "type") === undefined)
        .map((one) => createHash("sha256").update(textOf(one)).digest("base64"));
    for (const name of ["script", "style"]) {
      expect(hash(name)).toHaveLength(1);
      expect(policy).toContain(`${name}-src 'sha256-${hash(name)[0]}';`);
    }
  });

  test("counts declined, answered and blamed cases in the matrix, and links to the findings", () => {
    const row = named(elements, "tr").find((one) => textOf(one).startsWith("sum"));
    expect(row?.childNodes.map(textOf)).toEqual([
      "sum",
      "✗ 3 to blame",
      "✓ 7 answered",
      "– 5 declined",
      "✓ 9 answered",
      "· not asked",
    ]);
    const links = elements.flatMap((one) => attribute(one, "href") ?? []);
    expect(links).toContain("#engine=0&operator=sum&question=evaluate");
  });

  test("has each operator's digits of numbers that agree, as the report counts them, and of wrong ones", () => {
    expect(embedded(html, "digits-0")).toEqual([
      {
        operator: "sum",
        questions: {
          evaluate: { right: { 15: 3, 17: 1 }, asked: { 14: 4 }, wrong: { 0: 3 } },
          vjp: { right: { 6: 2 }, asked: { 5: 2 }, wrong: {} },
        },
      },
    ]);
    expect(page(reportOf())).toContain("No number was found to agree or to disagree.");
  });

  const sectionText = (id: string): string => {
    const found = elements.find((one) => attribute(one, "id") === id);
    return found === undefined ? "" : textOf(found);
  };

  test("says what became of the laws, and links to findings of broken ones", () => {
    expect(sectionText("laws")).toContain("✗ 1 broken, 2 hold, 1 undecided");
    const links = elements.flatMap((one) => attribute(one, "href") ?? []);
    expect(links).toContain("#engine=0&question=linearity");
    expect(page(reportOf())).not.toContain('id="laws"');
  });

  test("says by the record which obligations of the operators are proved", () => {
    const { rules = "", obligations } = discharged.sum ?? {};
    expect(sectionText("obligations")).toContain(`sum${obligations} proved${rules}`);
    expect(page(reportOf())).not.toContain('id="obligations"');
  });

  test("has a section for each document of another command", () => {
    const told = [1, 2, 3, 4, 5].map((place) => sectionText(`document-${place}`));
    const words = [
      "✓ accepted",
      "✗ rejected",
      "could not be checked",
      "3 steps: 1 forward",
      "No dimensions fit.",
    ];
    for (const [place, word] of words.entries()) expect(told[place]).toContain(word);
    expect(sectionText("document-6")).toBe("");
  });

  test("reads reports of earlier versions, which have no digits and no laws", () => {
    const engines = blamed.engines.map(({ digits: _, laws: __, ...section }) => section);
    const earlier = page({ ...blamed, engines });
    expect(embedded(earlier, "digits-0")).toMatchObject([{ questions: { evaluate: { wrong: { 0: 3 } } } }]);
    expect(earlier).not.toContain('id="laws"');
  });

  test("begins with the verdict: how many engines are wrong, in how many faults", () => {
    const right = blamedSection([], { label: "two", description: { ...description, name: "another" } });
    const titled = (...sections: Parameters<typeof reportOf>): string => {
      const [head = ""] = /<header.*?<\/header>/s.exec(page(reportOf(...sections))) ?? [];
      return elementsOf(head)
        .filter(({ tagName }) => /^(h1|p)$/.test(tagName))
        .map(textOf)
        .join("; ");
    };
    const crash = { kind: "crashed", message: "no memory" } as const;
    expect(titled(blamedSection([disagreement(0)]))).toBe("✗ adjudge interpreter 0.1.0 is wrong; 1 fault");
    expect(titled(blamedSection([disagreement(0), crash]), right)).toBe(
      "✗ 1 of 2 engines is wrong; 1 fault, 1 crash",
    );
    expect(titled(blamedSection([crash]), right)).toBe("✗ 1 of 2 engines crashed; 1 crash");
    expect(titled(right)).toMatch(/^– No fault was found; too little is known of another/);
    expect(titled()).toBe("– No engine was asked");
  });

  test("says when, how long and by what command the run was, if the report does", () => {
    const started = "2026-11-27T02:03:04.567Z";
    const invocation = { command: "adjudge judge -e <one>", started, node: "24.2.0" };
    const told = page({ ...blamed, invocation });
    for (const words of ["2026-11-27 02:03 UTC", "adjudge judge -e &lt;one&gt;", "0.1.0, Node.js 24.2.0"])
      expect(told).toContain(words);
    expect(told).toContain("<dt>Duration</dt><dd>1 s</dd>");
    for (const words of ["UTC", "Duration"]) expect(html).not.toContain(words);
  });

  test("lists the numbers that agree without a right digit", () => {
    const first = { case: 3, mode: "vjp", answer: "0x0p+0", expected: "0x1p-60" } as const;
    const engines = blamed.engines.map((section) => ({
      ...section,
      imprecise: { tanh: { numbers: 2, cases: 1, first } },
    }));
    expect(page({ ...blamed, engines })).toContain(
      "~ imprecise: tanh, 2 numbers without a right digit in 1 case, such as 0 for 8.67e-19 by vjp in case 3",
    );
    expect(html).not.toContain("imprecise:");
  });

  test("marks the operators without a problem in the matrix, so that the others are shown first", () => {
    const sum = blamed.engines.map((section) => ({
      ...section,
      promises: { ...section.promises, exp: { asked: 3, declined: {} } },
      operators: {
        ...section.operators,
        exp: { agrees: 3, disagrees: 0, crashed: 0, undecided: 0, unsupported: 0 },
      },
    }));
    const rows = named(elementsOf(page({ ...blamed, engines: sum })), "tr");
    const classOf = (name: string): string | undefined =>
      rows.filter((row) => textOf(row).startsWith(name)).map((row) => attribute(row, "class"))[0];
    expect([classOf("sum"), classOf("exp")]).toEqual([undefined, "fine"]);
  });

  test("opens the digits of the engine that is wrong in most cases", () => {
    const second = blamedSection([disagreement(0), disagreement(1)], { label: "two" });
    const options = named(elementsOf(page(reportOf(blamedSection([disagreement(0)]), second))), "option");
    const chosen = options.filter((option) => attribute(option, "selected") !== undefined);
    expect(chosen.map((option) => attribute(option, "value"))).toEqual(["1"]);
  });

  test("is whole where nothing was found, and where nothing was asked", () => {
    for (const report of [reportOf(), reportOf(blamedSection([]))]) {
      const ids = elementsOf(page(report)).flatMap((one) => attribute(one, "id") ?? []);
      expect(ids).toEqual(
        expect.arrayContaining(["index", "list", "filters", "detail", "told", "browse", "printed"]),
      );
    }
  });
});

/** Texts that end elements, begin comments, name entities, or reverse text. */
const hostile = [
  "</script><script>document.title='run'</script>",
  "<!--<script>",
  "--><img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "&lt;b&gt;&#0;&quot;",
  "]]></title></style></textarea>",
  "\u0000\u001b[2J\u202e\u2028\u2029",
  "half a character: \ud800",
  "__proto__",
  "`;alert(1)//",
];

describe.each(hostile)("an engine that says %j", (name) => {
  const [plain, foul] = ["a name", name].map((text) => page(foreignReport(text), text));

  test("changes no element of the page", () => {
    const shapeOf = (text = ""): unknown[] =>
      elementsOf(text).map(({ tagName, attrs }) => [tagName, attrs.map((one) => one.name)]);
    expect(shapeOf(foul)).toEqual(shapeOf(plain));
  });

  test("is shown as text without invisible characters", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(foul).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028\u2029]/);
    const [first]: PageDetail[] = JSON.parse(JSON.stringify(embedded(foul ?? "", "block-0")));
    const [before]: PageDetail[] = JSON.parse(JSON.stringify(embedded(plain ?? "", "block-0")));
    // No input may be called by these, so that what such a report holds is no case.
    if (name.startsWith("\u0000") || !name.isWellFormed())
      return expect(first?.sentence).toBe("The report holds no case of this.");
    expect(first?.drawing?.nodes.length).toBe(before?.drawing?.nodes.length);
    expect(first?.reproduction?.case).toMatchObject({ graph: { inputs: [{ name }] } });
    const { text = "" } = first?.reproduction ?? {};
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028\u2029]/);
    expect(readText(text)).toMatchObject({ ok: true, value: [{ json: { graph: { inputs: [{ name }] } } }] });
  });
});

describe("the findings of a page", () => {
  const indexOf = (text: string): PageIndex => JSON.parse(JSON.stringify(embedded(text, "index")));

  test("are the report's, with distinct names that do not depend on other findings", () => {
    const { rows } = indexOf(html);
    expect(rows.map(({ cases }) => cases)).toEqual([3]);
    const [alone] = indexOf(page(reportOf(blamedSection([disagreement(1)])))).rows;
    expect(rows[0]?.id).toBe(alone?.id);
    const again = blamed.engines.map((section) => ({ ...section, label: "again" }));
    const twice = indexOf(page({ ...blamed, engines: [...blamed.engines, ...again] })).rows;
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  });

  test("have a file and a command that reproduce them", () => {
    const [first]: PageDetail[] = JSON.parse(JSON.stringify(embedded(html, "block-0")));
    expect(first?.replays).toEqual([
      "adjudge replay -e one --dtype float64 --profile mix --seed 1 --case 0",
      "adjudge replay -e one --dtype float64 --profile mix --seed 1 --case 1 --no-laws",
      "adjudge replay -e one --dtype float64 --profile mix --seed 1 --case 2 --no-laws",
    ]);
    expect(first?.reproduction?.command).toMatch(/^adjudge judge finding-\w+\.adj -e one --dtype float64$/);
    const { text = "", case: asked } = first?.reproduction ?? {};
    const read = readText(text);
    expect(read).toMatchObject({ ok: true, value: [{ json: asked }] });
  });

  test("show all steps of a tape's script, and replay it as a script", () => {
    const text = page(reportOf(blamedSection([wrongSweep()])));
    const [first]: PageDetail[] = JSON.parse(JSON.stringify(embedded(text, "block-0")));
    const given = first?.given.join("\n") ?? "";
    expect(given).toMatch(/record a.*# step 1 goes wrong:\n +sweep a/s);
    expect(first?.reproduction?.command).toMatch(/ --kind tapes$/);
    const read = readText(first?.reproduction?.text ?? "");
    expect(read).toMatchObject({ ok: true, value: [{ json: { format: "adjudge.tape-case.v1" } }] });
  });

  describe("where they are ten thousand", () => {
    let many: readonly PageElement[] = [];
    let rows: PageIndex["rows"] = [];
    beforeAll(() => {
      const text = page(manyFindings(10_000));
      many = elementsOf(text);
      rows = indexOf(text).rows;
    });

    test("wait in blocks, outside the document", () => {
      expect(many.filter((one) => attribute(one, "id")?.startsWith("block-"))).toHaveLength(200);
      expect(rows).toHaveLength(10_000);
      // The elements are those of a page with one finding, and the blocks.
      const few = elementsOf(page(manyFindings(1)));
      expect(many.length - few.length).toBeLessThan(210);
    });

    test("begin with new findings", () => {
      const kinds = rows.map(({ kind }) => kind);
      expect(kinds.indexOf("known")).toBe(kinds.filter((kind) => kind !== "known").length);
    });
  });
});

test("the page's modules export each of their top-level functions and nothing else, for only these are carried over", () => {
  const folder = new URL("browser/", import.meta.url);
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ts"))) {
    const tops = readFileSync(new URL(name, folder), "utf8").match(/^[a-z].*$/gm) ?? [];
    expect(tops.filter((line) => !/^(?:export (?:function|interface|type)|import) /.test(line))).toEqual([]);
  }
});
