import { visible } from "../../../spec/shapes/index.ts";
import { type Change, type Comparison, changeLines } from "../compare.ts";
import { counted } from "../fold.ts";
import { code, detailBlock } from "./markdown.ts";

/** So many faults have a row, and so many characters are written; GitHub takes 65,536 of a comment. */
const [MOST_ROWS, MOST_CHARACTERS] = [20, 20_000];

/** Tells whether there is something to say: an engine broke or was mended, or none can be compared. */
export function isNews({ broke, mended, common }: Comparison): boolean {
  return broke.length + mended.length > 0 || common === 0;
}

/**
 * Writes a comparison as Markdown for a comment: how many faults are new, mended and as they were, a table of
 * them, and a block for each new one. Law: it has fewer than 60,000 characters, whatever the reports hold.
 */
export function differenceMarkdown(comparison: Comparison): string {
  const { broke, mended, unasked, still, gone, added, common } = comparison;
  const kinds = [
    ["❌ new", broke],
    ["✅ mended", mended],
    ["– not asked again", unasked],
    ["as it was", still],
  ] as const;
  const rows = kinds.flatMap(([kind, changes]) => changes.map((change) => row(kind, change)));
  const rest = rows.length - MOST_ROWS;
  const table = [
    "| | fault | engine | precision | cases before | cases now |",
    "| --- | --- | --- | --- | ---: | ---: |",
    ...rows.slice(0, MOST_ROWS),
    "",
    ...(rest > 0 ? [`${counted(rest, "fault")} more; \`adjudge compare\` tells all.`, ""] : []),
  ];
  return [
    `### adjudge: ${verdictOf(comparison)}`,
    "",
    ...(common === 0 ? ["No engine and precision is in both reports.", ""] : []),
    ...(rows.length > 0 ? table : []),
    ...blocks(broke),
    ...onlyIn("the base branch's report", gone),
    ...onlyIn("this report", added),
  ].join("\n");
}

function verdictOf({ broke, mended, still }: Comparison): string {
  if (broke.length + mended.length === 0)
    return still.length === 0 ? "no faults, as before" : `${counted(still.length, "fault")}, as before`;
  const also = still.length > 0 ? `, ${still.length} as before` : "";
  return `${counted(broke.length, "new fault")}, ${mended.length} mended${also}`;
}

function row(kind: string, { title, engine, dtypes, before, after }: Change): string {
  const cells = [title, engine, dtypes.join(", ")].map((words) => code(words, 120));
  return `| ${[kind, ...cells, before, after].join(" | ")} |`;
}

/** Writes a block for each new fault while there is room. */
function blocks(broke: readonly Change[]): string[] {
  const told: string[] = [];
  let characters = 0;
  for (const change of broke) {
    const { title, engine } = change;
    const cut = changeLines(change)
      .slice(0, 60)
      .map((line) => visible(line, 400));
    const block = detailBlock(`<b>${code(title, 200)}</b> ${code(engine, 120)}`, cut);
    characters += block.join("\n").length;
    if (characters > MOST_CHARACTERS) return told;
    told.push(...block);
  }
  return told;
}

function onlyIn(where: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const told = names.slice(0, 5).map((name) => code(name, 120));
  const more = names.length > told.length ? `, and ${names.length - told.length} more` : "";
  return [`In ${where} alone: ${told.join(", ")}${more}.`, ""];
}
