import type { AccountType, EditAccountInput, ExternalAccountType } from "@/lib/contract/account";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
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
 * of the floor's check. Changes of name and floor are recorded with their author. A lower floor waits where the policy in force
 * asks for the signatures of others; the rest is saved.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` with
 * the field, also when the account changed since the member loaded it; NotConfirmed where the floor is lowered without
 * presence.
 */
export async function editAccount(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  input: EditAccountInput,
): Promise<CarriedOut> {
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    await lockOrganization(client, context.organizationId);
    await requireDecider(client, context, "change an account");
    const { account, linked } = await lockAccounts(client, context, input);
    if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${input.accountId}.`);
    requireUnchanged(account, input);
    requireFitting(account, linked, input);
    let floorInCents = input.floorInCents;
    let askedHref: string | null = null;
    // A floor is a guard: an unattended browser must not remove it.
    if ((floorInCents ?? 0) < (account.floorInCents ?? 0)) {
      const act = `LOWER_FLOOR:${input.accountId}:${amountIn(floorInCents)}` as const;
      const method = await requirePresence(client, context.actor, services.clock.now(), act);
      const change = { accountId: input.accountId, before: account.floorInCents, after: floorInCents };
      const wanted = { what: "ACCOUNT_FLOOR", ...change } as const;
      askedHref = await askForSignatures(client, context, { wanted, subject: input.name }, method);
      if (askedHref !== null) floorInCents = account.floorInCents;
    }
    await noteChanges(client, context, account, { ...input, floorInCents });
    await client.query(
      `update accounts set name = $3, description = $4, floor_in_cents = $5, savings_target_in_cents = $6,
          linked_account_id = $7, updated_at = greatest($8, updated_at + interval '1 millisecond')
        where organization_id = $1 and id = $2`,
      [
        context.organizationId,
        input.accountId,
        input.name,
        input.description || null,
        floorInCents,
        input.savingsTargetInCents,
        input.linkedAccountId,
        context.now,
      ],
    );
    return askedHref === null ? { kind: "DONE" } : { kind: "ASKED", href: askedHref };
  });
  services.wake(SEND_NOTICES);
  return result;
}

/**
 * Carries out a floor that was asked for, with its last signature.
 * @returns false if the floor was changed or its account closed meanwhile
 */
export async function applyAccountFloor(
  client: Queryable,
  context: Context<MemberActor>,
  { accountId, before, after }: Extract<WantedLimit, { what: "ACCOUNT_FLOOR" }>,
): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>({
    name: "apply_account_floor",
    text: `update accounts set floor_in_cents = $4, updated_at = greatest($5, updated_at + interval '1 millisecond')
            where organization_id = $1 and id = $2 and not is_payee and deleted_at is null
              and floor_in_cents is not distinct from $3 returning name`,
    values: [context.organizationId, accountId, before, after, context.now],
  });
  const [account] = rows;
  if (!account) return false;
  await noteFloor(client, context, { accountId, name: account.name, before, after });
  return true;
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
    const { id: accountId, floorInCents: before } = account;
    await noteFloor(client, context, { accountId, name: input.name, before, after: input.floorInCents });
  }
}

interface ChangedFloor {
  accountId: string;
  name: string;
  before: number | null;
  after: number | null;
}

async function noteFloor(
  client: Queryable,
  context: Context<MemberActor>,
  { accountId, name, before, after }: ChangedFloor,
): Promise<void> {
  const text = (cents: number | null) => (cents === null ? null : String(cents));
  const change = { subject: name, before: text(before), after: text(after) };
  await recordChange(client, context, { kind: "ACCOUNT_FLOOR", ...change });
  await endOutdatedChange(client, context, "ACCOUNT_FLOOR", accountId);
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
