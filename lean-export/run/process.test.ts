import { tmpdir } from "node:os";
import process from "node:process";
import { expect, test } from "vitest";
import { type Command, runProcess } from "./process.ts";

const node = (script: string, limits: Partial<Command["limits"]> = {}): Command => ({
  file: process.execPath,
  argv: ["-e", script],
  folder: tmpdir(),
  environment: {},
  limits: { milliseconds: 60_000, outputBytes: 100_000, ...limits },
});

test("a process's output and its code are reported", async () => {
  expect(
    await runProcess(node("console.log('out'); console.error('err'); process.exitCode = 3")),
  ).toMatchObject({
    ending: { kind: "exited", code: 3 },
    stdout: "out\n",
    stderr: "err\n",
  });
});

test("a process that does not end is ended", async () => {
  const end = await runProcess(node("for (;;);", { milliseconds: 300 }));
  expect(end.ending).toEqual({ kind: "killed", why: "took more than 300 ms" });
});

test("a process that writes without end is ended, and what it wrote beyond the limit is dropped", async () => {
  const end = await runProcess(node("for (;;) require('fs').writeSync(1, 'x'.repeat(1000))"));
  expect(end.ending).toEqual({ kind: "killed", why: "wrote more than 100000 bytes" });
  expect(end.stdout.length).toBeLessThanOrEqual(100_000);
});

test("a process that ends itself by a signal did not finish", async () => {
  const end = await runProcess(node("process.kill(process.pid, 'SIGSEGV')"));
  expect(end.ending).toEqual({ kind: "killed", why: "was ended by SIGSEGV" });
});

test("a program that is not there is not started", async () => {
  expect((await runProcess({ ...node(""), file: "no-such-program" })).ending.kind).toBe("not-started");
});

test("nothing of the caller's environment is inherited", async () => {
  const end = await runProcess(node("console.log(process.env.PATH)"));
  expect(end.stdout).toBe("undefined\n");
});

test("a conversation hears whole lines, and answers them", async () => {
  const heard: string[] = [];
  const echo =
    "process.stdin.on('data', (d) => process.stdout.write('got ' + d)); process.stdout.write('hel'); setTimeout(() => process.stdout.write('lo\\n'), 20)";
  let close = (): void => {};
  const end = await runProcess(node(echo), {
    begin: (speaker) => {
      speaker.send("one");
      close = speaker.close;
    },
    heard: (line) => {
      heard.push(line);
      if (heard.length === 2) close();
    },
  });
  expect(end.ending).toEqual({ kind: "exited", code: 0 });
  expect(heard.join("|")).toMatch(/^(hello\|got one|helgot one\|lo)$/);
});
