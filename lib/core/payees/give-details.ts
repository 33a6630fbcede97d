import { v5 as uuidv5 } from "uuid";
import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { changePayeeSchema, newPayeeSchema, PayeeKind, payeeAccountSchema } from "@/lib/contract/payee";
import { accountKey } from "@/lib/core/payees/account-key";
import { requireNewName } from "@/lib/core/payees/payee-names";
import {
  type Announcement,
  lockPayee,
  type PayeeEvent,
  recordPayeeEvent,
} from "@/lib/core/payees/payee-record";
import { insertPayee, lockPayeeList } from "@/lib/core/payees/propose-payee";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import {
  type BankPort,
  BankRefusesAccount,
  BankUnavailable,
  type OutsideAccountRequest,
  type RegisteredOutsideAccount,
} from "@/lib/ports/bank/bank-port";

export type GivingServices = Pick<Services, "pool" | "wake" | "accountHash">;
type AccountGiven = z.output<typeof payeeAccountSchema>;

/** An account as the bank knows it now, ready to be stored without its number. */
export interface RegisteredDetails extends RegisteredOutsideAccount {
  id: string;
  holderName: string;
  accountKind: AccountGiven["accountKind"];
  /** Null: given before it was kept. */
  accountKey: Buffer | null;
}

/**
 * Adds a payee as a member, with its account or without. It can be paid once a member has confirmed it, which is an act
 * of its own (`confirmPayee`).
 * @param announcement an import announces all of its payees at once
 * @returns its id.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an invalid field, a name
 * that is taken, and an account that the bank refuses.
 */
export async function addPayee(
  services: GivingServices,
  bank: BankPort,
  context: Context<MemberActor>,
  payee: z.output<typeof newPayeeSchema>,
  announcement: Exclude<Announcement, "WITH_THE_NEXT"> = "ALONE",
): Promise<string> {
  // Before the bank learns of an account that this member may not give.
  await requireDecider(services.pool, context, "add a payee");
  const details =
    payee.account && (await registerAtBank(services, bank, context, payee.kind, payee.account, payee.formId));
  const id = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "add a payee");
    await lockPayeeList(client, context.organizationId);
    await requireNewName(client, context.organizationId, null, payee.name);
    const by = byMember(context);
    // One act is announced once: what was entered says that it was added.
    const ofPayee = details && announcement === "ALONE" ? "WITH_THE_NEXT" : announcement;
    const payeeId = await insertPayee(client, context, payee, by, null, ofPayee);
    if (details) await writeDetails(client, context, { payeeId, ...payee, by, details }, announcement);
    return payeeId;
  });
  services.wake(SEND_NOTICES);
  return id;
}

/**
 * Gives a payee another name, kind or account as a member. What is in force stays in force until a member confirms the
 * change; it replaces an earlier one that waits.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an invalid field, a name
 * that is taken, an account that the bank refuses, a payee without an account, and one that does not exist.
 */
export async function changePayee(
  services: GivingServices,
  bank: BankPort,
  context: Context<MemberActor>,
  { payeeId, name, kind, account, formId }: z.output<typeof changePayeeSchema>,
): Promise<void> {
  await requireDecider(services.pool, context, "change a payee");
  const registered = account && (await registerAtBank(services, bank, context, kind, account, formId));
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "change a payee");
    await lockPayeeList(client, context.organizationId);
    await lockPayee(client, context.organizationId, payeeId);
    await requireNewName(client, context.organizationId, payeeId, name);
    const details = registered ?? (await latestDetails(client, context, payeeId));
    await writeDetails(client, context, { payeeId, name, kind, rail: "ACH", by: byMember(context), details });
  });
  services.wake(SEND_NOTICES);
}

function byMember({ actor }: Context<MemberActor>) {
  return { kind: "MEMBER", id: actor.id, name: actor.name } as const;
}

/**
 * Registers a payee's account at the bank, as `registerOutsideAccount`.
 * @param formId where it was typed; the same account from there is registered once, also if the bank's answer was lost
 */
export async function registerAtBank(
  { accountHash }: Pick<Services, "accountHash">,
  bank: BankPort,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  holderKind: PayeeKind,
  account: AccountGiven,
  formId: string | undefined,
): Promise<RegisteredDetails> {
  const { holderName, accountKind, routingNumber, accountNumber, address } = account;
  const typed = [organizationId, holderKind, holderName, accountKind, routingNumber, accountNumber, address];
  // With other numbers it must be another account: the bank keeps what came first under an id.
  const outsideAccountId = formId === undefined ? newId(now) : uuidv5(JSON.stringify(typed), formId);
  const registered = await registerOutsideAccount(bank, {
    organizationId,
    outsideAccountId,
    holderKind,
    ...account,
  });
  return {
    id: newId(now),
    holderName,
    accountKind,
    ...registered,
    accountKey: accountKey(accountHash, organizationId, account),
  };
}

