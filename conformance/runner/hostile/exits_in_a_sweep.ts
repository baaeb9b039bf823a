/** Exits when it is to sweep a tape. */
import process from "node:process";
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "sweep") process.exit(4);
  else say(honest(request));
});
