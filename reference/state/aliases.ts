import {
  type Block,
  blocksOf,
  type Compound,
  type Location,
  NameScope,
  type Parameter,
  type Program,
  proceduresOf,
  type Statement,
  type StatementOf,
  type Transform,
} from "../../spec/programs/index.ts";
import { present, sizeOf } from "../../spec/shapes/index.ts";

/** A location, a parameter, a `buffer`, `view` or `detach` binds a reference. Known by identity. */
export type Binder = Location | Parameter | Statement;

/** Two references see one location whenever both exist, in some run perhaps, or in none. */
export type Aliasing = "must" | "may" | "cannot";

/** A reference of a program, by its name and where it is bound. */
export interface BoundReference {
  /** The procedure that binds it; a name of a persistent location has none. */
  readonly procedure: string | undefined;
  readonly name: string;
  readonly binder: Binder;
}

/** A statement overwrites what a reference sees, in place where it reads it too. */
export interface Overwriting {
  readonly procedure: string;
  readonly statement: StatementOf<"write" | "update" | Compound["do"]>;
  readonly target: Binder;
  /** What is written, and the mask, are read from these, as far as they are read from references. */
  readonly sources: readonly Binder[];
}

/** The references of a program, in order, and the statements that overwrite what they see. */
export interface Sharing {
  readonly references: readonly BoundReference[];
  readonly overwritings: readonly Overwriting[];
  /** Tells whether two of the references share a location. */
  readonly aliasing: (a: Binder, b: Binder) => Aliasing;
}

/** A walk over the program's statements gathers these. */
interface Gathered {
  readonly references: BoundReference[];
  readonly overwritings: Overwriting[];
  /** A reference may see the locations made by these: persistent locations, or statements. */
  readonly sites: Map<Binder, Set<Binder>>;
  /** A reference may be the same as these, or a view of them. */
  readonly sources: Map<Binder, Set<Binder>>;
  /** Statements that may make more than one location in a run. */
  readonly repeated: Set<Binder>;
  /** References that may come to stand for something else. */
  readonly rebound: Set<Binder>;
}

/**
 * Finds which references of a program share a location, without a run. Every name is followed to what makes
 * locations, by inclusion and without regard to order (Andersen, "Program Analysis and Specialization for the
 * C Programming Language", 1994, ch. 4). **Law A**: references that share a location in some run are never
 * `cannot`; those that are `must` share one whenever both exist. Cost: references times sites, for each step
 * of the longest chain.
 */
export function aliasesOf(program: Program): (a: Binder, b: Binder) => Aliasing {
  return sharingOf(program).aliasing;
}

/**
 * Lists what a program's references share, and what overwrites it, without a run. Law and cost: as those of
 * {@link aliasesOf}.
 */
export function sharingOf(program: Program): Sharing {
  const { sites, sources, repeated, references, overwritings } = gathered(program);
  return { references, overwritings, aliasing: aliasingOf({ sites, sources, repeated }) };
}

function aliasingOf({
  sites,
  sources,
  repeated,
}: Pick<Gathered, "sites" | "sources" | "repeated">): Sharing["aliasing"] {
  settle(sites, sources);
  const sitesOf = (binder: Binder): ReadonlySet<Binder> =>
    present(sites.get(binder), "the sites of a reference");
  return (a, b) => {
    const [seen, others] = [sitesOf(a), sitesOf(b)];
    const common = [...seen].filter((site) => others.has(site));
    const [site] = common;
    if (site === undefined) return "cannot";
    return seen.size === 1 && others.size === 1 && !repeated.has(site) ? "must" : "may";
  };
}

function gathered(program: Program): Gathered {
  const all: Gathered = {
    references: [],
    overwritings: [],
    sites: new Map(),
    sources: new Map(),
    repeated: new Set(),
    rebound: new Set(),
  };
  const [entry] = program.procedures;
  const globals = new NameScope<Binder>();
  for (const location of program.state) {
    bind({ procedure: undefined, name: location.name, binder: location }, [location], [], globals, all);
  }
  for (const alias of program.aliases ?? [])
    bind(
      { procedure: undefined, name: alias.name, binder: alias },
      [],
      [globals.find(alias.of)],
      globals,
      all,
    );
  for (const procedure of program.procedures) {
    const isEntry = procedure === entry;
    const scope = new NameScope<Binder>(isEntry ? globals : undefined);
    for (const parameter of procedure.parameters)
      if (parameter.kind !== "value")
        bind({ procedure: procedure.name, name: parameter.name, binder: parameter }, [], [], scope, all);
    // Who is called may be called again, and the entry itself if somebody calls it.
    const isOnce = isEntry && !calls(program, procedure.name);
    gatherBlock(procedure.body, { procedure: procedure.name, scope }, isOnce, program, all);
  }
  // A reshape that may be a copy may make a location of its own. Another name of a location is a view.
  for (const { binder, procedure } of all.references)
    if (procedure !== undefined && isReshape(binder) && !isOfOne(binder) && !isDense(binder, all))
      all.sites.get(binder)?.add(binder);
  return all;
}

