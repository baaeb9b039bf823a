/**
 * Says everything with what a terminal obeys or an eye is misled by: in the introduction, in refusals (`load` of every third program),
 * errors (`evaluate`) and last words (`vjp` ends it). A name over two lines tries to pass for a verdict.
 */
import process from "node:process";
import { honest, introduction, listen, say, writeAll } from "./honest.ts";

const paint = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egreen\r\n✓ all agree\n\u2028";

listen((request) => {
  const { id, kind, program } = request;
  if (kind === "hello") {
    say({ id, ...introduction, name: `honest${paint}`, version: paint, language: paint, links: [paint] });
  } else if (kind === "load" && program % 3 === 0) {
    say({ id, kind: "unsupported", reason: paint });
  } else if (kind === "evaluate" && program % 3 === 1) {
    say({ id, kind: "error", message: paint });
  } else if (kind === "vjp") {
    writeAll(paint, 2);
    process.exit(1);
  } else {
    say(honest(request));
  }
});
