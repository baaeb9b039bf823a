import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { interpreterEngine } from "../../../../engines/index.ts";
import {
  boxOf,
  bundledTargets,
  explain,
  noCounts,
  representationsOf,
  type Verdict,
} from "../../../../oracle/index.ts";
import {
  checkGraph,
  nodeId,
  operatorNames,
  present,
  type ReportEntry,
  type ReportJson,
  siBases,
  undeclared,
} from "../../../../spec/index.ts";
import { exampleOf } from "../../../../spec/text/example.test.kit.ts";
import { reportJson, type Section } from "../../json.ts";
import { representationPlot } from "../../representation_plot.ts";
import { disagreement, section } from "../../sections.test.kit.ts";
import { checkDocument, type PageDocument } from "./documents.ts";
import { explanationPage } from "./explanation_page.ts";

/** An element of a page as a browser reads it. */
export type PageElement = DefaultTreeAdapterTypes.Element;

/** Returns a page's elements in order, as a browser's parser finds them. */
export function elementsOf(html: string): PageElement[] {
  const found: PageElement[] = [];
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("tagName" in node) found.push(node);
    if ("childNodes" in node) waiting.push(...node.childNodes.toReversed());
  }
  return found;
}

/** Returns the value of an attribute. */
export function attribute({ attrs }: PageElement, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

/** Returns all text in an element. */
export function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

/** Returns the data embedded in a page under an id. */
export function embedded(html: string, id: string): unknown {
  const found = elementsOf(html).find((one) => attribute(one, "id") === id);
  return found === undefined ? undefined : JSON.parse(textOf(found));
}

/** Makes a section in which `sum` is to blame for these verdicts, and agrees once. */
export function blamedSection(verdicts: readonly Verdict[], change: Partial<Section> = {}): Section {
  const plain = section({});
  const counts = { ...noCounts, agrees: 1, disagrees: verdicts.length };
  return section({
    tally: {
      ...plain.tally,
      counts,
      operators: new Map([["sum", counts]] as const),
      asked: new Set(["sum"]),
      promises: new Map([["sum", { asked: 9, declined: { jvp: 2, vjp: 5 } }]] as const),
      digits: new Map([
        [
          "sum",
          {
            evaluate: { right: { 15: 3, 17: 1 }, asked: { 14: 4 } },
            vjp: { right: { 6: 2 }, asked: { 5: 2 } },
          },
        ],
      ] as const),
      laws: new Map([["linearity", { holds: 2, follows: 0, undecided: 1, broken: 1 }]] as const),
    },
    verdicts: verdicts.map((verdict, place) => ({ case: place, verdict })),
    ...change,
  });
}

/** Makes a disagreement in a number: 0.75 where 0.5 is right, within a bound. */
export function halfWrong(): Verdict {
  const verdict = disagreement(0);
  if (verdict.kind !== "disagrees") throw new Error("it is a disagreement");
  const numbers = { answer: "0x1.8p-1", expected: "0x1p-1", bound: "0x1p-54" };
  return { ...verdict, witness: { ...verdict.witness, ...numbers } };
}

/** Makes a disagreement of a tape: its one sweep, the second step of its script, is wrong. */
export function wrongSweep(): Verdict {
  const verdict = disagreement(0);
  if (verdict.kind !== "disagrees") throw new Error("it is a disagreement");
  const { graph, point } = verdict.witness.case;
  const record = {
    do: "record",
    tape: "a",
    graph: 0,
    point,
    life: "until released",
    of: [nodeId(1)],
  } as const;
  const seeds = [{ id: nodeId(1), cotangent: { shape: [1, 1, 1], data: Float64Array.of(1) } }];
  const sweep = { do: "sweep", tape: "a", seeds, refuse: "never" } as const;
  const script = { step: 1, case: { graphs: [graph], steps: [record, sweep] } };
  return { ...verdict, witness: { ...verdict.witness, question: "sweep", script } };
}

/** Makes a section in which every operator was asked, and agrees but for those that are to blame. */
export function manyOperators(blamed: Section): Section {
  const counts = { ...noCounts, agrees: 3 };
  const promised = { asked: 3, declined: {} };
  const { tally } = blamed;
  return {
    ...blamed,
    tally: {
      ...tally,
      operators: new Map(operatorNames.map((name) => [name, counts])),
      promises: new Map(operatorNames.map((name) => [name, promised])),
    },
  };
}

/** Makes a report of these sections. */
export function reportOf(...sections: Section[]): ReportJson {
  const shares = [{ profile: "tensor", share: 1 }];
  return reportJson({ adjudge: "0.1.0", seed: 1, cases: 10, profile: "mix", lawsEvery: 4, shares }, sections);
}

/** Makes a report with `name` wherever foreign text may stand. */
export function foreignReport(name: string): ReportJson {
  const report = reportOf(
    blamedSection([disagreement(0), { kind: "crashed", message: name }], {
      label: name,
      description: { ...interpreterEngine().describe(), name, version: name },
    }),
  );
  const inside = ({ verdict, ...entry }: ReportEntry): ReportEntry => {
    if (verdict.kind !== "disagrees") return { ...entry, verdict };
    const { witness } = verdict;
    const graph = {
      ...witness.case.graph,
      inputs: witness.case.graph.inputs.map((input) => ({ ...input, name })),
    };
    const blame = { ...witness.blame, sentence: name };
    return {
      ...entry,
      verdict: { kind: "disagrees", witness: { ...witness, case: { ...witness.case, graph }, blame } },
    };
  };
  return {
    ...report,
    engines: report.engines.map((one) => ({ ...one, verdicts: one.verdicts.map(inside) })),
  };
}

/** Makes documents of other commands with `name` wherever foreign text may stand. */
export function foreignDocuments(name: string): PageDocument[] {
  const lean = { format: "adjudge.lean-verdict.v1", file: name } as const;
  const held = { born: 0, last: 1, elements: 2, bytes: 16, place: 0, lastForward: 0, neededBy: [1] };
  const documents = [
    {
      ...{ ...lean, kind: "accepted", claims: [{ name, statement: name }], seen: [name, name] },
      lean: { name, version: name, remarks: [name] },
    },
    { ...lean, kind: "rejected", claim: name, message: name, place: name },
    { ...lean, kind: "could-not-run", reason: name, hint: name },
    {
      ...{ format: "adjudge.lifetimes.v1", dtype: "float64", of: [1], wrt: [0], turn: 1 },
      steps: [{ kind: "forward", id: 1 }, { kind: "turn" }, { kind: "reverse", id: 1 }],
      values: [
        { kind: "primal", id: 1, isResult: true, says: name, ...held },
        { kind: "entry", name, says: name, ...held },
        {
          kind: "cotangent",
          id: 1,
          isWanted: true,
          says: name,
          born: 1,
          last: 2,
          elements: 2,
          bytes: 16,
          place: 2,
        },
      ],
      lowerBound: { elements: 4, bytes: 32, step: 1 },
      plan: "size",
      peaks: { size: { elements: 4, bytes: 32, isProved: true } },
    },
    {
      format: "adjudge.explanation.v1",
      dimensions: {
        kind: "obstructed",
        bases: [name],
        obstruction: {
          ...{ says: name, id: 0, left: name, right: name, bases: [name], unknowns: [name] },
          grounds: [{ says: name, reason: "declared", id: 0, pointer: name, times: "1", terms: [[0, "1"]] }],
        },
      },
    },
  ];
  return documents.map((json) => {
    const document = checkDocument(json);
    return { name, document: present(document.ok ? document.value : undefined, JSON.stringify(document)) };
  });
}

/** Makes a report of so many different findings: an engine has no end of messages to crash with. */
export function manyFindings(count: number): ReportJson {
  const report = reportOf(blamedSection([disagreement(0)]));
  const [first] = report.engines;
  if (first === undefined) throw new Error("there is an engine");
  const verdicts = Array.from({ length: count }, (_, place): ReportEntry => {
    // Messages that differ in numbers alone are one fault.
    const word = place.toString(26).replaceAll(/[0-9]/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
    return { case: place, isKnown: place % 7 === 6, verdict: { kind: "crashed", message: `lost ${word}` } };
  });
  return { ...report, engines: [{ ...first, verdicts }] };
}

/** Makes the page of a perceptron's dimensions, memory and formats. */
export function explainedPage(): Promise<string> {
  const checked = checkGraph(exampleOf("perceptron").json);
  const graph = present(checked.ok ? checked.value : undefined, "a perceptron");
  const [of, wrt] = [[nodeId(7)], [0, 1, 2].map(nodeId)];
  const memory = { modes: [{ kind: "forward", tangents: 0 }, { kind: "reverse" }] as const, hasViews: true };
  const explained = explain(graph, undeclared(siBases), { of, wrt, sheaf: true, memory });
  const explanation = present(explained.ok ? explained.value : undefined, "an explanation");
  const targets = [...bundledTargets.values()];
  const ranges = boxOf(graph, {
    format: "adjudge.ranges.v1",
    inputs: { x: [-1, 1], w1: [-1, 1], w2: [-1, 1] },
  });
  const box = present(ranges.ok ? ranges.value : undefined, "a box");
  const told = representationsOf(graph, { of, wrt, box, digits: 2, targets });
  const representations = present(told.ok ? told.value : undefined, "formats");
  const plot = representationPlot(representations, targets);
  return explanationPage({ ...explanation, representations }, { graph, plot });
}
