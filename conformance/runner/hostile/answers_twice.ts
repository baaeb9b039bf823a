/** Gives the right answer, and gives it again. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => {
  say(reply);
  say(reply);
});
