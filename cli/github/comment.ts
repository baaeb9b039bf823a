import { visible } from "../../spec/shapes/index.ts";

/** A pull request, and the right to comment on it. */
export interface PullRequest {
  /** The API's address, such as that of GitHub or of a server of one's own. */
  readonly api: string;
  /** It is the owner's name and the repository's: `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

/** What became of a comment. */
export type Commented = "written" | "updated" | "as it was" | "not needed";

/** A page of comments has so many; nobody reads more pages of them. */
const [PER_PAGE, MOST_PAGES] = [100, 30];

/** A request waits so many milliseconds for its answer. */
const PATIENCE = 30_000;

/** Returns a line that nobody sees, by which a job of this name finds its comment again. */
export function markerOf(name: string): string {
  return `<!-- adjudge: what differs from the base branch, ${name.replaceAll(/[^\w.]/g, "-")} -->`;
}

/**
 * Comments on a pull request: changes the comment that begins with the marker, or writes one if there is
 * news. Throws an error whose message says what the server refused, such as a token of a fork, which may only
 * read.
 */
export async function commentOn(
  pull: PullRequest,
  marker: string,
  text: string,
  isNews: boolean,
): Promise<Commented> {
  const body = `${marker}\n${text}`;
  const earlier = await ownComment(pull, marker);
  const comments = `/repos/${pull.repository}/issues`;
  if (earlier !== undefined) {
    if (earlier.body === body) return "as it was";
    await asked(pull, "PATCH", `${comments}/comments/${earlier.id}`, { body });
    return "updated";
  }
  if (!isNews) return "not needed";
  await asked(pull, "POST", `${comments}/${pull.number}/comments`, { body });
  return "written";
}

interface Comment {
  readonly id: number;
  readonly body: string;
}

/** Finds the comment with the marker of somebody who may write here: others could copy the marker. */
async function ownComment(pull: PullRequest, marker: string): Promise<Comment | undefined> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = `?per_page=${PER_PAGE}&page=${page}`;
    const answer = await asked(
      pull,
      "GET",
      `/repos/${pull.repository}/issues/${pull.number}/comments${query}`,
    );
    if (!Array.isArray(answer)) return undefined;
    for (const found of answer) {
      const comment = commentOf(found);
      if (comment?.body.startsWith(marker) === true) return comment;
    }
    if (answer.length < PER_PAGE) return undefined;
  }
  return undefined;
}

const writers: ReadonlySet<unknown> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

function commentOf(found: unknown): Comment | undefined {
  if (typeof found !== "object" || found === null || !("id" in found) || !("body" in found)) return undefined;
  const { id, body } = found;
  if (typeof id !== "number" || typeof body !== "string") return undefined;
  const user = "user" in found ? found.user : undefined;
  const isBot = typeof user === "object" && user !== null && "type" in user && user.type === "Bot";
  const mayWrite = "author_association" in found && writers.has(found.author_association);
  // GitHub ends lines as mail does.
  return isBot || mayWrite ? { id, body: body.replaceAll("\r\n", "\n") } : undefined;
}

/** Sends a request and returns its answer. Source: GitHub, "REST API endpoints for issue comments". */
async function asked(
  { api, token }: PullRequest,
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: { readonly body: string },
): Promise<unknown> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "adjudge",
      "x-github-api-version": "2022-11-28",
    },
    signal: AbortSignal.timeout(PATIENCE),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} was refused with ${answer.status}: ${visible(text, 200)}`);
  return JSON.parse(text);
}
