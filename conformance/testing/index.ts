/**
 * The entry for users' tests in any runner: cases drawn by fast-check, and assertions on gradients. The judge
 * is loaded when it is first asked, so that CommonJS can `require` this.
 */

export type { Answered, FunctionAsking, HandWritten } from "../../oracle/functions/index.ts";
export * from "../../oracle/generate/index.ts";
export * from "./expect_gradients.ts";
