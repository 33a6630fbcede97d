import { z } from "zod";
import { dailyCapSchema, movesAlone } from "@/lib/contract/api-key";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { permissionsSchema } from "@/lib/contract/permissions";
import { announceGuard } from "@/lib/core/shared/announce-guard";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export const keyCapSchema = z.object({ keyId: z.uuid(), dailyCapInCents: dailyCapSchema });

const MAY_NOT = "Only an owner or co-owner may change a key's daily cap. Nothing was changed.";
const NO_SUCH_KEY = "This organization has no such active key. Nothing was changed.";

/**
 * Sets, raises, lowers or removes the amount that a key may move within 24 hours without approval. It applies from the key's
 * next request; what moved in the last 24 hours stays counted. Only raising and removing need step-up, and are
 * announced to every owner and co-owner. An unchanged value is
 * not recorded.
 * @param input `dailyCapInCents` null: no cap.
 * @throws NotConfirmed without presence, where the cap is raised or removed; AppError `ACCESS_DENIED` unless an owner or
 * co-owner asks; `INVALID_PARAMETERS` for a key that does not exist, has ended, or does nothing without approval.
 */
export async function setKeyCap(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { keyId, dailyCapInCents: after }: z.output<typeof keyCapSchema>,
): Promise<void> {
  if (!mayDecide(context.actor)) throw new AppError("ACCESS_DENIED", MAY_NOT);
  await inTransaction(services.pool, async (client) => {
    const { name, before } = await lockCap(client, context.organizationId, keyId);
    if (before === after) return;
    const letsMore = isWider(before, after);
    if (letsMore) {
      const act = `RAISE_KEY_CAP:${keyId}:${amountIn(after)}` as const;
      await requirePresence(client, context.actor, services.clock.now(), act);
    }
    await write(client, context, keyId, after);
    const text = (cents: number | null) => (cents === null ? null : writeCents(cents));
    const change = { kind: "KEY_CAP", subject: name, before: text(before), after: text(after) } as const;
    const changeId = await recordChange(client, context, change);
    if (letsMore) await announceGuard(client, context, changeId);
  });
  services.wake(SEND_NOTICES);
}

/** Whether the key may do more without approval than before. */
function isWider(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}

/** Locked: of two concurrent changes the second is judged against the result of the first. */
async function lockCap(
  client: Queryable,
  organizationId: string,
  keyId: string,
): Promise<{ name: string; before: number | null }> {
  const { rows } = await client.query<{ name: string; permissions: unknown; cap: number | null }>(
    `select name, permissions, daily_cap_in_cents as cap from api_keys
      where organization_id = $1 and id = $2 and client_id is null for no key update`,
    [organizationId, keyId],
  );
  const key = rows[0];
  if (!key) throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
  if (!movesAlone(permissionsSchema.parse(key.permissions))) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "Everything that this key may do already needs approval, so a cap would have no effect.",
    );
  }
  return { name: key.name, before: key.cap };
}

async function write(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  keyId: string,
  cap: number | null,
): Promise<void> {
  const { rows } = await client.query<{ outcome: "CHANGED" | "MAY_NOT" | "MISSING" }>({
    name: "set_key_cap",
    text: "select set_key_cap($1, $2, $3, $4, $5) as outcome",
    values: [organizationId, keyId, cap, actor.id, now],
  });
  if (rows[0]?.outcome === "MAY_NOT") throw new AppError("ACCESS_DENIED", MAY_NOT);
  if (rows[0]?.outcome !== "CHANGED") throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
}
