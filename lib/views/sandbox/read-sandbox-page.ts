import {
  bankHolidayOn,
  bankingDateOf,
  bankingInstant,
  bankingTimeOf,
  isBankingDay,
  nextBankingDay,
} from "@/lib/contract/banking-days";
import { formatCents } from "@/lib/contract/format-cents";
import type { SandboxChoice } from "@/lib/contract/sandbox";
import { listConnections } from "@/lib/core/connections/list-connections";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { LONGEST_JUMP_MS } from "@/lib/core/sandbox/move-clock";
import { listPendingOutside } from "@/lib/core/sandbox/play-outside";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import type { Reading, TimedReading } from "@/lib/views/reading";
import { readActions } from "@/lib/views/sandbox/read-actions";
import { readReceiver } from "@/lib/views/sandbox/read-receiver";

/** Targets for moving the clock in one step. */
export interface SandboxJump {
  toAt: string;
  kind: "THIS_AFTERNOON" | "NEXT_BANKING_DAY" | "NEXT_WEEK";
}

const DAYS_SHOWN = 8;

const DAY_MS = 86_400_000;

/** When banks have posted what settles in the morning. */
const AFTER_POSTING = "09:00";

const AFTERNOON = "13:00";

/** Older transfers cannot be returned: banks return within sixty days. */
const LATEST_TRANSFERS = 2_000;
const MAXIMUM_CHOICES = 30;
const MAXIMUM_PAYERS = 12;

interface MovingRow {
  id: string;
  /** Sent by Sluice, not by someone else. */
  isOrder: boolean;
  amountInCents: number;
  partyName: string;
  isSettled: boolean;
  expectedCompletionDate: string | null;
}

/** What the sandbox page shows: business time, available actions, and their effects. */
export async function readSandboxPage(
  { services, context, time }: TimedReading<keyof Services>,
  sandbox: SandboxWorld,
) {
  const { organizationId, now } = context;
  const [receivers, payers, cards, merchants, connections, moving, silentUntil, receiver, actions] =
    await Promise.all([
      readReceivers(services, context),
      readPayerNames({ services, context }),
      readCards(services, context),
      readMerchants(services, context),
      listConnections(services, context),
      readMoving({ services, context }),
      sandbox.bank.silentUntil({ organizationId, businessNow: now }),
      readReceiver({ services, context }, sandbox),
      readActions({ services, context }),
    ]);
  const canDrive = mayDecide(context.actor);
  const expected = moving.flatMap((row) =>
    row.isSettled || row.expectedCompletionDate === null
      ? []
      : { date: row.expectedCompletionDate, label: `${row.partyName} settles` },
  );
  return {
    canDrive,
    time,
    /** Real time; business time is `time.nowAt`. */
    realAt: services.clock.now().toISOString(),
    days: planDays(now, expected),
    /** How far through the first day business time is, 0 to 1. */
    dayFraction: dayFraction(now),
    jumps: planJumps(now),
    /** The latest moment to which the clock may be moved now. */
    latestAt: new Date(now.getTime() + LONGEST_JUMP_MS).toISOString(),
    receivers,
    payerNames: payers,
    /** Open cards; without any, nothing can be bought. */
    cards,
    /** Where cards have paid lately. */
    merchants,
    /** Open accounts at institutions outside. */
    outsideAccounts: connections
      .flatMap(({ accounts }) => accounts)
      .map(({ id, name }) => ({ id, label: name })),
    connections: connections.map(({ id, institutionName }) => ({ id, label: institutionName })),
    /** What is pending on accounts outside. */
    pending: canDrive ? await listPendingOutside(services, sandbox, context) : [],
    /** Settled transfers that could still be returned. */
    returnable: moving.filter((row) => row.isSettled).map(toChoice),
    /** Transfers in progress that could still be refused. */
    refusable: moving.filter((row) => !row.isSettled).map(toChoice),
    /** When the bank answers again; null while it does. */
    silentUntil: silentUntil?.toISOString() ?? null,
    /** Null if webhooks may not go to this machine. */
    receiver,
    /** Newest first. */
    actions,
  };
}

export type SandboxView = Awaited<ReturnType<typeof readSandboxPage>>;

export function toChoice(row: MovingRow): SandboxChoice {
  return { id: row.id, label: `${row.partyName}, ${formatCents(row.amountInCents)}` };
}

