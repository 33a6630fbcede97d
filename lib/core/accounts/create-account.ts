import type { Account } from "@/lib/contract/account";
import type { CreateAccountBody } from "@/lib/contract/account-fields";
import type { SentRequest } from "@/lib/contract/api-request";
import { openAccount } from "@/lib/core/accounts/open-account";
import { auditEntry } from "@/lib/core/audit/audit-entry";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import type { IdempotentCall, Replay } from "@/lib/core/idempotency";
import { rememberAnswer, waitForReplay } from "@/lib/core/idempotent-write";
import { requirePermission } from "@/lib/core/keys/permits";
import { requireLivingKey } from "@/lib/core/keys/require-living-key";
import { OPEN_AT_BANK } from "@/lib/core/work-names";
import { inTransaction, type Queryable } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface CreateAccountInput {
  body: CreateAccountBody;
  /** As it came in, for the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
}

export type CreateAccountResult =
  | { kind: "CREATED"; status: number; body: { data: Account; requestId: string } }
  | { kind: "REPLAYED"; replay: Replay };

const CREATED = 201;

/**
 * Opens a pod or an income source that a key asks for (specification, Part 4, "Accounts"). Account, ledger, idempotent
 * result and audit entry are one transaction. A rival with the same idempotency key waits for it and replays.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` for a beneficiary that is not there, `IDEMPOTENCY_KEY_MISMATCH`,
 * `UNAUTHORIZED` when the key was revoked meanwhile.
 */
export async function createAccount(
  services: Services,
  context: Context<ApiKeyActor>,
  input: CreateAccountInput,
): Promise<CreateAccountResult> {
  requirePermission(context.actor, "CREATE_ACCOUNTS");
  const result = await inTransaction(services.pool, (client) => write(client, context, input));
  if (result.kind === "CREATED" && input.body.type === "INCOME_SOURCE") services.wake(OPEN_AT_BANK);
  return result;
}

async function write(
  client: Queryable,
  context: Context<ApiKeyActor>,
  { body, sent, auditAction, idempotency }: CreateAccountInput,
): Promise<CreateAccountResult> {
  const replay = idempotency && (await waitForReplay(client, context, idempotency));
  if (replay) return { kind: "REPLAYED", replay };
  await requireLivingKey(client, context);
  const account = await openAccount(client, context, {
    type: body.type,
    name: body.name,
    description: body.description ?? null,
    beneficiaryId: body.beneficiaryId ?? null,
    // A floor binds what no person approves; a program does not set it.
    floorInCents: null,
    savingsTargetInCents: body.savingsTargetInCents ?? null,
  });
  const response = { data: account, requestId: context.requestId };
  if (idempotency) await rememberAnswer(client, context, idempotency, { status: CREATED, body: response });
  const entry = auditEntry(context, { method: sent.method, path: sent.path, action: auditAction }, null);
  await client.query("select write_audit_entries($1)", [JSON.stringify([entry])]);
  return { kind: "CREATED", status: CREATED, body: response };
}
