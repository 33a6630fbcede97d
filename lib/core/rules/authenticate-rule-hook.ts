import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { rememberRefusals } from "@/lib/core/keys/recent-refusals";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** A program that knows the secret of a rule's hook: it can start this rule and nothing else. */
export interface HookCaller {
  organizationId: string;
  /** The rule's id and the caller's name in the audit log. */
  actor: { id: string; name: string };
  secretHash: Buffer;
  approvalRequired: boolean;
  /** Business time of the organization. */
  now: Date;
  /** Requests of this hook in the current clock minute of real time, including this one. */
  requestsThisMinute: number;
}

interface HookRow {
  organizationId: string;
  secretHash: Buffer;
  approvalRequired: boolean;
  name: string;
  clockOffsetMs: number;
}

const unlessRefused = rememberRefusals<HookCaller>();

/**
 * Checks the secret of a rule's hook and counts the request.
 * @returns null for a wrong secret, and equally for a rule without a hook and an unknown rule.
 */
export async function authenticateRuleHook(
  services: Pick<Services, "pool" | "clock">,
  ruleId: string,
  secret: string,
): Promise<HookCaller | null> {
  return unlessRefused(services, `${ruleId} ${secret}`, () => lookUp(services, ruleId, secret));
}

async function lookUp(
  services: Pick<Services, "pool" | "clock">,
  ruleId: string,
  secret: string,
): Promise<HookCaller | null> {
  const { rows } = await services.pool.query<HookRow>({
    name: "find_rule_hook",
    text: `
      select h.organization_id as "organizationId", h.secret_hash as "secretHash",
          h.approval_required as "approvalRequired", r.name, o.clock_offset_ms as "clockOffsetMs"
        from rule_hooks h
        join rules r on r.organization_id = h.organization_id and r.id = h.rule_id
        join organizations o on o.id = h.organization_id
       where h.rule_id = $1`,
    values: [ruleId],
  });
  const secretHash = hashHookSecret(secret);
  const hook = rows[0];
  if (!isSecretOf(secretHash, hook?.secretHash ?? null) || !hook || !isHookSecret(secret)) return null;
  const { organizationId, approvalRequired } = hook;
  const { rows: counts } = await services.pool.query<{ requests: number }>({
    name: "use_rule_hook",
    text: "select use_rule_hook($1, $2, $3) as requests",
    values: [organizationId, ruleId, services.clock.now()],
  });
  return {
    organizationId,
    actor: { id: ruleId, name: `Hook of ${hook.name}` },
    secretHash,
    approvalRequired,
    now: businessTime(services.clock, hook.clockOffsetMs),
    requestsThisMinute: counts[0]?.requests ?? 0,
  };
}

/**
 * The secret of a rule's hook: `sluice_hook_` and 192 random bits. The prefix lets secret scanners find leaked secrets and
 * distinguishes them from API keys.
 */
const PREFIX = "sluice_hook_";
const RANDOM_BYTES = 24;
const PATTERN = /^sluice_hook_[0-9a-f]{48}$/;

export function newHookSecret(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString("hex")}`;
}

function isHookSecret(text: string): boolean {
  return PATTERN.test(text);
}

/** SHA-256, because a slow hash adds no protection to 192 random bits. */
export function hashHookSecret(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Takes equally long for a wrong secret and for a rule without a hook (null). */
function isSecretOf(hash: Buffer, stored: Buffer | null): boolean {
  return timingSafeEqual(hash, stored ?? Buffer.alloc(hash.length)) && stored !== null;
}
