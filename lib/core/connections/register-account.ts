import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { registerAccountSchema } from "@/lib/contract/register-account";
import { readAccess } from "@/lib/core/connections/begin-connecting";
import { accountKey } from "@/lib/core/payees/account-key";
import { registerOutsideAccount, requireAddress } from "@/lib/core/payees/give-details";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { checkPresence, requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  NumbersNotShared,
  type ProviderAccountNumbers,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";
import type { BankPort } from "@/lib/ports/bank/bank-port";

type RegisteringServices = Pick<Services, "pool" | "clock" | "wake" | "accountHash">;
type Ports = { aggregator: AggregatorPort; bank: BankPort };

/**
 * Registers a connected checking or savings account at a bank that draws money only from accounts it knows and pays only
 * to them. The numbers go from the institution to the bank and nowhere else: not into a table, a log, a message or an
 * error. All owners and co-owners are notified, and larger payments to the account wait as for a new payee. Registering
 * a registered account does nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` with what to do, and for an
 * account that cannot be registered. NotConfirmed without presence.
 */
export async function registerAccount(
  services: RegisteringServices,
  { aggregator, bank }: Ports,
  context: Context<MemberActor>,
  { accountId, holderKind, account }: z.output<typeof registerAccountSchema>,
): Promise<void> {
  const { organizationId } = context;
  // Before anyone reads the numbers.
  await requireDecider(services.pool, context, "register an account at the bank");
  if (!bank.capabilities.requiresRegistration) throw refused("This bank needs no registration.");
  await checkPresence(services.pool, context.actor, services.clock.now(), `REGISTER_ACCOUNT:${accountId}`);
  const connected = await readConnected(services.pool, organizationId, accountId);
  if (connected.isRegistered) return;
  requireAddress(bank, account);

  const numbers = await readNumbers(services, aggregator, context, connected);
  const request = { organizationId, holderKind, ...account, ...numbers };
  const outsideAccountId = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "register an account at the bank");
    await requirePresence(client, context.actor, services.clock.now(), `REGISTER_ACCOUNT:${accountId}`);
    return await beginRegistration(client, context, accountId, request);
  });
  if (outsideAccountId === null) return;
  const registered = await registerOutsideAccount(bank, { ...request, outsideAccountId });
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "register an account at the bank");
    const { bankReference, routingNumberLast4, accountNumberLast4 } = registered;
    const { rows } = await client.query<{ outcome: "REGISTERED" | "WAS_REGISTERED" | "REPLACED" | "GONE" }>({
      name: "finish_account_registration",
      text: "select finish_account_registration($1) as outcome",
      values: [
        JSON.stringify({
          organizationId,
          accountId,
          registrationId: outsideAccountId,
          userId: context.actor.id,
          bankReference,
          routingNumberLast4,
          accountNumberLast4,
          now: context.now,
          accountKey: `\\x${accountKey(services.accountHash, organizationId, request).toString("hex")}`,
        }),
      ],
    });
    const outcome = rows[0]?.outcome;
    if (outcome === "WAS_REGISTERED") return;
    if (outcome === "GONE") throw refused("This account was disconnected in the meantime.");
    if (outcome !== "REGISTERED")
      throw refused("Someone else is registering this account with other details.");
    const change = { subject: connected.name, before: null, after: accountNumberLast4 };
    await recordChange(client, context, { kind: "ACCOUNT_REGISTERED", ...change });
    await writeNotice(client, {
      organizationId,
      kind: "ACCOUNT_REGISTERED",
      subjectId: accountId,
      userId: null,
      digestKey: null,
      now: context.now,
    });
  });
  services.wake(SEND_NOTICES);
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", `${message} Nothing was changed.`);

interface ConnectedAccount {
  name: string;
  connectionId: string;
  providerAccountId: string;
  isRegistered: boolean;
}

async function readConnected(
  client: Queryable,
  organizationId: string,
  accountId: string,
): Promise<ConnectedAccount> {
  const { rows } = await client.query<
    ConnectedAccount & { isDeposit: boolean; isClosed: boolean; connectionId: string | null }
  >({
    name: "read_account_to_register",
    text: `
      select a.name, a.connection_id as "connectionId", a.provider_account_id as "providerAccountId",
          a.external_account_type is not distinct from 'DEPOSITORY' as "isDeposit",
          a.deleted_at is not null as "isClosed",
          exists (select from registered_accounts r where r.organization_id = $1 and r.account_id = a.id
            and r.bank_reference is not null) as "isRegistered"
        from accounts a where a.organization_id = $1 and a.id = $2`,
    values: [organizationId, accountId],
  });
  const [account] = rows;
  if (!account) throw refused("There is no such account.");
  if (account.isClosed) throw refused(`${account.name} is closed.`);
  if (account.connectionId === null || !account.isDeposit) {
    throw refused("Only a connected checking or savings account can be registered at the bank.");
  }
  return account;
}

/** Of this account alone: the others' are dropped. */
async function readNumbers(
  services: RegisteringServices,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  { name, connectionId, providerAccountId }: ConnectedAccount,
): Promise<Omit<ProviderAccountNumbers, "providerAccountId">> {
  const kept = await readAccess(services.pool, context, connectionId);
  if (kept?.status !== "ACTIVE" && kept?.status !== "NEEDS_SIGN_IN") {
    throw refused(`The connection of ${name} has ended. Connect it again.`);
  }
  const all = await aggregator.readAccountNumbers(kept.access).catch((error: unknown) => {
    throw toNumbersProblem(error, name);
  });
  const found = all.find((one) => one.providerAccountId === providerAccountId);
  if (!found) {
    throw refused(
      `The institution does not share the account number of ${name}. Add it as a payee to pay it.`,
    );
  }
  const { accountKind, routingNumber, accountNumber } = found;
  return { accountKind, routingNumber, accountNumber };
}

/** The problem as the member sees it; internal errors are passed through. */
function toNumbersProblem(error: unknown, name: string): unknown {
  if (error instanceof NumbersNotShared) {
    return refused(
      `${name} was connected without sharing its account number. Disconnect its institution, connect it again and agree to share account numbers.`,
    );
  }
  if (error instanceof SignInNeeded) {
    return refused(
      `The institution asks to sign in again (${error.code}). Refresh its connection, then sign in on that page.`,
    );
  }
  if (error instanceof AggregatorUnavailable) {
    return refused(`The institution is not responding (${error.code}). Try again later.`);
  }
  return error;
}

/** @returns the id to register it under; null: it is registered already. */
async function beginRegistration(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  accountId: string,
  request: Omit<Parameters<BankPort["registerOutsideAccount"]>[0], "outsideAccountId">,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>({
    name: "start_account_registration",
    text: "select start_account_registration($1) as id",
    values: [
      JSON.stringify({
        organizationId,
        accountId,
        registrationId: newId(now),
        userId: actor.id,
        holderName: request.holderName,
        holderKind: request.holderKind,
        accountKind: request.accountKind,
        routingNumberLast4: request.routingNumber.slice(-4),
        accountNumberLast4: request.accountNumber.slice(-4),
        now,
      }),
    ],
  });
  return rows[0]?.id ?? null;
}
