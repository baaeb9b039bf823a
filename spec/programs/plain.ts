import type { Shape } from "../shapes/index.ts";
import { isSameShape } from "../shapes/index.ts";
import type { Index, LetOf, Statement, StatementOf } from "./program.ts";

/** These statements mean others, as a composite means its expansion. */
export type Compound = StatementOf<"write_rows"> | StatementOf<"write_where">;

/** A compound statement is made of these. */
export type Plain = StatementOf<"let" | "buffer" | "view" | "write" | "update">;

/** A compound statement is executed many times, on the same shapes. */
const known: WeakMap<Statement, readonly Plain[]> = new WeakMap();

/**
 * Returns the statements that a compound one means [SEMANTICS §10.3], for the shapes of what it writes to and
 * of what is written. The names that they bind are new, and end behind them. The same statement has the same
 * ones.
 */
export function plainOf(statement: Compound, to: Shape, from: Shape): readonly Plain[] {
  const found = known.get(statement) ?? writtenOut(statement, to, from);
  known.set(statement, found);
  return found;
}

function writtenOut(statement: Compound, to: Shape, from: Shape): readonly Plain[] {
  return statement.do === "write_rows" ? rowsOf(statement, to) : maskedOf(statement, to, from);
}

/** All of the value is read, into a location of its own, before the first row changes. */
function rowsOf({ to, rows, op, from }: StatementOf<"write_rows">, shape: Shape): readonly Plain[] {
  const fresh = freshBeside([to, from, ...rows.filter((row) => typeof row === "string")]);
  const given = fresh(`${from}.rows`);
  const rest = shape.slice(1);
  const row = (of: string, place: Index): StatementOf<"view"> => {
    const starts = [place, ...rest.map(() => 0)];
    const how = { kind: "slice", starts, sizes: [1, ...rest], steps: shape.map(() => 1) } as const;
    return { do: "view", name: fresh(`${of}.row`), of, how };
  };
  return [
    { do: "buffer", name: given, from },
    ...rows.flatMap((place, i): Plain[] => {
      const [target, value] = [row(to, place), row(given, i)];
      const own = { to: target.name, from: value.name };
      return [target, value, op === undefined ? { do: "write", ...own } : { do: "update", op, ...own }];
    }),
  ];
}

function maskedOf(
  { to, mask, from }: StatementOf<"write_where">,
  shape: Shape,
  own: Shape,
): readonly Plain[] {
  const fresh = freshBeside([to, mask, from]);
  const given = fresh(`${from}.filled`);
  const wide = fresh(`${from}.filled`);
  const filled: readonly Plain[] = [
    { do: "buffer", name: given, from },
    { do: "view", name: wide, of: given, how: { kind: "broadcast", shape } },
  ];
  const isSame = isSameShape(own, shape);
  const chosen: LetOf<"where"> = {
    do: "let",
    name: fresh(`${to}.where`),
    op: "where",
    attributes: {},
    operands: [mask, isSame ? from : wide, to],
  };
  return [...(isSame ? [] : filled), chosen, { do: "write", to, from: chosen.name }];
}

/** Makes a function that changes a name until it is none of these, nor one that it has made. */
function freshBeside(taken: readonly string[]): (name: string) => string {
  const known = new Set(taken);
  return (name) => {
    let text = name;
    for (let count = 1; known.has(text); count++) text = `${name}${count}`;
    known.add(text);
    return text;
  };
}
