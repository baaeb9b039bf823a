/** Answers, rightly, but only after three seconds. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => setTimeout(() => say(reply), 3000));
