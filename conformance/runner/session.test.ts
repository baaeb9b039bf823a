import process from "node:process";
import { expect, it } from "vitest";
import { defaultLimits } from "./limits.ts";
import { Session } from "./session.ts";

it("does not take its own absence for the engine's silence", async () => {
  const script = new URL("hostile/engines.ts", import.meta.url).pathname;
  const session = new Session({ argv: [process.execPath, script, "honest"] }, defaultLimits);
  await session.request({ id: 1, kind: "hello", protocol: 1 }, "hello");
  const outcome = session.request({ id: 2, kind: "unload", program: 1 }, "unload", 100);
  // Let the request go out; then do not listen for thirty times the limit, as a judge at work does.
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
  expect(await outcome).toEqual({ kind: "reply", reply: { id: 2, kind: "done" } });
  expect(await session.close()).toBeUndefined();
});
