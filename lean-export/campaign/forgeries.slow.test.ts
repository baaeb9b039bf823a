import { beforeAll, describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { falsehoodIn } from "../falsehood.test.kit.ts";
import { checkBatch, type LeanVerdict, seenAgainst } from "../index.ts";
import { verdictByText } from "../verdict_by_text.test.kit.ts";
import { type Forgery, forgeryAt } from "./forgery_grammar.test.kit.ts";
import { subjects } from "./forgery_subjects.test.kit.ts";

const COUNT = 150;

const forgeries: readonly Forgery[] = Array.from({ length: COUNT }, (_, index) => forgeryAt(index));
const held: { verdicts: readonly LeanVerdict[]; right: readonly LeanVerdict[] } = { verdicts: [], right: [] };

beforeAll(async () => {
  const files = [
    ...subjects.map(({ name, text }) => ({ name, text })),
    ...forgeries.map(({ text }, index) => ({ name: `forgery ${index}`, text })),
  ];
  const verdicts = await checkBatch(files);
  held.right = verdicts.slice(0, subjects.length);
  held.verdicts = verdicts.slice(subjects.length);
}, 1_800_000);

interface Told {
  readonly index: number;
  readonly forgery: Forgery;
  readonly verdict: LeanVerdict;
}

const told = (): readonly Told[] =>
  forgeries.map((forgery, index) => ({
    index,
    forgery,
    verdict: present(held.verdicts[index], "a verdict"),
  }));

const nameOf = ({ index, forgery }: Told): string => `${index}: ${forgery.subject.name}, ${forgery.what}`;

/** Whether a file is taken for the subject's by `lean check --against`. */
function isTaken({ subject }: Forgery, verdict: LeanVerdict): boolean {
  return verdict.kind === "accepted" && seenAgainst(verdict.seen.about, subject.asked).length === 0;
}

describe("a forged file", () => {
  test("is made of a right one, which is accepted against its case", () => {
    const taken = subjects.map(({ asked }, at) => {
      const verdict = held.right[at];
      return verdict?.kind === "accepted" ? seenAgainst(verdict.seen.about, asked) : verdict;
    });
    expect(taken).toEqual(subjects.map(() => []));
  });

  test("is never taken for what it passes itself off as", () => {
    expect(
      told()
        .filter(({ forgery, verdict }) => isTaken(forgery, verdict))
        .map(nameOf),
    ).toEqual([]);
    expect(
      told()
        .filter(({ verdict }) => verdict.kind === "could-not-run")
        .map(nameOf),
    ).toEqual([]);
  });

  test("is rejected by itself where it is false, and true of something else where it is accepted", () => {
    const falsehoods = told().flatMap((one) => {
      const { forgery, verdict } = one;
      if (verdict.kind !== "accepted") return [];
      const falsehood = forgery.kind === "false" ? "it is accepted" : falsehoodIn(forgery.text, verdict);
      return falsehood === undefined ? [] : [`${nameOf(one)}: ${falsehood}`];
    });
    expect(falsehoods).toEqual([]);
  });

  test("misleads whoever reads the text alone, or asks for no case", () => {
    const misled = told().filter(({ forgery }) => {
      if (forgery.subject.kind === "system") return false;
      const verdict = verdictByText(forgery.text, () => false);
      return forgery.kind === "false" && isTaken(forgery, verdict);
    });
    // These show data that are the subject's to a reader, or claim less of them.
    expect(misled.length).toBeGreaterThan(5);
    const alone = told().filter(
      ({ forgery, verdict }) => forgery.kind === "another" && verdict.kind === "accepted",
    );
    expect(alone.length).toBeGreaterThan(30);
  });

  test("is made in every way, of every subject", () => {
    const words = forgeries.map(({ what }) => what).join("\n");
    for (const part of [
      "a value",
      "a bound of ten millions",
      "under bounds of ten millions",
      "an index map that skips",
      "an index that is named twice",
      "another axis to count along",
      "other random words",
      "taken for another's",
      "the hash of another law",
      "another operator in its graph",
      "another index",
      "a mask turned round",
      "a tie to the second",
      "a cofactor of the other sign",
      "a number that is written as another",
      "right data under another name",
    ])
      expect(words).toContain(part);
    expect(new Set(forgeries.map(({ subject }) => subject.name)).size).toBe(subjects.length);
  });
});
