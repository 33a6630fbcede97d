import { type AccountLook, accountHref, accountLookHref, registerHref } from "@/lib/contract/hrefs";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import { type AccountDetailRow, DETAIL_COLUMNS, DETAIL_JOINS } from "@/lib/core/ledger/read-accounts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { readLookAlikeParties } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import type { Services } from "@/lib/platform/services";
import {
  listMovements,
  listOutsideMovements,
  listWaitingMovements,
  type MovementPage,
} from "@/lib/views/accounts/list-movements";
import { readBalanceHistory } from "@/lib/views/accounts/read-balance-history";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";
import type { TimedReading } from "@/lib/views/reading";
import { listAccountRules } from "@/lib/views/rules/list-account-rules";

export type AccountPageKind = "POD" | "INCOME_SOURCE" | "DEPOSITORY" | "INVESTMENT" | "LIABILITY";

export type AccountRegistrationView =
  | {
      kind: "REGISTERED";
      at: string;
      byName: string;
      /** Of the account as the bank knows it; some institutions share another number than they list. */
      numberEnding: string;
      /** Until then, payments to it that together exceed the amount wait; null: none waits. */
      coolsOffUntil: string | null;
      coolOffAboveInCents: number;
    }
  /** `href`: where an owner or co-owner registers it; null for others. */
  | { kind: "MISSING"; href: string | null }
  /** A debt, an investment, or an account that nothing is connected to: it is paid as a payee. */
  | { kind: "IMPOSSIBLE" };

type Row = AccountDetailRow & {
  isGettingNumbers: boolean;
  numberProblem: string | null;
  linkedName: string | null;
  linkedOwedInCents: number | null;
  linkedDueOn: string | null;
  linkedStatementInCents: number | null;
  linkedMinimumInCents: number | null;
  paidFrom: { id: string; name: string }[] | null;
  isConnected: boolean;
  registeredAt: Date | null;
  registeredBy: string | null;
  registeredNumberLast4: string | null;
  coolsOffUntil: Date | null;
  coolOffAboveInCents: number;
  hasOwnBankAccount: boolean | null;
  atBankInCents: number | null;
  askedBankAt: Date | null;
  shouldBeAtBankInCents: number | null;
  isRefusedAtBank: boolean;
};

