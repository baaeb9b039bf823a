import type { LeanVerdictJson } from "../../../../spec/wire/index.ts";
import { counted } from "../../fold.ts";
import { element, type Markup, together } from "./markup.ts";
import { wordTable } from "./tables.ts";

/** Shows what Lean's kernel says of a file: what it proved, or why it did not. */
export function leanParts(verdict: LeanVerdictJson): Markup {
  switch (verdict.kind) {
    case "accepted": {
      const { claims, seen, lean } = verdict;
      return together(
        element(
          "p",
          { class: "sentence" },
          element("strong", { class: "good" }, "✓ accepted"),
          ` by the kernel of ${lean.name} ${lean.version}: ${counted(claims.length, "theorem")}. What the last of them says, and what it is about, as Lean has it:`,
        ),
        ...lean.remarks.map((remark) => element("p", { class: "note" }, remark)),
        linesOf(seen),
        element(
          "details",
          {},
          element("summary", {}, "The theorems"),
          wordTable(
            "Theorems that the kernel accepted",
            ["name", "statement"],
            claims.map(({ name, statement }) => [name, statement]),
          ),
        ),
      );
    }
    case "rejected": {
      const { claim, message, place } = verdict;
      const about = claim === undefined ? "" : ` ${claim}:`;
      return together(
        element(
          "p",
          { class: "sentence" },
          element("strong", { class: "bad" }, "✗ rejected"),
          `${about} at ${place}`,
        ),
        linesOf(message.split("\n")),
      );
    }
    case "could-not-run":
      return element(
        "p",
        { class: "sentence" },
        element("strong", { class: "unsure" }, "? could not be checked"),
        `: ${verdict.reason} ${verdict.hint}`,
      );
  }
}

function linesOf(lines: readonly string[]): Markup {
  return element("pre", { tabindex: 0 }, ...lines.flatMap((line) => [line, { html: "\n" }]));
}
