/** An expression of the JavaScript that the project's functions on numbers are written in. */
export type Expression =
  | { readonly kind: "literal"; readonly value: number | bigint | string | boolean | undefined }
  | { readonly kind: "template"; readonly texts: readonly string[]; readonly values: readonly Expression[] }
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "member";
      readonly of: Expression;
      readonly key: Expression;
      readonly isOptional: boolean;
    }
  | { readonly kind: "call"; readonly callee: Expression; readonly operands: readonly Expression[] }
  | { readonly kind: "new"; readonly callee: Expression; readonly operands: readonly Expression[] }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "conditional";
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  /** `x++` is one whose value nobody may use. */
  | {
      readonly kind: "assign";
      readonly operator: string;
      readonly to: Expression;
      readonly value: Expression;
    }
  | { readonly kind: "function"; readonly parameters: readonly Pattern[]; readonly body: Body }
  | { readonly kind: "array"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly fields: readonly Field[] }
  | { readonly kind: "spread"; readonly operand: Expression };

/** A field of an object that is written out, or all fields of another. */
export type Field =
  | { readonly kind: "field"; readonly name: string; readonly value: Expression }
  | { readonly kind: "spread"; readonly operand: Expression };

/** What a parameter or a declaration gives names to. */
export type Pattern =
  | { readonly kind: "name"; readonly name: string; readonly usual?: Expression }
  | {
      readonly kind: "fields";
      readonly fields: readonly { readonly key: string; readonly pattern: Pattern }[];
      readonly rest?: string;
    }
  | { readonly kind: "items"; readonly items: readonly (Pattern | undefined)[] };

/** A function's body is a block or an expression. */
export type Body =
  | { readonly kind: "block"; readonly statements: readonly Statement[] }
  | { readonly kind: "expression"; readonly value: Expression };

export type Statement =
  | { readonly kind: "declare"; readonly pattern: Pattern; readonly value: Expression | undefined }
  | { readonly kind: "expression"; readonly value: Expression }
  | { readonly kind: "return"; readonly value: Expression | undefined }
  | { readonly kind: "throw"; readonly value: Expression }
  | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | {
      readonly kind: "loop";
      readonly first: readonly Statement[];
      readonly condition: Expression | undefined;
      readonly step: Expression | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "each"; readonly pattern: Pattern; readonly of: Expression; readonly body: Statement }
  | { readonly kind: "switch"; readonly value: Expression; readonly cases: readonly Case[] }
  | { readonly kind: "break" | "continue" }
  | { readonly kind: "block"; readonly statements: readonly Statement[] };

/** A case of a switch; the usual one has no value. */
export interface Case {
  readonly value: Expression | undefined;
  readonly statements: readonly Statement[];
}