/** Everything that an account's page shows; null if the organization has no account with this ID. */
export async function readAccountPage(
  { services, context, time }: TimedReading<"pool" | "bankCapabilities">,
  accountId: string,
  look: AccountLook,
) {
  const { pool } = services;
  const row = await readRow(services, context, accountId);
  if (!row) return null;
  const isManaged = row.type !== "EXTERNAL_ACCOUNT";
  const { filter, page, showsAllOnItsWay } = look;
  const request = { accountId, filter, page, showsAllOnItsWay };
  const [history, movements, waiting, rules, newsLateSince, lookAlikes, waitingChanges] = await Promise.all([
    isManaged ? readBalanceHistory(pool, context, accountId, look.days) : null,
    isManaged ? listMovements(pool, context, request) : listOutsideMovements(pool, context, request),
    listWaitingMovements(pool, context, accountId),
    listAccountRules(pool, context, accountId),
    isManaged ? readNewsLateSince(pool, context.organizationId, context.now) : null,
    readLookAlikeParties(pool, context.organizationId),
    isManaged ? listWaitingChangesOf({ services, context }, ["ACCOUNT_FLOOR"], accountId) : [],
  ]);
  const mayChange = mayDecide(context.actor) && row.deletedAt === null;
  const registration = describeRegistration(row, services.bankCapabilities, context);
  const isKnown = registration === null || registration.kind === "REGISTERED";
  return {
    ...describe(row, context.now),
    /** Another account or payee whose name looks the same. */
    lookAlike: lookAlikes.get(accountId) ?? null,
    /** As on the accounts page; null for an account outside of Sluice. */
    bankNewsLateSince: newsLateSince?.toISOString() ?? null,
    /** Null: its balance is not in our books. */
    history,
    historyHrefs: {
      30: accountLookHref(accountId, { ...look, days: 30 }),
      90: accountLookHref(accountId, { ...look, days: 90 }),
    },
    movements: describeMovements(accountId, look, movements),
    waiting,
    /** Of its floor, what waits for signatures. */
    waitingChanges,
    rules,
    editHref: mayChange ? `${accountHref(accountId)}/edit` : null,
    closeHref: mayChange && isManaged ? `${accountHref(accountId)}/close` : null,
    /** Where a member moves money out of it, or into it if nothing can be drawn from it. */
    moveHref: mayChange && isKnown ? moveHref(row, services.bankCapabilities) : null,
    /** Of an account outside, at a bank that carries money only for accounts it knows. Null: it needs none. */
    registration,
    /** Of a pod, where the bank offers accounts of their own. */
    ownBankAccount: describeOwnBankAccount(row, services.bankCapabilities),
    canReopen: row.deletedAt !== null && isManaged && mayDecide(context.actor),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** Everything on the page of one account. */
export type AccountPageView = NonNullable<Awaited<ReturnType<typeof readAccountPage>>>;

async function readRow(
  services: Pick<Services, "pool">,
  context: Context,
  accountId: string,
): Promise<Row | undefined> {
  const { rows } = await services.pool.query<Row>({
    name: "read_account_page",
    text: `
      select ${DETAIL_COLUMNS}, a.number_due_at is not null as "isGettingNumbers",
          a.number_problem as "numberProblem", linked.name as "linkedName",
          owed.balance_in_cents as "linkedOwedInCents", owed.next_payment_due_date::text as "linkedDueOn",
          owed.last_statement_balance_in_cents as "linkedStatementInCents",
          owed.next_payment_minimum_in_cents as "linkedMinimumInCents",
          (select json_agg(json_build_object('id', pod.id, 'name', pod.name) order by pod.id) from accounts pod
            where pod.organization_id = $1 and pod.linked_account_id = a.id and pod.deleted_at is null) as "paidFrom",
          a.connection_id is not null as "isConnected", registered.registered_at as "registeredAt",
          registered.cools_off_until as "coolsOffUntil",
          registered.account_number_last4 as "registeredNumberLast4", registering.name as "registeredBy",
          o.payee_cool_off_above_in_cents as "coolOffAboveInCents", own.is_wanted as "hasOwnBankAccount",
          own.at_bank_in_cents as "atBankInCents", own.asked_bank_at as "askedBankAt",
          own_bank_account_target(own) as "shouldBeAtBankInCents",
          own.refused_at is not null as "isRefusedAtBank"
        from accounts a ${DETAIL_JOINS}
        join organizations o on o.id = a.organization_id
        left join registered_accounts registered on registered.organization_id = $1 and registered.account_id = a.id
          and registered.bank_reference is not null
        left join own_bank_accounts own on own.organization_id = $1 and own.account_id = a.id
        left join users registering on registering.id = registered.registered_by
        left join accounts linked on linked.organization_id = $1 and linked.id = a.linked_account_id
        left join provider_balances owed on owed.organization_id = $1 and owed.account_id = linked.id
       where a.organization_id = $1 and a.id = $2 and not a.is_payee`,
    values: [context.organizationId, accountId],
  });
  return rows[0];
}

function describeOwnBankAccount(row: Row, { ownAccounts }: Services["bankCapabilities"]) {
  if (!ownAccounts || row.type !== "POD") return null;
  const { atBankInCents, askedBankAt: askedAt, shouldBeAtBankInCents: target } = row;
  const isOwn = row.hasOwnBankAccount ?? false;
  if (atBankInCents === null || askedAt === null || target === null)
    return { isOwn /** Null: it never had an account of its own there. */, there: null };
  const there = {
    atBankInCents,
    askedAt: askedAt.toISOString() /** What the bank has still to move into it; negative: out of it. */,
    toMoveInCents: target - atBankInCents,
  };
  return {
    isOwn,
    there: {
      ...there /** The bank refused the last attempt; it is repeated. */,
      isRefused: row.isRefusedAtBank,
    },
  };
}

/** Where a pod's money is at the bank. */
export type OwnBankAccountView = NonNullable<ReturnType<typeof describeOwnBankAccount>>;

function describeRegistration(
  row: Row,
  { requiresRegistration }: Services["bankCapabilities"],
  { actor, now }: Context<MemberActor>,
): AccountRegistrationView | null {
  if (!requiresRegistration || row.type !== "EXTERNAL_ACCOUNT" || row.deletedAt !== null) return null;
  if (row.registeredAt !== null && row.registeredBy !== null && row.registeredNumberLast4 !== null) {
    const coolsOffUntil = row.coolsOffUntil !== null && row.coolsOffUntil > now ? row.coolsOffUntil : null;
    return {
      kind: "REGISTERED",
      at: row.registeredAt.toISOString(),
      byName: row.registeredBy,
      numberEnding: row.registeredNumberLast4,
      coolsOffUntil: coolsOffUntil?.toISOString() ?? null,
      coolOffAboveInCents: row.coolOffAboveInCents,
    };
  }
  if (row.externalAccountType !== "DEPOSITORY" || !row.isConnected) return { kind: "IMPOSSIBLE" };
  return { kind: "MISSING", href: mayDecide(actor) ? registerHref(row.id) : null };
}

export function accountPageKind(
  row: Pick<AccountDetailRow, "type" | "externalAccountType">,
): AccountPageKind {
  if (row.type !== "EXTERNAL_ACCOUNT") return row.type;
  return row.externalAccountType ?? "DEPOSITORY";
}

/** Money moves out of an account; debts, which cannot pay, are paid. */
function moveHref(row: Row, { pull }: Services["bankCapabilities"]): string {
  const isDrawable =
    canBeSource(row.type, row.externalAccountType) && (pull || row.type !== "EXTERNAL_ACCOUNT");
  const end = isDrawable ? "from" : "to";
  return `/transfers/new?${end}=${row.id}`;
}

function describe(row: Row, now: Date) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: accountPageKind(row),
    ownerName: row.beneficiaryName,
    institutionName: row.institutionName,
    routingEnding: row.routingNumberLast4,
    numberEnding: row.accountNumberLast4,
    /** The bank has not assigned the numbers yet. */
    isGettingNumbers: row.isGettingNumbers,
    /** Why the bank has given none yet, with its own words; null: it has not said. */
    numberProblem: row.isGettingNumbers ? row.numberProblem : null,
    ...describeBalance(row, now),
    floorInCents: row.floorInCents,
    goalInCents: row.savingsTargetInCents,
    /** Of a debt. */
    owed: describeOwed(row),
    linked:
      row.linkedAccountId !== null && row.linkedName !== null
        ? {
            id: row.linkedAccountId,
            href: accountHref(row.linkedAccountId),
            name: row.linkedName,
            owedInCents: row.linkedOwedInCents,
            /** What is due on `dueOn`, unlike the amount owed, which grows with every purchase. */
            statementInCents: row.linkedStatementInCents,
            minimumInCents: row.linkedMinimumInCents,
            dueOn: row.linkedDueOn,
          }
        : null,
    paidFrom: (row.paidFrom ?? []).map(({ id, name }) => ({ href: accountHref(id), name })),
    createdAt: row.createdAt.toISOString(),
    closedAt: row.deletedAt?.toISOString() ?? null,
  };
}

