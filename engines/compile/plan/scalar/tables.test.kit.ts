import { present } from "../../../../spec/index.ts";
import { codeOf, type ScalarName, scalarCodes } from "./operators.ts";
import type { ScalarTable } from "./table.ts";

/** A row of a table: an operator with its operands, a literal, or the number of an entry of Δ. */
export type Row = readonly [ScalarName | "literal" | "constant", number, number?, number?];

/** Makes the table of so many inputs and these rows. */
export function tableFrom(inputs: number, rows: readonly Row[]): ScalarTable {
  const length = inputs + rows.length;
  const literals: number[] = [];
  const table = {
    inputs,
    codes: new Uint8Array(length),
    x: new Int32Array(length),
    y: new Int32Array(length),
    z: new Int32Array(length),
  };
  for (const [n, [name, x, y = 0, z = 0]] of rows.entries()) {
    const isLeaf = name === "literal" || name === "constant";
    table.codes[inputs + n] = isLeaf ? scalarCodes[name] : present(codeOf.get(name), name);
    table.x[inputs + n] = name === "literal" ? literals.push(x) - 1 : x;
    table.y[inputs + n] = y;
    table.z[inputs + n] = z;
  }
  return { ...table, literals: Float64Array.from(literals) };
}
