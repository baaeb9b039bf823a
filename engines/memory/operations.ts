import { entriesNamedBy, type Node } from "../../spec/graph/index.ts";
import type { Statement } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Parts } from "../interpretation/index.ts";
import { type Declared, type Operation, operationOf } from "./operation.ts";

/** Only so many operations are kept, of so many elements, and texts as long as a procedure's derivative. */
const MOST_KEPT = 1024;
const MOST_ELEMENTS = 1024;
const LONGEST_TEXT = 16_384;

/**
 * The operations of an engine in a precision, by their text: programs apply few operators to few shapes, and
 * ask for derivatives in every call. An operation depends on its arguments alone, so that all may share it.
 */
export class OperationTable {
  readonly #kept: Map<string, Operation> = new Map();
  readonly #dtype: DataType;
  readonly #parts: Parts;

  constructor(dtype: DataType, parts: Parts) {
    this.#dtype = dtype;
    this.#parts = parts;
  }

  /** Returns the node's operation on these shapes. Throws {@link ProgramFault} if memory is too small. */
  of(node: Node, shapes: readonly Shape[], declared: Declared): Operation {
    if (!isWrittenByJson(node.attributes)) return this.#made(node, shapes, declared);
    const text = JSON.stringify([node, shapes, entriesNamedBy(node, declared)]);
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const made = this.#made(node, shapes, declared);
    if (text.length <= LONGEST_TEXT && made.elements <= MOST_ELEMENTS) {
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      this.#kept.set(text, made);
    }
    return made;
  }

  #made(node: Node, shapes: readonly Shape[], declared: Declared): Operation {
    return operationOf(node, shapes, declared, this.#dtype, this.#parts);
  }
}

/** Says whether JSON writes every number inside as it is, unlike −0 or one that is not finite. */
function isWrittenByJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== "object" || value === null || Object.values(value).every(isWrittenByJson);
}

/** The operations of a program, each looked up once for a statement. */
export class Operations {
  readonly #known: Map<Statement, Operation> = new Map();
  readonly #table: OperationTable;

  constructor(table: OperationTable) {
    this.#table = table;
  }

  /** Returns the statement's operation; its operands have the same shapes at each turn. */
  of(statement: Statement, node: () => Node, shapes: readonly Shape[], declared: Declared): Operation {
    const known = this.#known.get(statement);
    if (known !== undefined) return known;
    const found = this.#table.of(node(), shapes, declared);
    this.#known.set(statement, found);
    return found;
  }

  /** Returns a node's operation, without a statement. Throws {@link ProgramFault} as {@link of} does. */
  ofNode(node: Node, shapes: readonly Shape[], declared: Declared): Operation {
    return this.#table.of(node, shapes, declared);
  }
}
