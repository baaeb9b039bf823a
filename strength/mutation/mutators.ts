import { type ESTree, parseSync } from "rolldown/utils";

/** A mutant replaces the characters from `start` to `end` of a file. */
export interface Mutation {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Node = ESTree.Node;

/** Binary operators and what each becomes; assignments of the same name change alike. */
const operators: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "|=": ["&="],
  "&=": ["|="],
  "<<=": [">>="],
  ">>=": ["<<="],
};

/** Methods that look alike and mean something else. */
const methods: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  round: "floor",
  trunc: "round",
  find: "findLast",
  findLast: "find",
  findIndex: "findLastIndex",
  findLastIndex: "findIndex",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  startsWith: "endsWith",
  endsWith: "startsWith",
  push: "unshift",
  unshift: "push",
  add: "subtract",
  subtract: "add",
  multiply: "divide",
  divide: "multiply",
};

/**
 * Operations whose operands may change places: sums, products and unions commute (of real numbers, of floats
 * and of every algebra that the project has), and what is the same as another is so the other way round too.
 */
const COMMUTES = /^(?:add|multiply|times|max|min|imul|hypot|union|same|equal|equals|isSame\w*|same[A-Z]\w*)$/;

/** Calls of these methods are left out: what they are called on stands for their result. */
const dropped: ReadonlySet<string> = new Set([
  "filter",
  "reverse",
  "toReversed",
  "sort",
  "toSorted",
  "slice",
  "abs",
]);

/** Properties with these names are words for people, and so is all that is thrown. */
const words: ReadonlySet<string> = new Set(["message", "hint", "pointer", "description"]);

/**
 * Lists the mutants of a file, in the order of their places. Types, imports, texts for people and string
 * literals have none: the first two are gone when a program runs, and the last are tags that the compiler
 * checks, or names.
 */
export function mutationsOf(file: string, text: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, text, { lang: "ts" });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return changesWithin(program, text)
    .map(([start, end, after]) => ({ file, start, end, before: text.slice(start, end), after }))
    .filter(({ before, after }) => before !== after)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Applies a mutant to the text of its file. */
export function mutated(text: string, { start, end, after }: Mutation): string {
  return text.slice(0, start) + after + text.slice(end);
}

/** A function of a file, or what it declares outside functions: where it begins and ends, and its name. */
export interface Named {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Is true if it stands in another function. */
  readonly isInner: boolean;
}

/** Lists the functions of a file that have names, and the constants that stand outside functions. */
export function namedIn(file: string, text: string): readonly Named[] {
  const found: Named[] = [];
  const walk = (node: Node, isInner: boolean): void => {
    const { start, end } = node;
    const name = nameOf(node, isInner);
    if (name !== undefined) found.push({ start, end, name, isInner });
    for (const child of childrenOf(node)) walk(child, isInner || isFunction(node));
  };
  walk(parseSync(file, text, { lang: "ts" }).program, false);
  return found;
}

const isFunction = ({ type }: Node): boolean => /Function(?:Declaration|Expression)$/.test(type);

/** The name of a function, of a method, of a field that is one, or of what a module declares. */
function nameOf(node: Node, isInner: boolean): string | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
      return node.id?.name;
    case "MethodDefinition":
    case "Property":
      return node.key.type === "Identifier" && isFunction(node.value) ? node.key.name : undefined;
    case "VariableDeclarator": {
      const isNamed = !isInner || (node.init !== null && isFunction(node.init));
      return node.id.type === "Identifier" && isNamed ? node.id.name : undefined;
    }
    default:
      return undefined;
  }
}

