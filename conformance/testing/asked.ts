import { createColors } from "picocolors";
import type { Case } from "../../oracle/case/index.ts";
import type { Drawing } from "../../oracle/generate/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import { campaignOn, emptyTally, judge, standingOf, tallied } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { operatorsWithin } from "../../spec/graph/index.ts";
import { assertNever, visible } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { engineTable, showCase, witnessLines } from "../report/index.ts";

/** An assertion's message, and the verdict that it is about. */
interface Problem {
  readonly message: string;
  readonly verdict?: Verdict;
}

/** An engine as users' tests ask it. */
export interface Asked {
  one(question: Case): Promise<Required<Problem>>;
  /** Says what is wrong, if anything is, and stops at the first case that fails. */
  many(which: {
    readonly cases: number;
    readonly seed: number;
    readonly profile: Drawing;
  }): Promise<Problem | undefined>;
}

const plain = createColors(false);

/** Puts cases to an engine in a precision, and says in words what came of it. */
export function askedIn(engine: Engine, dtype: DataType): Asked {
  const description = engine.describe();
  const who = visible(`${description.name} ${description.version}`, 80);
  const title = (verdict: Verdict, place = ""): string => `${who}, ${dtype}${place}: ${headline(verdict)}`;
  return {
    one: async (question) => {
      const verdict = await judge(engine, question, { dtype });
      return { verdict, message: [title(verdict), ...detail(verdict)].join("\n") };
    },
    many: async ({ cases, seed, profile }) => {
      let tally = emptyTally;
      const operators = new Set<OperatorName>();
      for await (const judged of campaignOn(engine, { profile, seed, cases, dtype, lawsEvery: 4 })) {
        const { verdict, case: question, index } = judged;
        if (verdict.kind === "disagrees" || verdict.kind === "crashed") {
          const place = `, case ${index} of profile ${profile.name}, seed ${seed}`;
          return { verdict, message: [title(verdict, place), ...detail(verdict)].join("\n") };
        }
        tally = tallied(tally, judged, index);
        for (const op of operatorsWithin(question.graph)) operators.add(op);
      }
      const extent = { cases, operators, ended: "all", seconds: 0 } as const;
      const account = { description, promised: description.operators, tally, extent };
      if (standingOf(account).kind === "agrees") return undefined;
      return { message: engineTable([{ ...account, label: who, dtype, verdicts: [] }], plain).join("\n") };
    },
  };
}

function headline(verdict: Verdict): string {
  switch (verdict.kind) {
    case "agrees":
    case "disagrees":
      return verdict.kind;
    case "undecided":
      return `undecided, ${visible(verdict.cause)}`;
    case "unsupported":
      return `declined, ${visible(verdict.reason)}`;
    case "crashed":
      return `crashed, ${visible(verdict.message)}`;
    default:
      return assertNever(verdict);
  }
}

/** Shows the witness below the message, or the case that crashes. */
function detail(verdict: Verdict): string[] {
  if (verdict.kind === "disagrees") return witnessLines(verdict.witness, { palette: plain, isWhole: true });
  if (verdict.kind !== "crashed" || verdict.case === undefined) return [];
  return showCase(verdict.case).map((line) => `    ${line}`);
}
