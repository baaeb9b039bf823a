import { describe, expect, it } from "vitest";
import { everyCase, everyVector, type Json } from "../specimens.test.data.ts";
import { checkQuestion, checkVector, checkVectorText, encodeVector, membersOf } from "./vector.ts";

/** Returns {@link everyVector} with some of its properties replaced, and the id that its content has. */
function vectorWith(parts: { [name: string]: Json } = {}): { [name: string]: Json } {
  const json = { ...everyVector(), ...parts };
  const refused = checkVector(json);
  const hint = refused.ok ? undefined : refused.error.find(({ code }) => code === "vector/id")?.hint;
  const id = hint?.match(/[0-9a-f]{64}/)?.[0];
  return id === undefined ? json : { ...json, id };
}

function faultsOf(json: unknown): string[] {
  const checked = checkVector(json);
  return checked.ok ? [] : checked.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

function valueSets(...sets: Json[]): { [name: string]: Json } {
  return { expected: { values: [{ id: 2, sets }], tangents: [], cotangents: [] } };
}

const exact: Json = { kind: "exact", value: "2" };
const six: Json[] = [exact, exact, exact, exact, exact, exact];

describe("checkVector and encodeVector", () => {
  it("are inverse", () => {
    const checked = checkVector(vectorWith());
    expect(checked.ok).toBe(true);
    if (!checked.ok) return;
    expect(encodeVector(checked.value)).toEqual(vectorWith());
    expect(checkVectorText(JSON.stringify(encodeVector(checked.value)))).toEqual(checked);
  });

  it("are inverse on a vector without a policy", () => {
    const { policy: _, ...json } = everyVector();
    const { id, ...rest } = vectorWith();
    expect(faultsOf(json)).toEqual(["vector/id /id"]);
    expect(id).not.toBe(json.id);
    expect(Object.keys(rest)).toContain("policy");
  });

  it.each<[string, { [name: string]: Json }]>([
    ["note", { note: "another sentence" }],
    ["clause", { clause: "2.3" }],
    ["defects", { defects: [] }],
    ["dtype", { dtype: "float64" }],
    ["seeds", { seeds: [] }],
    ["policy", { policy: { name: "maximumAtTie", choices: ["first", "split"] } }],
  ])("give another %s another id", (_, parts) => {
    const { id } = vectorWith();
    expect(faultsOf({ ...everyVector(), ...parts, id: id ?? "" })).toEqual(["vector/id /id"]);
    expect(vectorWith(parts).id).not.toBe(id);
  });

  it("give what is derived no part in the id", () => {
    const { id } = vectorWith();
    expect(vectorWith({ flags: [], ...valueSets(...six) }).id).toBe(id);
  });

  it("do not mind the order of keys", () => {
    const reversed = Object.fromEntries(Object.entries(vectorWith()).reverse());
    expect(checkVector(reversed)).toEqual(checkVector(vectorWith()));
  });

  it.each<[string, { [name: string]: Json }, string[]]>([
    ["another format", { format: "adjudge.case.v1" }, ["schema/const /format"]],
    ["a bad case", { tangents: [] }, ["point/count /tangents"]],
    ["a clause that is none", { clause: "3" }, ["schema/pattern /clause"]],
    ["a member of another file", { kills: [] }, ["schema/additionalProperties /kills"]],
    ["a defect that is none", { defects: ["a1"] }, ["schema/pattern /defects/0"]],
    ["an unsafe link", { links: ["http://example.org"] }, ["schema/pattern /links/0"]],
    ["a set too few", valueSets(exact), ["vector/component /expected/values/0"]],
    ["a set too many", valueSets(...six, exact), ["vector/component /expected/values/0"]],
    [
      "an id that is none",
      { expected: { values: [], tangents: [], cotangents: [{ id: 25, sets: [] }] } },
      ["vector/component /expected/cotangents/0"],
    ],
    [
      "an id twice",
      { expected: { values: [], tangents: [0, 0].map((id) => ({ id, sets: six })), cotangents: [] } },
      ["vector/component /expected/tangents/1"],
    ],
    [
      "a reversed interval",
      valueSets(...six.slice(1), { kind: "enclosure", low: "0x1p+1", high: "0x1p+0" }),
      ["vector/interval /expected/values/0/sets/5"],
    ],
    [
      "a reversed interval in a hull",
      valueSets(...six.slice(1), {
        kind: "hull",
        members: [exact, { kind: "enclosure", low: "inf", high: "-inf" }],
      }),
      ["vector/interval /expected/values/0/sets/5"],
    ],
    [
      "a number that is not exact",
      valueSets({ kind: "exact", value: "0.5" }),
      ["schema/pattern /expected/values/0/sets/0/value"],
    ],
    [
      "a choice of one",
      valueSets({ kind: "one_of", members: [exact] }),
      ["schema/minItems /expected/values/0/sets/0/members"],
    ],
  ])("refuse %s, and say where", (_, parts, faults) => {
    expect(faultsOf(vectorWith(parts))).toEqual(faults);
  });
});

describe("checkQuestion", () => {
  it("reads a case and a vector of it as the same case", () => {
    const [plain, vector] = [checkQuestion(everyCase()), checkQuestion(vectorWith())];
    expect(plain.ok && vector.ok).toBe(true);
    if (!plain.ok || !vector.ok) return;
    expect(vector.value.case).toEqual(plain.value.case);
    expect([plain.value.vector, vector.value.vector?.clause]).toEqual([undefined, "3.4"]);
  });
});

describe("membersOf", () => {
  it("is empty where nothing is known or everything allowed, and the set itself without alternatives", () => {
    expect([membersOf({ kind: "any" }), membersOf({ kind: "undecided" })]).toEqual([[], []]);
    expect(membersOf({ kind: "nan" })).toEqual([{ kind: "nan" }]);
  });
});
