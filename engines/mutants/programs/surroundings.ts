import type { StatementOf } from "../../../spec/programs/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type Held, type Names, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern random numbers, effects, and what is left from call to call. */
export const surroundingsMutants: readonly ProgramMutant[] = programMutantTable({
  generator_stands_still: {
    fault: "Each draw has the key of the first.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          const { progress } = this.setting;
          const { drawn } = progress;
          progress.drawn = 0;
          const key = super.nextKey();
          progress.drawn = drawn + 1;
          return key;
        }
      },
    },
  },
  generator_advanced_twice: {
    fault: "A draw advances the generator twice.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          const key = super.nextKey();
          this.setting.progress.drawn++;
          return key;
        }
      },
    },
  },
  generator_key_used: {
    fault: "A draw takes the generator's key as it is.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          super.nextKey();
          return this.setting.key;
        }
      },
    },
  },
  keyed_draw_advances: {
    fault: "A draw with a key of its own advances the generator.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          if (statement.key !== undefined) this.setting.progress.drawn++;
          return super.drawn(statement, names);
        }
      },
    },
  },
  keyed_draw_ignores_key: {
    fault: "A draw with a key of its own takes the generator's.",
    change: {
      run: class extends Run {
        protected override drawn({ key: _, ...statement }: StatementOf<"draw">, names: Names): Held {
          return super.drawn(statement, names);
        }
      },
    },
  },
  key_words_swapped: {
    fault: "The two words of a draw's key are swapped.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          const [first, second] = super.nextKey();
          return [second, first];
        }
      },
    },
  },
  mask_keeps_with_rate: {
    fault: "A mask keeps with the rate at which it should drop.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          const { from } = statement;
          return super.drawn(
            from.kind === "bernoulli" ? { ...statement, from: { ...from, rate: 1 - from.rate } } : statement,
            names,
          );
        }
      },
    },
  },
  mask_drawn_once_per_shape: {
    fault: "A mask repeats one element over the last axis.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          const value = super.drawn(statement, names);
          const last = statement.shape.at(-1) ?? 1;
          return { ...value, data: value.data.map((_, i) => value.data[i - (i % last)] ?? 0) };
        }
      },
    },
  },
  draw_leaks: {
    fault: "A draw has the tangent 1: it is made of a number that the tape knows.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          const value = super.drawn(statement, names);
          return { ...value, tangent: value.tangent?.map(() => 1) };
        }
      },
    },
  },
  received_again: {
    fault: "Each channel gives its first tensor each time.",
    change: {
      run: class extends Run {
        protected override receive(statement: StatementOf<"receive">): FlatTensor {
          this.setting.progress.received.clear();
          return super.receive(statement);
        }
      },
    },
  },
  sent_is_looked_at_later: {
    fault: "What is sent is the location itself, as the call leaves it.",
    change: {
      run: class extends Run {
        protected override send(statement: StatementOf<"send">, value: Held): void {
          const { seen } = value;
          const isWhole = seen !== undefined && seen.positions.length === seen.place.data.length;
          if (!isWhole) super.send(statement, value);
          else {
            const sent = { shape: value.shape, data: seen.place.data };
            this.setting.progress.sent.push({ channel: statement.channel, value: sent });
          }
        }
      },
    },
  },
  sent_twice: {
    fault: "What is sent within a loop of a program is sent twice.",
    change: {
      run: class extends Run {
        protected override send(statement: StatementOf<"send">, value: Held): void {
          super.send(statement, value);
          super.send(statement, value);
        }
      },
    },
  },
  session_state_not_kept: {
    fault: "The next call finds the persistent locations as the session began.",
    change: {
      leave: ({ state, generator }, { drawn }) => ({ state, generator: { ...generator, drawn } }),
    },
  },
  session_generator_not_kept: {
    fault: "The next call finds the generator as the session began.",
    change: { leave: ({ generator }, { state }) => ({ state, generator }) },
  },
  session_begins_where_the_last_ended: {
    fault: "A session that begins anew keeps the generator of the last one.",
    change: {
      begin: (given, left) => {
        if (given === undefined || left === undefined) return given ?? left;
        return { state: given.state, generator: left.generator };
      },
    },
  },
  session_keeps_state: {
    fault: "A session that begins anew keeps the contents that the last one has left.",
    change: {
      begin: (given, left) => {
        if (given === undefined || left === undefined) return given ?? left;
        return { state: left.state, generator: given.generator };
      },
    },
  },
  failed_call_leaves_state: {
    fault: "A call that fails leaves what it had written by then in the persistent locations.",
    change: {
      fail: (_, { generator }, { state }) => ({ state, generator }),
    },
  },
  failed_call_moves_generator: {
    fault: "A call that fails leaves the generator where it had drawn to by then.",
    change: {
      fail: (_, { state, generator }, { drawn }) => ({ state, generator: { ...generator, drawn } }),
    },
  },
  failed_call_ends_session: {
    fault: "After a call that fails the session is over.",
    change: { fail: () => undefined },
  },
  failed_sweep_leaves_cotangents: {
    fault: "A sweep that is refused leaves what it has gathered, and the next one adds to it.",
    change: { policy: "version", cotangents: (unfinished) => new Map(unfinished) },
  },
  state_without_last_element: {
    fault: "Of a persistent location the last element is told as 0.",
    change: {
      contents: ({ shape, data }) => ({ shape, data: data.with(data.length - 1, 0) }),
    },
  },
});
