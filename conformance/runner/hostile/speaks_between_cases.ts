/** Says something nobody asked for once a case is over. */
import { hostile, say } from "./honest.ts";

hostile("unload", (_, reply) => {
  say(reply);
  setTimeout(() => say({ note: "garbage collected" }), 50);
});
