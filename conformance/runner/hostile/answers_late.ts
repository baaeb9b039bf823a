/** Answers, rightly, but only after twelve seconds. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => setTimeout(() => say(reply), 12_000));
