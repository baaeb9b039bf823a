import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withSections } from "../tapes/sections.ts";
import {
  cancellationTable,
  drawing,
  heldByDepth,
  heldTable,
  positTraining,
  trainings,
  trainingTable,
} from "./figures.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

/** Trains the network, and writes figures into docs/forward-gradients.md and the drawing beside it. */
export function benchForwardGradients(isWritten: boolean): void {
  const all = [...trainings(), positTraining()];
  const held = heldByDepth();
  const sections = new Map([
    ["training", trainingTable(all)],
    ["held", heldTable(held)],
    ["cancellation", cancellationTable()],
  ]);
  for (const lines of sections.values()) console.log(`${lines.join("\n")}\n`);
  if (!isWritten) return;
  const path = join(docs, "forward-gradients.md");
  writeFileSync(path, withSections(readFileSync(path, "utf8"), sections));
  writeFileSync(join(docs, "forward-gradients.svg"), drawing(all, held));
}