type Reshape = StatementOf<"view"> & { readonly how: Extract<Transform, { readonly kind: "reshape" }> };

function isReshape(binder: Binder): binder is Reshape {
  return "do" in binder && binder.do === "view" && binder.how.kind === "reshape";
}

/** One element lies in order, wherever it lies. */
function isOfOne({ how }: Reshape): boolean {
  return sizeOf(how.shape) <= 1;
}

/** Tells whether a reference surely sees all of a location in order: any reshape of that is a view. */
function isDense(binder: Binder, all: Gathered): boolean {
  if (all.rebound.has(binder) || "kind" in binder) return false;
  if (!("do" in binder) || binder.do === "buffer") return true;
  if (binder.do !== "detach" && !isReshape(binder)) return false;
  return [...(all.sources.get(binder) ?? [])].every((source) => isDense(source, all));
}

function bind(
  reference: BoundReference,
  sites: readonly Binder[],
  sources: readonly (Binder | undefined)[],
  scope: NameScope<Binder>,
  all: Gathered,
): void {
  const { name, binder } = reference;
  all.references.push(reference);
  scope.bind(name, binder);
  all.sites.set(binder, new Set([...(all.sites.get(binder) ?? []), ...sites]));
  const known = sources.filter((source) => source !== undefined);
  all.sources.set(binder, new Set([...(all.sources.get(binder) ?? []), ...known]));
}

/** Names stand for references here, within a procedure. */
interface Where {
  readonly procedure: string;
  readonly scope: NameScope<Binder>;
}

function gatherBlock(block: Block, where: Where, isOnce: boolean, program: Program, all: Gathered): void {
  for (const statement of block) {
    gatherStatement(statement, where, program, all);
    if (!isOnce) all.repeated.add(statement);
    const isLoop = statement.do === "for" || statement.do === "while";
    for (const [, inner] of blocksOf(statement))
      gatherBlock(inner, { ...where, scope: new NameScope(where.scope) }, isOnce && !isLoop, program, all);
  }
}

/** Gathers what a statement binds. Scopes here contain references alone, no names of values. */
function gatherStatement(
  statement: Statement,
  { procedure, scope }: Where,
  program: Program,
  all: Gathered,
): void {
  switch (statement.do) {
    case "buffer":
      bind({ procedure, name: statement.name, binder: statement }, [statement], [], scope, all);
      return;
    case "view": {
      const reference = { procedure, name: statement.name, binder: statement };
      bind(reference, [], [scope.find(statement.of)], scope, all);
      return;
    }
    case "detach": {
      const source = scope.find(statement.of);
      if (source !== undefined)
        bind({ procedure, name: statement.name, binder: statement }, [], [source], scope, all);
      return;
    }
    case "rebind": {
      const [target, source] = [scope.find(statement.name), scope.find(statement.to)];
      if (target === undefined || source === undefined) return;
      all.sources.get(target)?.add(source);
      all.rebound.add(target);
      return;
    }
    case "call":
    case "custom":
    case "differentiate_call":
      for (const name of proceduresOf(statement)) {
        const called = program.procedures.find((procedure) => procedure.name === name);
        for (const [i, parameter] of (called?.parameters ?? []).entries()) {
          const source = scope.find(statement.operands[i] ?? "");
          if (parameter.kind === "value" || source === undefined) continue;
          all.sources.set(parameter, new Set([...(all.sources.get(parameter) ?? []), source]));
        }
      }
      return;
    case "write":
    case "update":
    case "write_rows":
    case "write_where":
    case "write_scatter": {
      const target = scope.find(statement.to);
      if (target === undefined) return;
      const names = "mask" in statement ? [statement.from, statement.mask] : [statement.from];
      const sources = names.map((name) => scope.find(name)).filter((source) => source !== undefined);
      all.overwritings.push({ procedure, statement, target, sources });
      return;
    }
    default:
      return;
  }
}

/** Tells whether some statement names the procedure: it calls or differentiates it. */
function calls({ procedures }: Program, name: string): boolean {
  const within = (block: Block): boolean =>
    block.some(
      (statement) =>
        proceduresOf(statement).includes(name) || blocksOf(statement).some(([, inner]) => within(inner)),
    );
  return procedures.some(({ body }) => within(body));
}

/** Every reference may see what its sources may see. */
function settle(sites: Gathered["sites"], sources: Gathered["sources"]): void {
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (const [binder, from] of sources) {
      const own = sites.get(binder) ?? new Set();
      const before = own.size;
      for (const source of from) for (const site of sites.get(source) ?? []) own.add(site);
      sites.set(binder, own);
      if (own.size > before) isSettled = false;
    }
  }
}