function describeBalance(row: Row, now: Date) {
  if (row.ledgerBalanceInCents !== null) {
    const held = row.heldInCents ?? 0;
    return {
      /** Null: unknown. For a debt, the amount owed. */
      balanceInCents: row.ledgerBalanceInCents,
      availableInCents: row.ledgerBalanceInCents - held,
      onItsWayOutInCents: held,
      balanceAt: now.toISOString(),
    };
  }
  return {
    balanceInCents: row.balanceInCents,
    availableInCents: row.availableBalanceInCents,
    onItsWayOutInCents: 0,
    balanceAt: row.refreshedAt?.toISOString() ?? null,
  };
}

function describeOwed(row: Row) {
  if (row.externalAccountType !== "LIABILITY") return null;
  return {
    statementInCents: row.lastStatementBalanceInCents,
    minimumInCents: row.nextPaymentMinimumInCents,
    dueOn: row.nextPaymentDueDate,
    interestRatePercentage: row.interestRatePercentage,
    originalLoanInCents: row.originalLoanAmountInCents,
  };
}

function describeMovements(accountId: string, look: AccountLook, page: MovementPage) {
  const hrefOf = (changes: Partial<AccountLook>) => accountLookHref(accountId, { ...look, ...changes });
  return {
    filter: look.filter,
    filterHrefs: {
      ALL: hrefOf({ filter: "ALL", page: 1 }),
      IN: hrefOf({ filter: "IN", page: 1 }),
      OUT: hrefOf({ filter: "OUT", page: 1 }),
    },
    rows: page.items,
    /** Set if more is on its way than the rows show. */
    allOnItsWayHref:
      page.hasMoreOnItsWay && !look.showsAllOnItsWay ? hrefOf({ showsAllOnItsWay: true }) : null,
    page: look.page,
    previousHref: look.page > 1 ? hrefOf({ page: look.page - 1 }) : null,
    nextHref: page.pagination.hasNextPage ? hrefOf({ page: look.page + 1 }) : null,
  };
}

export type MovementsView = ReturnType<typeof describeMovements>;
