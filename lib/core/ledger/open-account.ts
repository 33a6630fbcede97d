import type { Account } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import { findAccount } from "@/lib/core/ledger/find-account";
import { requireIdentity } from "@/lib/core/organizations/require-identity";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** An account that is about to be; its fields are checked already. */
export interface AccountDraft {
  type: "POD" | "INCOME_SOURCE";
  name: string;
  description: string | null;
  /** Null: the organization's default. */
  beneficiaryId: string | null;
  /** `OF_ORGANIZATION`: a pod begins with what its owners set for new ones. */
  floorInCents: number | null | "OF_ORGANIZATION";
  savingsTargetInCents: number | null;
}

/**
 * Writes a managed account and its ledger, which starts at zero, in the caller's transaction. An income source is due
 * to get its numbers from the bank; a pod has none, since no outside money is sent to it.
 * @throws AppError `ACCESS_DENIED` before the identity check is approved, `INVALID_PARAMETERS` for a beneficiary that is not this organization's.
 */
export async function openAccount(
  client: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  draft: AccountDraft,
): Promise<Account> {
  await requireIdentity(client, context.organizationId);
  const id = newId(context.now);
  const { rowCount } = await client.query(
    `insert into accounts (organization_id, id, type, name, description, beneficiary_id, floor_in_cents,
        savings_target_in_cents, number_due_at, created_at, updated_at)
     select $1, $2, $3, $4, $5, b.id,
        case when $10 then (select o.new_pod_floor_in_cents from organizations o where o.id = $1 and $3 = 'POD')
          else $7::bigint end, $8, case when $3 = 'INCOME_SOURCE' then $9::timestamptz end, $9, $9
       from beneficiaries b
      where b.organization_id = $1 and b.removed_at is null
        and b.id = coalesce($6::uuid, (select default_beneficiary_id from organizations where id = $1))
      -- One that is removed at this moment: this waits for it, and then finds nobody.
      for key share of b`,
    [
      context.organizationId,
      id,
      draft.type,
      draft.name,
      draft.description || null,
      draft.beneficiaryId,
      draft.floorInCents === "OF_ORGANIZATION" ? null : draft.floorInCents,
      draft.savingsTargetInCents,
      context.now,
      draft.floorInCents === "OF_ORGANIZATION",
    ],
  );
  if (rowCount !== 1) {
    const message = "there is no such beneficiary";
    throw new AppError("INVALID_PARAMETERS", `beneficiaryId: ${message}.`, [
      { field: "beneficiaryId", message },
    ]);
  }
  await client.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
    context.organizationId,
    id,
  ]);
  const account = await findAccount(client, context, id);
  if (!account) throw new Error("An account that was just opened is not there");
  return account;
}
