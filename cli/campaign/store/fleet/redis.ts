import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Redis, RedisOptions } from "ioredis";
import { missingPeers } from "../../../../spec/peers.ts";
import { fail, type Issue, ok, type Result, visible } from "../../../../spec/shapes/index.ts";

type Bull = typeof import("bullmq");

/** Files of TLS, as `redis-cli` names them. */
export interface TlsFiles {
  /** The certificate of the authority that the server's is checked against. */
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Where a queue is: a checked URL of Redis, with what TLS needs. */
export interface QueueAddress {
  readonly url: URL;
  readonly options: RedisOptions;
}

/** A connection to the Redis of a queue, and the library of queues. */
export interface Connection extends AsyncDisposable {
  readonly redis: Redis;
  readonly bull: Bull;
  /** Names the Redis without its password. */
  readonly name: string;
}

/**
 * Reads the address of a queue: `redis://` or, over TLS, `rediss://`, with `user:password@` before the host
 * and a database number behind it, as Redis has them. Fails: `queue/address`, `queue/file`.
 */
export function addressOf(text: string, files: TlsFiles): Result<QueueAddress, Issue[]> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isTls = url?.protocol === "rediss:";
  if (url === undefined || url.hostname === "" || !(isTls || url.protocol === "redis:"))
    return fail([badAddress(text, "it is no URL of Redis.")]);
  const database = /^\/?([0-9]{0,4})$/.exec(url.pathname)?.[1];
  if (database === undefined || url.search !== "" || url.hash !== "")
    return fail([badAddress(text, "behind the host there is a database number alone.")]);
  const given = Object.entries(files);
  if (given.length > 0 && !isTls) return fail([badAddress(text, "the files of TLS are for rediss://.")]);
  if ((files.cert === undefined) !== (files.key === undefined))
    return fail([badAddress(text, "--cert and --key belong together.")]);
  const read: { [Name in "ca" | "cert" | "key"]?: Buffer } = {};
  for (const [name, path] of given) {
    try {
      read[name === "cacert" ? "ca" : name === "cert" ? "cert" : "key"] = readFileSync(path);
    } catch (thrown) {
      return fail([badFile(path, thrown)]);
    }
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const [username, password] = [url.username, url.password].map(decoded);
  if (username === undefined || password === undefined)
    return fail([badAddress(text, "a % in its user or password stands as %25.")]);
  const options: RedisOptions = {
    ...{ host, port: url.port === "" ? 6379 : Number(url.port), db: Number(database) },
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(isTls ? { tls: { ...read, ...(isIP(host) === 0 ? { servername: host } : {}) } } : {}),
  };
  return ok({ url, options });
}

/**
 * Hides the password of the address in a word or a message, of whatever scheme, and with it all up to the
 * last `@`: a password may have any characters.
 */
export function masked(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:).*@/gis, "$1***@");
}

/** Decodes a part of a URL; `undefined` if its percent signs encode nothing. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A server that was there, and is away, is tried again this often, in milliseconds. */
const AGAIN = 500;

/** A server has so many milliseconds to take a connection. */
const PATIENCE = 10_000;

/**
 * Connects to the Redis of a queue. Once it was there, it is waited for as long as it takes; `note` says
 * that it is away, and that it is back. Fails: `package/missing`, `queue/redis`.
 */
export async function openRedis(
  { url, options }: QueueAddress,
  note: (line: string) => void,
): Promise<Result<Connection, Issue[]>> {
  const missing = missingPeers(["bullmq", "ioredis"]);
  if (missing.length > 0) return fail(missing);
  const [bull, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
  const name = masked(url.href);
  let wasThere = false;
  let last: unknown;
  const redis = new Redis({
    ...options,
    ...{ lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: PATIENCE, replyMapping: "legacy" },
    retryStrategy: () => (wasThere ? AGAIN : null),
  });
  // A server that wants no password, or another one, says so here.
  redis.on("error", (thrown) => {
    last = thrown;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (thrown) {
    redis.disconnect();
    return fail([noRedis(name, last ?? thrown)]);
  }
  wasThere = true;
  let isAway = false;
  redis.on("close", () => {
    if (!isAway) note(`${name} is away, and is waited for`);
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) note(`${name} is back`);
    isAway = false;
  });
  const end = async (): Promise<void> => {
    redis.removeAllListeners("close");
    redis.disconnect();
  };
  return ok({ redis, bull, name, [Symbol.asyncDispose]: end });
}

function badAddress(text: string, what: string): Issue {
  const hint = "give redis://[[user]:password@]host[:port][/database], or rediss:// for TLS";
  // Without a scheme, all before the host may be a password.
  const named = text.includes("://") ? masked(text) : text.replace(/^.*@/s, "***@");
  return { code: "queue/address", pointer: "", message: `${visible(named, 200)}: ${what}`, hint };
}

function badFile(path: string, thrown: unknown): Issue {
  const message = `${visible(path, 400)} cannot be read: ${saidBy(thrown)}.`;
  return { code: "queue/file", pointer: "", message, hint: "give a file in PEM that you may read" };
}

function noRedis(name: string, thrown: unknown): Issue {
  const message = `${visible(name, 200)} cannot be used: ${saidBy(thrown)}.`;
  const hint = "see that Redis runs there, and its user, password and certificates; docs/campaigns.md";
  return { code: "queue/redis", pointer: "", message, hint };
}

function saidBy(thrown: unknown): string {
  return visible(masked(thrown instanceof Error ? thrown.message : String(thrown)), 200);
}
