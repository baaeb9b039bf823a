import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Tells whether this computer has a Redis; without one, tests of fleets are skipped. */
export const hasRedis: boolean = spawnSync("redis-server", ["--version"]).status === 0;

if (!hasRedis) console.log("There is no redis-server; the tests of fleets are skipped.");

/** A Redis of its own on a free port, which keeps what it is told in a folder. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #words: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string, words: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#words = words;
  }

  static async start(folder: string, words: readonly string[] = [], port?: number): Promise<RedisServer> {
    const server = new RedisServer(port ?? (await freePort()), folder, words);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const words = ["--port", `${this.port}`, "--dir", this.#folder, "--appendonly", "yes", "--save", ""];
    const child = spawn("redis-server", [...words, "--bind", "127.0.0.1", ...this.#words], {
      stdio: "ignore",
    });
    this.#child = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      await pause(50);
    }
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
  }
}

/** Finds a port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a server has a port");
  return address.port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
