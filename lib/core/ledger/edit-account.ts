import type { AccountType, EditAccountInput, ExternalAccountType } from "@/lib/contract/account";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

interface EditedRow {
  id: string;
  name: string;
  floorInCents: number | null;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  updatedAt: Date;
  deletedAt: Date | null;
}

/**
 * Changes an account: name and description; for a managed one its floor; for a pod its savings target and the debt that
 * it pays. A change of name or floor invalidates the digest of waiting approvals, which covers the names and the outcome
 * of the floor's check. Changes of name and floor are recorded with their author.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` with
 * the field, also when the account changed since the member loaded it; NotConfirmed where the floor is lowered without
 * presence.
 */
export async function editAccount(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: EditAccountInput,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "change an account");
    const { account, linked } = await lockAccounts(client, context, input);
    if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${input.accountId}.`);
    requireUnchanged(account, input);
    requireFitting(account, linked, input);
    // A floor is a guard: an unattended browser must not remove it.
    if ((input.floorInCents ?? 0) < (account.floorInCents ?? 0)) {
      const act = `LOWER_FLOOR:${input.accountId}:${amountIn(input.floorInCents)}` as const;
      await requirePresence(client, context.actor, services.clock.now(), act);
    }
    await noteChanges(client, context, account, input);
    await client.query(
      `update accounts set name = $3, description = $4, floor_in_cents = $5, savings_target_in_cents = $6,
          linked_account_id = $7, updated_at = greatest($8, updated_at + interval '1 millisecond')
        where organization_id = $1 and id = $2`,
      [
        context.organizationId,
        input.accountId,
        input.name,
        input.description || null,
        input.floorInCents,
        input.savingsTargetInCents,
        input.linkedAccountId,
        context.now,
      ],
    );
  });
}

async function noteChanges(
  client: Queryable,
  context: Context<MemberActor>,
  account: EditedRow,
  input: EditAccountInput,
): Promise<void> {
  if (input.name !== account.name) {
    const change = { subject: null, before: account.name, after: input.name };
    await recordChange(client, context, { kind: "ACCOUNT_RENAMED", ...change });
  }
  if (input.floorInCents !== account.floorInCents) {
    const text = (cents: number | null) => (cents === null ? null : String(cents));
    const change = { before: text(account.floorInCents), after: text(input.floorInCents) };
    await recordChange(client, context, { kind: "ACCOUNT_FLOOR", subject: input.name, ...change });
  }
}

/** `no key update`: concurrent edits run one after the other, and no transfer waits for an edit. */
async function lockAccounts(client: Queryable, context: Context, input: EditAccountInput) {
  const { rows } = await client.query<EditedRow>(
    `select id, name, floor_in_cents as "floorInCents", type, external_account_type as "externalAccountType",
        updated_at as "updatedAt", deleted_at as "deletedAt" from accounts
      where organization_id = $1 and id in ($2, $3) and not is_payee order by id for no key update`,
    [context.organizationId, input.accountId, input.linkedAccountId],
  );
  return {
    account: rows.find((row) => row.id === input.accountId),
    linked: rows.find((row) => row.id === input.linkedAccountId),
  };
}

function requireUnchanged(account: EditedRow, input: EditAccountInput): void {
  if (account.deletedAt) refuse("name", "This account has been closed. Nothing was changed.");
  if (account.updatedAt.toISOString() === input.seenUpdatedAt) return;
  refuse("name", "This account was changed since you opened this page. Reload the page, then try again.");
}

/** Fields that the kind of account does not have cannot be set. */
function requireFitting(account: EditedRow, linked: EditedRow | undefined, input: EditAccountInput): void {
  if (input.floorInCents !== null && account.type === "EXTERNAL_ACCOUNT") {
    refuse("floorInCents", "External accounts have no floor.");
  }
  if (input.savingsTargetInCents !== null && account.type !== "POD") {
    refuse("savingsTargetInCents", "Only a pod has a savings target.");
  }
  if (input.linkedAccountId === null) return;
  if (account.type !== "POD") refuse("linkedAccountId", "Only a pod pays a debt.");
  const isDebt = linked?.externalAccountType === "LIABILITY" && linked.deletedAt === null;
  if (!isDebt) refuse("linkedAccountId", "Choose one of the organization’s debts.");
}

function refuse(field: string, message: string): never {
  throw new AppError("INVALID_PARAMETERS", message, [{ field, message }]);
}
