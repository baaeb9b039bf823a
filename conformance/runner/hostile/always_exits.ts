/** Introduces itself, and ends at every question. */
import process from "node:process";
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "evaluate") process.exit(1);
  say(honest(request));
});
