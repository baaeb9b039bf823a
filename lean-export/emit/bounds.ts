import {
  addTensors,
  type Context,
  type Environment,
  entry,
  type GraphData,
  interpret,
  map,
  mapEnvironment,
  pullBack,
  type Rational,
  rational,
  type Tensor,
  zeros,
  zip,
} from "../../reference/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { known, type RunningError, roundedUp, runningErrors } from "./running_error.ts";

/** An engine computed these numbers. They are exact, since floats are fractions. */
export interface EngineNumbers {
  readonly environment: Environment<Rational>;
  readonly seeds: ReadonlyMap<number, Tensor<Rational>>;
  readonly values: Context<Rational>;
  readonly cotangents: Context<Rational>;
}

/** An id's value and cotangent may be so far from the true ones. */
export interface Bounds {
  readonly values: Context<Rational>;
  readonly cotangents: Context<Rational>;
}

/**
 * The bounds that an engine keeps which rounds each operation correctly: what the operands bring along,
 * and what is rounded here, from the numbers that the engine says it computed. Fails: as `interpret` does.
 */
export function boundsOf(
  program: PrimitiveGraph,
  arithmetic: Arithmetic,
  engine: EngineNumbers,
): Result<Bounds, Issue[]> {
  const interpreted = interpret(program, runningErrors(arithmetic));
  if (!interpreted.ok) return interpreted;
  const analysis: Analysis = {
    graph: interpreted.value,
    environment: mapEnvironment(engine.environment, exactly),
    engine,
    errors: runningErrors(arithmetic),
    bound: (x, y) => roundedUp(rational.additive.add(arithmetic.distance(x, y), x.propagated)),
  };
  const values = valueBounds(analysis);
  return ok({ values, cotangents: cotangentBounds(analysis, values) });
}

interface Analysis {
  readonly graph: GraphData<RunningError>;
  readonly environment: Environment<RunningError>;
  readonly engine: EngineNumbers;
  readonly errors: ReturnType<typeof runningErrors>;
  /** Bounds an element's error, from its analysis and what the engine computed. */
  readonly bound: (x: RunningError, y: Rational) => Rational;
}

/** Returns a number that was given: there is no error in it. */
function exactly(x: Rational): RunningError {
  return known(x, rational.additive.zero);
}

function valueBounds({ graph, environment, engine, bound }: Analysis): Context<Rational> {
  const bounds = graph.inputs.map((shape) => zeros(rational.additive, shape));
  const context = bounds.map((own, id) => zip(entry(engine.values, id), own, known));
  for (const node of graph.nodes) {
    const numbers = entry(engine.values, context.length);
    const own = zip(node.forward(context, environment), numbers, bound);
    context.push(zip(numbers, own, known));
    bounds.push(own);
  }
  return bounds;
}

function cotangentBounds(
  { graph, environment, engine, errors, bound }: Analysis,
  values: Context<Rational>,
): Context<Rational> {
  const context = values.map((own, id) => zip(entry(engine.values, id), own, known));
  const sums: Tensor<RunningError>[] = values.map(({ shape }, id) => {
    const seed = engine.seeds.get(id);
    return seed === undefined ? zeros(errors.additive, shape) : map(seed, exactly);
  });
  const bounds = values.map(({ shape }) => zeros(rational.additive, shape));
  for (let id = context.length - 1; id >= 0; id--) {
    const numbers = entry(engine.cotangents, id);
    const own = zip(entry(sums, id), numbers, bound);
    bounds[id] = own;
    const cotangent = zip(numbers, own, known);
    for (const [parent, xBar] of pullBack(graph, context, environment, id, cotangent))
      sums[parent] = addTensors(errors.additive, entry(sums, parent), xBar);
  }
  return bounds;
}
