import { expect, test } from "vitest";
import { float64, functionalise, record } from "../../reference/package.ts";
import { type ProgramStructure, programStructures, structuresOf } from "./census.ts";
import { exactPrograms, floatPrograms, programAt } from "./draw.ts";
import { startOver } from "./laws.test.kit.ts";

/** At least so many of 500 programs have the structure: most structures often, the rare ones now and then. */
const rare: Partial<Record<ProgramStructure, number>> = {
  diagonal: 20,
  strided: 30,
  "a diagonal beside the main one": 10,
  "diagonals of a batch": 25,
  "a write beside a main diagonal": 10,
  "a view backwards": 20,
  "a write backwards": 25,
  "a write through windows": 20,
  "a row written twice at once": 20,
  "a view of a persistent location handed back and then written": 20,
  "a location given away": 30,
  "a function that saves what its derivative reads in place": 15,
  "a function with a derivative of its own, differentiated within": 10,
  "statement release": 20,
  "statement retain": 20,
  "a view by a counter": 15,
  "a write beside what was saved": 20,
  "a branch not taken": 30,
  "a derivative by the second parameter": 20,
  "a draw under checkpoint": 30,
  "a location given as a value": 30,
  "a recursion with work behind the call": 35,
  "statement differentiate_call": 35,
  "a call differentiated by a location": 25,
  "a call differentiated of what it leaves in a location": 35,
  "a call differentiated whose results are not all meant": 15,
  "a call differentiated with references to one location": 12,
  "a receipt under checkpoint": 20,
};

const PROGRAMS = 500;

test.each([
  floatPrograms,
  exactPrograms,
])("$name programs have what they are drawn for, as often as they should", (profile) => {
  const counts = new Map<ProgramStructure, number>(programStructures.map((structure) => [structure, 0]));
  let unsaid = 0;
  for (let index = 0; index < PROGRAMS; index++) {
    const drawn = programAt(profile, 5, index);
    const start = startOver(drawn, Number);
    const recording = record(float64, drawn.program, start);
    if (!recording.ok) {
      // What says a derivative has become infinite, as whatever is large may.
      expect([index, recording.error[0]?.code]).toEqual([index, "program/derivative"]);
      unsaid += 1;
      continue;
    }
    const isStatic = functionalise(float64, drawn.program, start).ok;
    for (const structure of structuresOf(drawn.program, recording.value, isStatic))
      counts.set(structure, (counts.get(structure) ?? 0) + 1);
  }
  expect(unsaid).toBeLessThan(PROGRAMS / 100);
  const missing = [...counts].filter(([structure, count]) => count < (rare[structure] ?? 40));
  expect(missing).toEqual([]);
});
