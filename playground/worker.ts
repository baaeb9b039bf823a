import { type Answer, answerTo, type Question } from "./answer.ts";

/** The worker answers each question, or says why it could not. */
export type Said = Answer | { readonly failed: string };

function said(question: Question): Said {
  try {
    return answerTo(question);
  } catch (thrown) {
    return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

addEventListener("message", ({ data }: MessageEvent<Question>) => postMessage(said(data)));
postMessage("ready");
