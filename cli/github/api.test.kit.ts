import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the server got it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string | undefined;
}

/** A comment as GitHub's API returns it. */
export interface Written {
  id: number;
  body: string;
  user: { type: "Bot" | "User" };
  author_association: string;
}

/** A server that answers as GitHub's API of comments does, and remembers what it was asked. */
export interface Api {
  readonly url: string;
  readonly asked: Asked[];
  readonly comments: Written[];
  /** Writing is refused with this status, as to the token of a fork. */
  refuses: number | undefined;
  close(): Promise<void>;
}

/** Starts the server on a free port of this machine. */
export async function startApi(): Promise<Api> {
  const asked: Asked[] = [];
  const comments: Written[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const { method = "", url: path = "", headers } = request;
    const given: { readonly body?: string } = text === "" ? {} : JSON.parse(text);
    asked.push({ method, path, token: headers.authorization, body: given.body });
    const isRefused = api.refuses !== undefined && method !== "GET";
    const answer = isRefused
      ? { message: "Resource not accessible by integration" }
      : answerTo(comments, method, new URL(path, "http://api"), given.body ?? "");
    const status = isRefused ? api.refuses : answer === undefined ? 404 : method === "POST" ? 201 : 200;
    response.writeHead(status ?? 500, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: "Not Found" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api: Api = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    comments,
    refuses: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return api;
}

function portOf(address: string | AddressInfo | null): number {
  if (typeof address !== "object" || address === null) throw new Error("the server listens on no port");
  return address.port;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function answerTo(
  comments: Written[],
  method: string,
  { pathname, searchParams }: URL,
  body: string,
): unknown {
  const issues = "/repos/owner/name/issues";
  if (pathname === `${issues}/7/comments` && method === "GET") {
    const [size, page] = ["per_page", "page"].map((name) => Number(searchParams.get(name)));
    if (size === undefined || page === undefined) return undefined;
    return comments.slice((page - 1) * size, page * size);
  }
  if (pathname === `${issues}/7/comments` && method === "POST") {
    const written: Written = { id: 1000, body, user: { type: "Bot" }, author_association: "NONE" };
    comments.push(written);
    return written;
  }
  const found = comments.find(({ id }) => pathname === `${issues}/comments/${id}`);
  if (found !== undefined && method === "PATCH") found.body = body;
  return method === "PATCH" ? found : undefined;
}