/** Says whether nothing within a node is mutated. */
function isSilent(node: Node): boolean {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") return false;
  if (node.type.startsWith("TS")) return true;
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return true;
  if (node.type === "ThrowStatement") return true;
  return node.type === "Property" && node.key.type === "Identifier" && words.has(node.key.name);
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** These characters become others. */
type Change = readonly [start: number, end: number, after: string];

function changesWithin(node: Node, text: string): readonly Change[] {
  if (isSilent(node)) return [];
  return [...changesAt(node, text), ...[...childrenOf(node)].flatMap((child) => changesWithin(child, text))];
}

/** Lists what one node may become. */
function changesAt(node: Node, text: string): readonly Change[] {
  const { start, end } = node;
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression": {
      const from = node.left.end;
      const at = from + text.slice(from, node.right.start).indexOf(node.operator);
      return (operators[node.operator] ?? []).map((other) => [at, at + node.operator.length, other]);
    }
    case "ConditionalExpression":
    case "IfStatement":
      return ["true", "false"].map((truth) => [node.test.start, node.test.end, truth]);
    case "WhileStatement":
      return [[node.test.start, node.test.end, "false"]];
    case "UpdateExpression": {
      const other = node.operator === "++" ? "--" : "++";
      return node.prefix ? [[start, start + 2, other]] : [[end - 2, end, other]];
    }
    case "UnaryExpression":
      if (!["-", "!", "~", "+"].includes(node.operator)) return [];
      return [[start, end, text.slice(node.argument.start, node.argument.end)]];
    case "Literal":
      return changesOfLiteral(start, end, text.slice(start, end));
    case "ArrayExpression":
      return node.elements.length === 0 ? [] : [[start, end, "[]"]];
    case "CallExpression":
      return [...changesOfMethod(node, text), ...swapped(node, text)];
    case "ExpressionStatement":
      return isEffect(node.expression) ? [[start, end, ";"]] : [];
    case "ContinueStatement":
    case "BreakStatement":
      return [[start, end, ";"]];
    default:
      return [];
  }
}

/** A number becomes its successor, 1 becomes 0; a truth value becomes the other. */
function changesOfLiteral(start: number, end: number, raw: string): readonly Change[] {
  if (raw === "true" || raw === "false") return [[start, end, raw === "true" ? "false" : "true"]];
  const [, digits, suffix = ""] = /^(\d[\d_]*)(n?)$/.exec(raw) ?? [];
  if (digits === undefined) return [];
  const value = BigInt(digits.replaceAll("_", ""));
  return [[start, end, `${value === 1n ? 0n : value + 1n}${suffix}`]];
}

/** A method becomes another one, or is left out together with its arguments, `Math.abs` without them. */
function changesOfMethod(node: ESTree.CallExpression, text: string): readonly Change[] {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  const { name, start, end } = callee.property;
  const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
  const kept = textOf(callee.object) === "Math" ? node.arguments[0] : callee.object;
  return [
    ...(other === undefined ? [] : [[start, end, other] as const]),
    ...(!dropped.has(name) || kept === undefined
      ? []
      : [[node.start, node.end, `(${textOf(kept)})`] as const]),
  ];
}

/**
 * Two arguments change places, unless that means the same by a law of the operation, or one of them is
 * written out and cannot be mistaken for the other.
 */
function swapped({ callee, arguments: given }: ESTree.CallExpression, text: string): readonly Change[] {
  const [first, second] = given;
  const named = callee.type === "MemberExpression" ? callee.property : callee;
  if (named.type === "Identifier" && COMMUTES.test(named.name)) return [];
  if (given.length !== 2 || first === undefined || second === undefined) return [];
  if (!isPlain(first) || !isPlain(second)) return [];
  const [a, b] = [text.slice(first.start, first.end), text.slice(second.start, second.end)];
  return [[first.start, second.end, `${b}, ${a}`]];
}

function isPlain({ type }: Node): boolean {
  return type === "Identifier" || type === "MemberExpression" || type === "CallExpression";
}

/** Says whether a statement is there for its effect, and can be left out. */
function isEffect({ type }: Node): boolean {
  return type === "CallExpression" || type === "AssignmentExpression" || type === "UpdateExpression";
}
