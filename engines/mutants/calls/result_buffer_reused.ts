import type { FlatTensor } from "../../../spec/index.ts";
import { type Mutant, plantAround } from "../mutant.ts";

export const resultBufferReused: Mutant = plantAround(
  {
    name: "result_buffer_reused",
    fault: "Every plain gradient is written into the tensors that the first one was returned in.",
    source: "E01",
  },
  ({ program }) => {
    let buffers: readonly FlatTensor[] | undefined;
    return {
      async vjp(point, seeds) {
        const reply = await program.vjp(point, seeds);
        if (reply.kind !== "result") return reply;
        buffers ??= reply.value;
        for (const [n, { data }] of reply.value.entries()) buffers[n]?.data.set(data);
        return { kind: "result", value: buffers };
      },
    };
  },
);
