/** Ends in the middle of a program. */
import process from "node:process";
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "run") process.exit(4);
  else say(honest(request));
});
