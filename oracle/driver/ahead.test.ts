import process from "node:process";
import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { type Asked, judgedAhead, type Posed } from "./ahead.ts";

/** A question that is answered after so many turns of the event loop, or throws at once for 0. */
const posed = (turns: number): Posed<number> => ({
  async ask(): Promise<Asked<number>> {
    if (turns === 0) throw new Error("this question cannot be asked");
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    return { needs: "nothing", judge: async () => turns };
  },
});

test("a question that throws while another is on its way throws in its turn, and not before", async () => {
  const engine = { ...interpreterEngine(), queues: true };
  const judged: number[] = [];
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const all = (async () => {
      for await (const one of judgedAhead(engine, [1, 1, 1, 20, 0, 1], posed)) judged.push(one);
    })();
    await expect(all).rejects.toThrow("this question cannot be asked");
  } finally {
    process.off("unhandledRejection", note);
  }
  expect({ judged, unhandled }).toEqual({ judged: [1, 1, 1, 20], unhandled: [] });
});
