/** Ends once a case is over. */
import process from "node:process";
import { hostile, say } from "./honest.ts";

hostile("unload", (_, reply) => {
  say(reply);
  setTimeout(() => process.exit(0), 50);
});
