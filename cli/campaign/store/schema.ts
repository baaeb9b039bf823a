import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fail, InvariantError, type Issue, ok, type Result, visible } from "../../../spec/shapes/index.ts";

/** A file of SQLite whose header has this number is a store of campaigns: the letters ADJC. */
const APPLICATION = 0x41_44_4a_43;

/**
 * The tables are these since this version; a store of a later one is refused, and an earlier one brought
 * here.
 */
const STORE_VERSION = 1;

/** A file is held to these limits. */
export interface FileLimits {
  /** A second writer waits so many milliseconds for the first before it gives up. */
  readonly patience: number;
  /** It has at most so many pages of 4,096 bytes; more are as a full disk. */
  readonly pages?: number;
}

/** A second writer waits so long unless somebody says otherwise. */
const PATIENCE = 10_000;

const tables = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, adjudge TEXT NOT NULL, owner TEXT NOT NULL,
  words TEXT NOT NULL) STRICT;
CREATE TABLE subjects (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, name TEXT NOT NULL,
  version TEXT NOT NULL, offer TEXT NOT NULL) STRICT;
CREATE TABLE series (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL REFERENCES subjects (id),
  kind TEXT NOT NULL, profile TEXT NOT NULL, seed INTEGER NOT NULL, dtype TEXT NOT NULL,
  laws_every INTEGER NOT NULL, adjudge TEXT NOT NULL, next INTEGER NOT NULL DEFAULT 0,
  closed INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE jobs (
  id TEXT PRIMARY KEY, series TEXT NOT NULL REFERENCES series (id), first INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0), state TEXT NOT NULL, worker TEXT, until INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0, run INTEGER REFERENCES runs (id), said TEXT) STRICT;
CREATE INDEX jobs_by_series ON jobs (series, state, first);
CREATE INDEX jobs_by_state ON jobs (state, until);
CREATE TABLE tallies (
  series TEXT NOT NULL REFERENCES series (id), run INTEGER NOT NULL REFERENCES runs (id),
  questions INTEGER NOT NULL, agrees INTEGER NOT NULL, disagrees INTEGER NOT NULL, undecided INTEGER NOT NULL,
  unsupported INTEGER NOT NULL, crashed INTEGER NOT NULL, milliseconds INTEGER NOT NULL, section TEXT NOT NULL,
  PRIMARY KEY (series, run)) STRICT;
CREATE TABLE verdicts (
  series TEXT NOT NULL REFERENCES series (id), place INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs (id),
  kind TEXT NOT NULL, fault TEXT, size INTEGER NOT NULL, verdict TEXT NOT NULL,
  PRIMARY KEY (series, place)) STRICT;
CREATE TABLE findings (
  subject TEXT NOT NULL REFERENCES subjects (id), kind TEXT NOT NULL, sort TEXT NOT NULL, fault TEXT NOT NULL,
  operator TEXT, cases INTEGER NOT NULL, size INTEGER NOT NULL, series TEXT NOT NULL, place INTEGER NOT NULL,
  run INTEGER NOT NULL REFERENCES runs (id), PRIMARY KEY (subject, kind, sort, fault)) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the file of a store, and makes it if `isNew` allows that. Fails: `store/none`, `store/foreign`,
 * `store/newer`, and as {@link attempted} does. Cost: reads the whole file once, to find damage.
 */
export function openFile(
  path: string,
  isNew: boolean,
  { patience = PATIENCE, pages }: Partial<FileLimits>,
): Result<DatabaseSync, Issue[]> {
  if (!isNew && !existsSync(path)) return fail([none(path)]);
  let file: DatabaseSync | undefined;
  const opened = attempted(path, () => {
    const database = new DatabaseSync(path, { timeout: patience });
    file = database;
    const issue = prepared(path, database);
    if (pages !== undefined) database.exec(`PRAGMA max_page_count = ${pages}`);
    return issue;
  });
  const issues = opened.ok ? (opened.value === undefined ? [] : [opened.value]) : opened.error;
  if (issues.length === 0 && file !== undefined) return ok(file);
  file?.close();
  return fail(issues);
}

/** Makes the tables of a new file, and checks an old one. */
function prepared(path: string, database: DatabaseSync): Issue | undefined {
  const [application, version] = ["application_id", "user_version"].map((name) => pragma(database, name));
  const objects = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n);
  if (objects > 0 && application !== APPLICATION) return foreign(path);
  if (objects > 0 && Number(version) > STORE_VERSION) return newer(path, Number(version));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  if (objects === 0) {
    transaction(database, () => {
      // Another process may have made the tables meanwhile.
      if (pragma(database, "application_id") === APPLICATION) return;
      database.exec(tables);
      database.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${STORE_VERSION}`);
    });
    return undefined;
  }
  const [found] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
  return found === "ok" ? undefined : damaged(path, String(found));
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** Does all of an action or, if it throws, nothing. */
export function transaction<T>(database: DatabaseSync, action: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = action();
    database.exec("COMMIT");
    return value;
  } catch (thrown) {
    // A full disk has ended the transaction already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}

/**
 * Returns what an action on a store returns. Fails: `store/locked`, `store/damaged`, `store/full`,
 * `store/unwritable`, as SQLite says; throws what is no error of SQLite.
 */
export function attempted<T>(path: string, action: () => T): Result<T, Issue[]> {
  try {
    return ok(action());
  } catch (thrown) {
    // The file has what no adjudge has written there.
    if (thrown instanceof InvariantError || thrown instanceof SyntaxError)
      return fail([damaged(path, thrown.message)]);
    const code = codeOf(thrown);
    const make = code === undefined ? undefined : sorts.get(code & 0xff);
    if (make === undefined || !(thrown instanceof Error)) throw thrown;
    return fail([make(path, thrown.message)]);
  }
}

function codeOf(thrown: unknown): number | undefined {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number"
    ? thrown.errcode
    : undefined;
}

function issue(code: string, path: string, message: string, hint: string): Issue {
  return { code: `store/${code}`, pointer: "", message: `${visible(path, 400)}: ${message}`, hint };
}

const none = (path: string): Issue =>
  issue("none", path, "there is no such store.", "adjudge campaign run makes one; --store names another");

const foreign = (path: string): Issue =>
  issue("foreign", path, "this is a database of something else.", "give --store another file");

const newer = (path: string, version: number): Issue =>
  issue(
    "newer",
    path,
    `a later adjudge made this store: it has version ${version}, and this adjudge reads ${STORE_VERSION}.`,
    "use that adjudge, or give --store another file",
  );

const damaged = (path: string, said: string): Issue =>
  issue(
    "damaged",
    path,
    `the store is damaged (${visible(said, 200)}).`,
    "keep a copy; sqlite3 FILE .recover saves what can be read, and --store begins another",
  );

const locked = (path: string): Issue =>
  issue(
    "locked",
    path,
    "another process holds the store.",
    "end what holds it, or give --store another file",
  );

const full = (path: string): Issue =>
  issue(
    "full",
    path,
    "the disk is full, and the store stays as it was.",
    "free some space; the same command goes on from there",
  );

const unwritable = (path: string, said: string): Issue =>
  issue(
    "unwritable",
    path,
    `the store cannot be read or written (${visible(said, 200)}).`,
    "give --store the path of a file that you may write, on a disk of this machine",
  );

/** SQLite's primary result codes. Source: https://sqlite.org/rescode.html. */
const sorts: ReadonlyMap<number, (path: string, said: string) => Issue> = new Map([
  [5, locked],
  [6, locked],
  [8, unwritable],
  [10, unwritable],
  [11, damaged],
  [13, full],
  [14, unwritable],
  [26, damaged],
]);
