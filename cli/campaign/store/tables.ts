import type { DatabaseSync, StatementSync } from "node:sqlite";
import { InvariantError, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { attempted, type FileLimits, openFile, transaction } from "./schema.ts";

/** A row of a table, of which nothing is believed. */
export type Row = Readonly<Record<string, unknown>>;

type Value = string | number | null;

/**
 * The open file of a store. Every access goes through `read` or `changed`, which say what SQLite objects
 * to.
 */
export class Tables implements Disposable {
  readonly path: string;
  readonly #file: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, file: DatabaseSync) {
    this.path = path;
    this.#file = file;
  }

  /** Opens a file. Fails: as `openFile` does. */
  static open(path: string, isNew: boolean, limits: Partial<FileLimits> = {}): Result<Tables, Issue[]> {
    const file = openFile(path, isNew, limits);
    return file.ok ? ok(new Tables(path, file.value)) : file;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  /** Returns what an action reads. Fails: as `attempted` does. */
  read<T>(action: () => T): Result<T, Issue[]> {
    return attempted(this.path, action);
  }

  /**
   * Does all of an action, or nothing; within another it is a part of that one. Fails: as `attempted`
   * does.
   */
  changed<T>(action: () => T): Result<T, Issue[]> {
    if (this.#file.isTransaction) return ok(action());
    return attempted(this.path, () => transaction(this.#file, action));
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#file.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  all(sql: string, ...values: readonly Value[]): Row[] {
    return this.#prepared(sql).all(...values);
  }

  maybe(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  one(sql: string, ...values: readonly Value[]): Row {
    const row = this.maybe(sql, ...values);
    if (row === undefined) throw new InvariantError("the row is there");
    return row;
  }

  /** Changes rows, and counts them. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }
}

/** Reads a text of a row; the tables are strict, so another type is a fault of adjudge. */
export function textIn(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new InvariantError(`the column ${name} has a text`);
  return value;
}

/** Reads a number of a row. */
export function numberIn(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new InvariantError(`the column ${name} has a number`);
  return value;
}