/**
 * Registers an account at the bank, outside any transaction. Its number goes nowhere else: not into a table, a log, a
 * message or an error.
 * @throws AppError `INVALID_PARAMETERS` in the bank's words when it refuses the account, or has not answered
 */
export async function registerOutsideAccount(
  bank: BankPort,
  request: OutsideAccountRequest,
): Promise<RegisteredOutsideAccount> {
  requireAddress(bank, request);
  try {
    return await bank.registerOutsideAccount(request);
  } catch (error) {
    if (error instanceof BankRefusesAccount) {
      throw new AppError("INVALID_PARAMETERS", `${error.message} Nothing was changed.`, [
        { field: "account.routingNumber", message: error.message },
      ]);
    }
    if (!(error instanceof BankUnavailable)) throw error;
    throw new AppError(
      "INVALID_PARAMETERS",
      "The bank has not answered, so it may have registered this account or not. Nothing was changed in Sluice. Send it again in a minute: an account that the bank has already is not registered twice.",
    );
  }
}

/** @throws AppError `INVALID_PARAMETERS` where the bank asks for an address and there is none */
export function requireAddress(
  { capabilities }: Pick<BankPort, "capabilities">,
  { address }: Pick<OutsideAccountRequest, "address">,
): void {
  if (!capabilities.requiresAddress || address) return;
  const message = "This bank needs the postal address of the account holder.";
  throw new AppError("INVALID_PARAMETERS", `${message} Nothing was changed.`, [
    { field: "account.address.street", message },
  ]);
}

/** The account that a change of name or kind keeps: the one in force, or the first one that waits. */
async function latestDetails(
  client: Queryable,
  { organizationId, now }: Context,
  payeeId: string,
): Promise<RegisteredDetails> {
  const { rows } = await client.query<Omit<RegisteredDetails, "id">>(
    `select holder_name as "holderName", account_kind as "accountKind", bank_reference as "bankReference",
        routing_number_last4 as "routingNumberLast4", account_number_last4 as "accountNumberLast4",
        account_key as "accountKey"
       from payee_details where organization_id = $1 and payee_id = $2 and state in ('CONFIRMED', 'WAITING')
      order by state = 'CONFIRMED' desc, given_at desc, id desc limit 1`,
    [organizationId, payeeId],
  );
  if (!rows[0]) {
    throw new AppError("INVALID_PARAMETERS", "This payee has no account yet. Enter one, or send a link.");
  }
  return { id: newId(now), ...rows[0] };
}

export interface GivenDetails {
  payeeId: string;
  name: string;
  kind: PayeeKind;
  rail: "ACH";
  by: PayeeEvent["by"] & { kind: "MEMBER" | "PAYEE" };
  details: RegisteredDetails;
}

/** Writes details that wait for a member, under the payee's lock; earlier ones that wait are replaced. */
export async function writeDetails(
  client: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  { payeeId, name, kind, rail, by, details }: GivenDetails,
  announcement: Announcement = "ALONE",
): Promise<void> {
  const { organizationId, now } = context;
  await client.query(
    "update payee_details set state = 'REPLACED' where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
    [organizationId, payeeId],
  );
  await client.query(
    `insert into payee_details (organization_id, id, payee_id, state, name, kind, rail, holder_name, account_kind,
        bank_reference, routing_number_last4, account_number_last4, given_by_kind, given_by_id, given_by_name, given_at,
        account_key)
     values ($1, $2, $3, 'WAITING', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      organizationId,
      details.id,
      payeeId,
      name,
      kind,
      rail,
      details.holderName,
      details.accountKind,
      details.bankReference,
      details.routingNumberLast4,
      details.accountNumberLast4,
      by.kind,
      by.id,
      by.name,
      now,
      details.accountKey,
    ],
  );
  const event = {
    payeeId,
    kind: "DETAILS_GIVEN",
    by,
    name,
    accountNumberLast4: details.accountNumberLast4,
    version: null,
    note: null,
  } as const;
  await recordPayeeEvent(client, context, event, announcement);
}
