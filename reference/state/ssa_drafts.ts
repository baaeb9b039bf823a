import { shapeOfNode } from "../../spec/composites/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import { assertNever, InvariantError, type Shape } from "../../spec/shapes/index.ts";
import type { SsaCount, SsaEnd, SsaIndex, SsaInstruction, SsaTensor, SsaValue, SsaView } from "./ssa.ts";
import { bind, contentsOf, found, isAll, type Site, type Stand, whole } from "./ssa_stand.ts";
import type { Task } from "./ssa_task.ts";
import { stopGradient } from "./statement_nodes.ts";

/** A block that is being written. */
export interface Draft {
  readonly label: string;
  readonly parameters: readonly SsaValue[];
  readonly body: SsaInstruction[];
  end: SsaEnd | undefined;
}

/** The blocks of a function, and instructions written into them. Owns the blocks and the names that were used. */
export class Drafts {
  protected readonly task: Task;
  protected readonly drafts: Draft[] = [];
  /** How many instructions and blocks may still be written. */
  protected left = 0;
  readonly #labels: Map<string, number> = new Map();
  readonly #used: Map<string, number> = new Map();

  constructor(task: Task) {
    this.task = task;
  }

  /** What is read under a name at this point. */
  protected valueOf(draft: Draft, name: string, stand: Stand): SsaTensor {
    const bound = found(stand, name);
    switch (bound.kind) {
      case "value":
        return bound.value;
      case "counter": {
        const to = this.tensor(name, []);
        this.emit(draft, { do: "scalar", to, of: bound.turn });
        return to;
      }
      case "reference": {
        const { site, view, isDetached } = bound;
        const contents = contentsOf(stand, site);
        const value = isAll(view, site) ? contents : this.read(draft, name, contents, view);
        return isDetached ? this.detached(draft, value) : value;
      }
      default:
        return assertNever(bound);
    }
  }

  protected read(draft: Draft, name: string, contents: SsaTensor, view: SsaView): SsaTensor {
    const to = this.tensor(name, view.shape);
    this.emit(draft, { do: "read", to, contents, view });
    return to;
  }

  protected located(stand: Stand, name: string, value: SsaTensor): Stand {
    const site: Site = { name, shape: value.shape };
    const contents = new Map(stand.contents).set(site, value);
    return bind({ ...stand, contents }, name, { kind: "reference", site, ...whole(value.shape) });
  }

  protected detached(draft: Draft, value: SsaTensor): SsaTensor {
    return this.applied(draft, value.name.replace(/\.[0-9]+$/, ""), stopGradient, [value]);
  }

  protected applied(draft: Draft, name: string, node: Node, operands: readonly SsaTensor[]): SsaTensor {
    const shapes = operands.map(({ shape }) => shape);
    const shape = shapeOfNode(node, shapes, this.task.program.environment);
    if (!shape.ok) throw new InvariantError(`a statement that was checked: ${shape.error.message}`);
    const to = this.tensor(name, shape.value);
    this.emit(draft, { do: "apply", to, node, operands });
    return to;
  }

  protected counted(draft: Draft, name: string, turn: SsaIndex, more: number): SsaIndex {
    return this.sum(draft, name, more, [{ of: turn, times: 1 }]);
  }

  /** `from + Σ of · times`: what is known of it is a number, and a count by itself is itself. */
  protected sum(
    draft: Draft,
    name: string,
    from: number,
    all: readonly { readonly of: SsaIndex; readonly times: number }[],
  ): SsaIndex {
    const known = all.reduce((sum, { of, times }) => (typeof of === "number" ? sum + of * times : sum), from);
    const terms = all.flatMap(({ of, times }) =>
      typeof of === "number" || times === 0 ? [] : [{ of, times }],
    );
    const [only] = terms;
    if (only === undefined) return known;
    if (known === 0 && terms.length === 1 && only.times === 1) return only.of;
    const to = this.count(name);
    this.emit(draft, { do: "count", to, from: known, terms });
    return to;
  }

  protected emit({ body }: Draft, instruction: SsaInstruction): void {
    this.left--;
    body.push(instruction);
  }

  protected draft(label: string, parameters: readonly SsaValue[]): Draft {
    this.left--;
    const draft: Draft = { label: numbered(label, this.#labels), parameters, body: [], end: undefined };
    this.drafts.push(draft);
    return draft;
  }

  protected tensor(name: string, shape: Shape): SsaTensor {
    return { kind: "tensor", name: numbered(name, this.#used), shape };
  }

  protected count(name: string): SsaCount {
    return { kind: "count", name: numbered(name, this.#used) };
  }
}

/** The name, with a number behind it where it was used before. */
function numbered(name: string, used: Map<string, number>): string {
  for (let count = used.get(name) ?? 0; ; count++) {
    const whole = count === 0 ? name : `${name}.${count}`;
    if (count > 0 && used.has(whole)) continue;
    used.set(name, count + 1);
    if (count > 0) used.set(whole, 1);
    return whole;
  }
}
