/** A thread that was started, or the one that started this one. */
export interface Thread {
  post(message: unknown): void;
  onMessage(handle: (message: unknown) => void): void;
  onError(handle: (error: Error) => void): void;
  end(): void;
}

/** The part of the browser's workers that is used; the loaded type libraries do not declare it. */
interface Port {
  postMessage(message: unknown): void;
  addEventListener(
    kind: "message" | "error",
    handle: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ): void;
  terminate?(): void;
}

declare const Worker: (new (url: URL, options: { readonly type: "module" }) => Port) | undefined;

/** Starts the module at `url` in a thread of Node or the browser. */
export function startThread(url: URL): Thread {
  const node = nodeThreads();
  if (node === undefined) {
    if (typeof Worker === "undefined") throw new Error("this host has no threads");
    return threadOf(new Worker(url, { type: "module" }));
  }
  const worker = new node.Worker(url);
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handle) => worker.on("message", handle),
    onError: (handle) => worker.on("error", handle),
    end: () => void worker.terminate(),
  };
}

/** Returns the thread that started this one. */
export function startingThread(): Thread {
  const port = nodeThreads()?.parentPort;
  if (port === undefined || port === null) {
    const here: unknown = globalThis;
    if (!isPort(here)) throw new Error("this is not a thread that was started");
    return threadOf(here);
  }
  return {
    post: (message) => port.postMessage(message),
    onMessage: (handle) => port.on("message", handle),
    onError: (handle) => port.on("messageerror", handle),
    end: () => port.close(),
  };
}

/** Returns Node's threads, without an import that a browser could not resolve. */
function nodeThreads(): typeof import("node:worker_threads") | undefined {
  return typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:worker_threads");
}

function threadOf(port: Port): Thread {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (handle) => port.addEventListener("message", ({ data }) => handle(data)),
    onError: (handle) =>
      port.addEventListener("error", ({ message }) => handle(new Error(message ?? "a thread failed"))),
    end: () => port.terminate?.(),
  };
}

function isPort(value: unknown): value is Port {
  return typeof value === "object" && value !== null && "postMessage" in value && "addEventListener" in value;
}
