import type {
  AccountsView,
  ClosedAccountView,
  ManagedAccountView,
  OutsideAccountView,
  OwedAccountView,
} from "@/lib/contract/views/accounts-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { accountHref } from "@/lib/core/accounts/account-hrefs";
import { type AccountDetailRow, DETAIL_COLUMNS, DETAIL_JOINS } from "@/lib/core/accounts/account-row";
import { listWaitingSubjects, type WaitingSubject } from "@/lib/core/approvals/list-waiting-subjects";
import { connectionHref } from "@/lib/core/connections/connection-href";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import type { Services } from "@/lib/platform/services";

/** An organization with more accounts than this needs a filtered page. */
const MAXIMUM_ACCOUNTS = 500;

type Row = AccountDetailRow & { paid_from_name: string | null; connection_id: string | null };

/** Every account of the organization with its balance, as the accounts page shows them; closed ones stand apart. */
export async function readAccountsPage(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  time: TimeContext,
): Promise<AccountsView> {
  const { rows: all } = await services.pool.query<Row>({
    name: "read_accounts_page",
    text: `
      select ${DETAIL_COLUMNS}, paying.name as paid_from_name, a.connection_id
        from accounts a ${DETAIL_JOINS}
        left join lateral (
          select min(pod.name) as name from accounts pod
           where pod.organization_id = $1 and pod.linked_account_id = a.id and pod.deleted_at is null) paying on true
       where a.organization_id = $1
       order by a.deleted_at is not null, a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [context.organizationId],
  });
  const waiting = waitingOut(await listWaitingSubjects(services.pool, context));
  const toManagedRow = (row: Row) => toManaged(row, waiting.get(row.id) ?? null);
  const rows = all.filter((row) => row.deleted_at === null);
  const closed = all.flatMap(toClosed);
  const pods = rows.filter((row) => row.type === "POD").map(toManagedRow);
  const incomeSources = rows.filter((row) => row.type === "INCOME_SOURCE").map(toManagedRow);
  const external = rows.filter((row) => row.type === "EXTERNAL_ACCOUNT");
  const outside = external.filter((row) => row.external_account_type !== "LIABILITY").map(toOutside);
  const owed = external.filter((row) => row.external_account_type === "LIABILITY").map(toOwed);
  const open = [...pods, ...incomeSources, ...outside];
  // Money that the bank booked into a closed account is the organization's as well.
  const held = [...open, ...closed].map((account) => account.balanceInCents);
  return {
    totalInCents: sumKnown(held),
    accountCount: open.length,
    incomeSources,
    pods,
    podsTotalInCents: pods.reduce((sum, pod) => sum + pod.balanceInCents, 0),
    outside,
    owed,
    closed,
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** One unknown balance makes the sum unknown: it is never taken for zero. */
function sumKnown(amounts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}

/** What waiting proposals would take out of each account, by its id. */
function waitingOut(
  waiting: readonly WaitingSubject[],
): Map<string, NonNullable<ManagedAccountView["waitingOut"]>> {
  const out = new Map<string, { count: number; amountInCents: number }>();
  for (const { moves } of waiting) {
    for (const accountId of new Set(moves.map((move) => move.sourceAccountId))) {
      const taken = moves.filter((move) => move.sourceAccountId === accountId);
      const before = out.get(accountId) ?? { count: 0, amountInCents: 0 };
      out.set(accountId, {
        count: before.count + 1,
        amountInCents: taken.reduce((sum, move) => sum + move.amountInCents, before.amountInCents),
      });
    }
  }
  return out;
}

function toManaged(row: Row, waiting: ManagedAccountView["waitingOut"]): ManagedAccountView {
  return {
    id: row.id,
    href: accountHref(row.id),
    name: row.name,
    description: row.description,
    institutionName: row.institution_name,
    numberEnding: row.account_number_last4,
    balanceInCents: row.ledger_balance_in_cents ?? 0,
    floorInCents: row.floor_in_cents,
    goalInCents: row.savings_target_in_cents,
    waitingOut: waiting,
  };
}

/** An account outside that is gone is shown no more: its money is at its own bank. */
function toClosed(row: Row): ClosedAccountView[] {
  if (row.deleted_at === null || row.ledger_balance_in_cents === null) return [];
  return [
    {
      id: row.id,
      href: accountHref(row.id),
      name: row.name,
      balanceInCents: row.ledger_balance_in_cents,
      closedAt: row.deleted_at.toISOString(),
    },
  ];
}

function toOutside(row: Row): OutsideAccountView {
  return {
    id: row.id,
    href: accountHref(row.id),
    name: row.name,
    institutionName: row.institution_name,
    numberEnding: row.account_number_last4,
    balanceInCents: row.balance_in_cents,
    balanceAt: row.refreshed_at?.toISOString() ?? null,
    connectionHref: row.connection_id === null ? null : connectionHref(row.connection_id),
  };
}

function toOwed(row: Row): OwedAccountView {
  return {
    ...toOutside(row),
    paidFromName: row.paid_from_name,
    statementInCents: row.last_statement_balance_in_cents,
    minimumInCents: row.next_payment_minimum_in_cents,
    dueOn: row.next_payment_due_date,
  };
}