async function readReceivers(services: Pick<Services, "pool">, context: Context): Promise<SandboxChoice[]> {
  const { rows } = await services.pool.query<SandboxChoice>({
    name: "read_receivers",
    text: `
      select id, name as label from accounts
       where organization_id = $1 and type <> 'EXTERNAL_ACCOUNT' and deleted_at is null
       order by type, id limit 200`,
    values: [context.organizationId],
  });
  return rows;
}

/** Recent payers, as suggestions for a deposit. */
export async function readPayerNames({ services, context }: Reading): Promise<string[]> {
  const { rows } = await services.pool.query<{ name: string }>({
    name: "read_payer_names",
    text: `
      select counterparty_name as name from (
        select counterparty_name, id from transfers where organization_id = $1
         order by id desc limit ${LATEST_TRANSFERS}) latest
       where counterparty_name is not null
       group by counterparty_name order by max(id::text) desc limit ${MAXIMUM_PAYERS}`,
    values: [context.organizationId],
  });
  return rows.map((row) => row.name);
}

async function readCards(services: Pick<Services, "pool">, context: Context): Promise<SandboxChoice[]> {
  const { rows } = await services.pool.query<SandboxChoice>({
    name: "read_sandbox_cards",
    text: `select id, name || ' ••' || number_last4 as label from cards where organization_id = $1 and status <> 'CLOSED'
            order by id limit 200`,
    values: [context.organizationId],
  });
  return rows;
}

async function readMerchants(services: Pick<Services, "pool">, context: Context): Promise<string[]> {
  const { rows } = await services.pool.query<{ description: string }>({
    name: "read_merchants",
    text: `
      select description from (
        select description, id from card_transactions where organization_id = $1
         order by created_at desc, id desc limit ${LATEST_TRANSFERS}) latest
       where description <> ''
       group by description order by max(id::text) desc limit ${MAXIMUM_PAYERS}`,
    values: [context.organizationId],
  });
  return rows.map((row) => row.description);
}

/** Transfers across the organization's border that are with the bank or settled, newest first. */
export async function readMoving({ services, context }: Reading): Promise<MovingRow[]> {
  const { rows } = await services.pool.query<MovingRow>({
    name: "read_moving",
    text: `
      with moving as (
        select t.*, row_number() over (partition by t.status order by t.id desc) as place from (
          select * from transfers where organization_id = $1 order by id desc limit ${LATEST_TRANSFERS}) t
         where t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
           and (t.status = 'COMPLETE' or t.next_step in ('ASK', 'AWAIT')))
      select t.id, t.amount_in_cents as "amountInCents", t.status = 'COMPLETE' as "isSettled",
          t.source_account_id is not null as "isOrder",
          t.expected_completion_date::text as "expectedCompletionDate",
          coalesce(t.counterparty_name, case when t.direction = 'MONEY_OUT' then d.name else s.name end)
            as "partyName"
        from moving t
        left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
       where t.place <= ${MAXIMUM_CHOICES}
       order by t.id desc`,
    values: [context.organizationId],
  });
  return rows;
}

/** The days from business time on, with the events expected on each (`YYYY-MM-DD` in New York). */
function planDays(now: Date, events: readonly { date: string; label: string }[]) {
  const first = bankingInstant(bankingDateOf(now), "12:00");
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = bankingDateOf(new Date(first.getTime() + index * DAY_MS));
    return {
      date,
      isBankingDay: isBankingDay(date),
      /** The name of the holiday that closes it. */
      holiday: bankHolidayOn(date),
      /** Events expected on that day. */
      events: events.filter((event) => event.date === date).map((event) => event.label),
    };
  });
}

/** One day of business time: `date` in New York. */
export type SandboxDayView = ReturnType<typeof planDays>[number];

/** The fraction of its New York day at a moment, 0 to 1. */
function dayFraction(now: Date): number {
  const [hours = "0", minutes = "0"] = bankingTimeOf(now).split(":");
  return (Number(hours) * 60 + Number(minutes)) / (24 * 60);
}

/** Possible destinations of one clock move. */
function planJumps(now: Date): SandboxJump[] {
  const today = bankingDateOf(now);
  const afternoon: SandboxJump[] =
    bankingTimeOf(now) < AFTERNOON
      ? [{ kind: "THIS_AFTERNOON" as const, toAt: bankingInstant(today, AFTERNOON).toISOString() }]
      : [];
  return [
    ...afternoon,
    {
      kind: "NEXT_BANKING_DAY" as const,
      toAt: bankingInstant(nextBankingDay(today), AFTER_POSTING).toISOString(),
    },
    { kind: "NEXT_WEEK" as const, toAt: new Date(now.getTime() + 7 * DAY_MS).toISOString() },
  ];
}
