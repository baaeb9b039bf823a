import type { ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  type KnownName,
  learn,
  NameScope,
  namesAtEnd,
  plainOf,
  type Statement,
  type StatementOf,
} from "../../spec/programs/index.ts";
import { at, present, type Shape } from "../../spec/shapes/index.ts";
import type { Origins } from "./origins.ts";
import { freshNames, renamed } from "./renamed.ts";
import { withBody } from "./written_out.ts";

/**
 * Returns statements that do behind `before`, without a `no_grad`, what its body does: each value is
 * detached. A detachment is taken for the `no_grad` itself.
 */
export function withoutNoGrad(
  { program }: ProgramCase,
  before: Block,
  around: StatementOf<"no_grad">,
  origins: Origins,
): Block {
  const within = (block: Block, outer: NameScope<KnownName>, counter?: string): Block => {
    const scope = new NameScope(outer);
    if (counter !== undefined) scope.bind(counter, { shape: [], isReference: false });
    return block.flatMap((statement) => {
      const written = detached(statement, scope);
      learn(statement, scope, program);
      return written;
    });
  };
  const detached = (statement: Statement, scope: NameScope<KnownName>): Block => {
    const made = <S extends Statement>(one: S): S => origins.note(one, statement);
    const detach = (name: string, of: string): Statement => origins.note({ do: "detach", name, of }, around);
    switch (statement.do) {
      case "let":
      case "hook":
      case "differentiate": {
        const whole = origins.fresh();
        return [made({ ...statement, name: whole }), detach(statement.name, whole)];
      }
      case "buffer":
      case "write": {
        const constant = origins.fresh();
        return [detach(constant, statement.from), made({ ...statement, from: constant })];
      }
      case "update": {
        const { to, op, from } = statement;
        const [whole, constant] = [origins.fresh(), origins.fresh()];
        return [
          made({ do: "let", name: whole, op, attributes: {}, operands: [to, from] }),
          detach(constant, whole),
          made({ do: "write", to, from: constant }),
        ];
      }
      case "write_rows":
      case "write_where":
      case "write_scatter": {
        const plain = plainOf(statement, shapeOf(statement.to, scope), shapeOf(statement.from, scope)).map(
          made,
        );
        return renamed(plain, freshNames(plain, origins), origins).flatMap((one) => detached(one, scope));
      }
      case "if": {
        const { body, otherwise } = statement;
        return [made({ ...statement, body: within(body, scope), otherwise: within(otherwise, scope) })];
      }
      case "for":
        return [made({ ...statement, body: within(statement.body, scope, statement.counter) })];
      case "while":
      case "checkpoint":
        return [made({ ...statement, body: within(statement.body, scope) })];
      case "call":
      case "custom": {
        const { names, operands } = statement;
        const [constants, wholes] = [operands.map(() => origins.fresh()), names.map(() => origins.fresh())];
        return [
          ...operands.map((of, i) => detach(at(constants, i), of)),
          made({ ...statement, names: wholes, operands: constants }),
          ...names.map((name, i) => detach(name, at(wholes, i))),
        ];
      }
      case "differentiate_call": {
        // What it writes would be constant only through a detached location, and so would the derivative.
        const { names, derivatives } = statement;
        const [own, slopes] = [names.map(() => origins.fresh()), derivatives.map(() => origins.fresh())];
        return [
          made({ ...statement, names: own, derivatives: slopes }),
          ...names.map((name, i) => detach(name, at(own, i))),
          ...derivatives.map((name, i) => detach(name, at(slopes, i))),
        ];
      }
      default:
        return [statement];
    }
  };
  const known = new NameScope<KnownName>();
  for (const [name, one] of namesAtEnd(withBody(program, before))) known.bind(name, one);
  return within(around.body, known);
}

function shapeOf(name: string, scope: NameScope<KnownName>): Shape {
  return present(scope.find(name), "a name of a program that was checked").shape;
}
