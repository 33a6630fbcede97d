import { z } from "zod";
import { dailyCapSchema, movesAlone } from "@/lib/contract/api-key";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { permissionsSchema } from "@/lib/contract/permissions";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
import { announceGuard } from "@/lib/core/shared/announce-guard";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export const keyCapSchema = z.object({ keyId: z.uuid(), dailyCapInCents: dailyCapSchema });

const MAY_NOT = "Only an owner or co-owner may change a key's daily cap. Nothing was changed.";
const NO_SUCH_KEY = "This organization has no such active key. Nothing was changed.";

/**
 * Sets, raises, lowers or removes the amount that a key may move within 24 hours without approval. It applies from the key's
 * next request; what moved in the last 24 hours stays counted. Only raising and removing need step-up, are announced to every
 * owner and co-owner, and wait where the policy in force asks for the signatures of others. An unchanged value is not
 * recorded.
 * @param input `dailyCapInCents` null: no cap.
 * @throws NotConfirmed without presence, where the cap is raised or removed; AppError `ACCESS_DENIED` unless an owner or
 * co-owner asks; `INVALID_PARAMETERS` for a key that does not exist, has ended, or does nothing without approval.
 */
export async function setKeyCap(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { keyId, dailyCapInCents: after }: z.output<typeof keyCapSchema>,
): Promise<CarriedOut> {
  if (!mayDecide(context.actor)) throw new AppError("ACCESS_DENIED", MAY_NOT);
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    await lockOrganization(client, context.organizationId);
    const { name, before } = await lockCap(client, context.organizationId, keyId);
    if (before === after) return { kind: "DONE" };
    if (isWider(before, after)) {
      const act = `RAISE_KEY_CAP:${keyId}:${amountIn(after)}` as const;
      const method = await requirePresence(client, context.actor, services.clock.now(), act);
      const wanted = { what: "KEY_CAP", keyId, before, after } as const;
      const href = await askForSignatures(client, context, { wanted, subject: name }, method);
      if (href !== null) return { kind: "ASKED", href };
    }
    await changeCap(client, context, { keyId, name, before, after });
    return { kind: "DONE" };
  });
  services.wake(SEND_NOTICES);
  return result;
}

/**
 * Carries out a cap that was asked for, with its last signature.
 * @returns false if the cap was changed or its key ended meanwhile
 */
export async function applyKeyCap(
  client: Queryable,
  context: Context<MemberActor>,
  { keyId, before, after }: Extract<WantedLimit, { what: "KEY_CAP" }>,
): Promise<boolean> {
  const key = await findCap(client, context.organizationId, keyId);
  if (!key || key.before !== before) return false;
  await changeCap(client, context, { keyId, ...key, after });
  return true;
}

async function changeCap(
  client: Queryable,
  context: Context<MemberActor>,
  {
    keyId,
    name,
    before,
    after,
  }: { keyId: string; name: string; before: number | null; after: number | null },
): Promise<void> {
  await write(client, context, keyId, after);
  const text = (cents: number | null) => (cents === null ? null : writeCents(cents));
  const change = { kind: "KEY_CAP", subject: name, before: text(before), after: text(after) } as const;
  const changeId = await recordChange(client, context, change);
  if (isWider(before, after)) await announceGuard(client, context, changeId);
  await endOutdatedChange(client, context, "KEY_CAP", keyId);
}

/** Whether the key may do more without approval than before. */
function isWider(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}

interface KeyCap {
  name: string;
  permissions: unknown;
  before: number | null;
}

/** Locked: of two concurrent changes the second is judged against the result of the first. */
async function findCap(client: Queryable, organizationId: string, keyId: string): Promise<KeyCap | null> {
  const { rows } = await client.query<KeyCap>(
    `select name, permissions, daily_cap_in_cents as before from api_keys
      where organization_id = $1 and id = $2 and client_id is null for no key update`,
    [organizationId, keyId],
  );
  return rows[0] ?? null;
}

async function lockCap(client: Queryable, organizationId: string, keyId: string): Promise<KeyCap> {
  const key = await findCap(client, organizationId, keyId);
  if (!key) throw new AppError("INVALID_PARAMETERS", NO_SUCH_KEY);
  if (!movesAlone(permissionsSchema.parse(key.permissions))) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "Everything that this key may do already needs approval, so a cap would have no effect.",
    );
  }
  return key;
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
