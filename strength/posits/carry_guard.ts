import { positArithmetic, WordQuire } from "../../engines/index.ts";
import { greatestCode } from "../../reference/numerics/index.ts";
import { standardPosit } from "../../spec/wire/index.ts";
import { type Part, Tally } from "./finding.ts";

/** A quire has room for this many greatest products. */
const MOST = 2 ** 31 - 1;

/** Fills posit8's quire: 2³¹ − 1 greatest products fit, and one more is NaR; for either sign. */
export function* carryGuardParts(): Generator<Part> {
  const most = Number(greatestCode(standardPosit(8)));
  for (const sign of [1, -1]) {
    const quire = new WordQuire(positArithmetic(standardPosit(8)));
    for (let n = 0; n < MOST; n++) quire.multiplyAdd(most, sign * most);
    const tally = new Tally(`2³¹ − 1 products of ${sign < 0 ? "−" : ""}maxPos², and one more`);
    const isLast = quire.isReal && quire.toPosit() === sign * most;
    tally.add(isLast ? "right" : { wrong: "the last that fits does not" });
    quire.multiplyAdd(most, sign * most);
    tally.add(quire.isReal ? { wrong: "the first that does not fit does" } : "right");
    quire.multiplyAdd(most, -sign * most);
    tally.add(quire.isReal ? { wrong: "NaR does not stay" } : "right");
    yield tally.part;
  }
}
