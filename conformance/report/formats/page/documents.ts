import { validateLeanVerdict, validateLifetimes } from "../../../../spec/documents/index.ts";
import { type ExplanationJson, validateExplanation } from "../../../../spec/explained/index.ts";
import { fail, type Issue, quote, type Result } from "../../../../spec/shapes/index.ts";
import type { LeanVerdictJson, LifetimesJson } from "../../../../spec/wire/index.ts";
import { explanationParts, titleOf } from "./explanation_page.ts";
import { part } from "./frame.ts";
import { leanParts } from "./lean.ts";
import { lifetimesParts } from "./lifetimes.ts";
import { element, type Markup, together } from "./markup.ts";

/** JSON of another command that a report's page can show. */
type Document = ExplanationJson | LifetimesJson | LeanVerdictJson;

/** A document, and the name of its file. */
export interface PageDocument {
  readonly name: string;
  readonly document: Document;
}

/** Commands whose JSON a page takes, by the format that it names. */
const commands: Readonly<Record<Document["format"], string>> = {
  "adjudge.explanation.v1": "adjudge explain --json",
  "adjudge.lifetimes.v1": "adjudge lifetimes --json",
  "adjudge.lean-verdict.v1": "adjudge lean check --json",
};

/** Checks a document. Fails: `document/format`, `schema/…`. */
export function checkDocument(json: unknown): Result<Document, Issue[]> {
  const format = typeof json === "object" && json !== null && "format" in json ? json.format : undefined;
  switch (format) {
    case "adjudge.explanation.v1":
      return validateExplanation(json);
    case "adjudge.lifetimes.v1":
      return validateLifetimes(json);
    case "adjudge.lean-verdict.v1":
      return validateLeanVerdict(json);
    default:
      return fail([
        {
          code: "document/format",
          pointer: "/format",
          message:
            typeof format === "string"
              ? `a page has no section for ${quote(format)}.`
              : "the document names no format.",
          hint: `give what one of these prints: ${Object.values(commands).join(", ")}`,
        },
      ]);
  }
}

/** Makes a section for each document. */
export function documentSections(documents: readonly PageDocument[]): Markup[] {
  return documents.map(({ name, document }, place) => {
    const id = `document-${place + 1}`;
    const { title, content } = told(document, id);
    const source = element("p", { class: "note" }, `By ${commands[document.format]}.`);
    // A number tells files of one name apart.
    return part(id, `${place + 1}. ${title}: ${name}`, together(source, content));
  });
}

function told(document: Document, id: string): { readonly title: string; readonly content: Markup } {
  switch (document.format) {
    case "adjudge.explanation.v1": {
      const parts = explanationParts(document).map(({ id: own, heading, content }) =>
        part(`${id}-${own}`, heading, content, 3),
      );
      return { title: `Before it runs, ${titleOf(document.dimensions)}`, content: together(...parts) };
    }
    case "adjudge.lifetimes.v1":
      return { title: "Lifetimes", content: lifetimesParts(document, id) };
    case "adjudge.lean-verdict.v1":
      return { title: "Lean", content: leanParts(document) };
  }
}
