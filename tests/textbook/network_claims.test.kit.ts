import { attentionClaims } from "./attention_claims.test.kit.ts";
import type { Claim } from "./claim.test.kit.ts";
import { lossClaims } from "./loss_claims.test.kit.ts";
import { normClaims } from "./norm_claims.test.kit.ts";
import { windowClaims } from "./window_claims.test.kit.ts";

/** There is at least one for each composite of networks. */
export const claims: readonly Claim[] = [...windowClaims, ...lossClaims, ...normClaims, ...attentionClaims];
