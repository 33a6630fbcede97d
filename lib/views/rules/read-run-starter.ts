import type { z } from "zod";
import { runHref } from "@/lib/contract/hrefs";
import type { triggerDetailsSchema } from "@/lib/contract/rules/execution";
import { assistantsHref } from "@/lib/core/keys/list-assistants";
import type { Queryable } from "@/lib/db/transaction";

/** A related run. */
export interface RunReference {
  ruleName: string;
  /** Null: the rule no longer exists. */
  href: string | null;
}

/** What started a run, as its page says it. */
export type RunStarterView =
  /** Money that settled on the trigger's account. `setOffBy`: the run of a rule that had moved it. */
  | {
      kind: "TRANSFER";
      /** The payer, or the account it came from. */
      fromName: string | null;
      amountInCents: number;
      isDeposit: boolean;
      sentAt: string;
      settledAt: string | null;
      setOffBy: RunReference | null;
      wasReturned: boolean;
    }
  | {
      kind: "CARD_TRANSACTION";
      description: string;
      cardName: string | null;
      amountInCents: number;
      at: string;
    }
  | { kind: "EXTERNAL_TRANSACTION"; description: string; amountInCents: number; at: string }
  | { kind: "SCHEDULE"; scheduledFor: string | null }
  | { kind: "API_KEY"; name: string | null; href: string | null }
  | { kind: "ASSISTANT"; name: string | null; memberName: string | null; href: string }
  | { kind: "MEMBER"; name: string | null }
  | { kind: "HOOK"; name: string | null }
  /** What started it is unknown, or was never stored. */
  | { kind: "UNKNOWN" };

/** The columns of `rule_executions` that record a run's trigger. */
export interface RunCause {
  cause_kind: "TRANSFER" | "CARD_TRANSACTION" | "EXTERNAL_TRANSACTION" | "SCHEDULE" | null;
  cause_id: string | null;
  started_by_kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "ARRIVAL" | "SCHEDULE" | null;
  started_by_id: string | null;
  started_by_name: string | null;
  trigger_details: z.infer<typeof triggerDetailsSchema>;
}

/** Looks up a run's trigger: the deposit, the card payout, the scheduled time, or the requester. */
export async function readRunStarter(
  database: Queryable,
  organizationId: string,
  cause: RunCause,
): Promise<RunStarterView> {
  if (cause.cause_kind !== null && cause.cause_id !== null) {
    switch (cause.cause_kind) {
      case "TRANSFER":
        return readTransfer(database, organizationId, cause.cause_id);
      case "CARD_TRANSACTION":
        return readCardTransaction(database, organizationId, cause.cause_id);
      case "EXTERNAL_TRANSACTION":
        return readExternalTransaction(database, organizationId, cause.cause_id);
      case "SCHEDULE":
        return { kind: "SCHEDULE", scheduledFor: scheduledTime(cause) };
    }
  }
  switch (cause.started_by_kind) {
    case "API_KEY":
      return {
        kind: "API_KEY",
        name: cause.started_by_name,
        href: cause.started_by_id === null ? null : `/settings/api-keys/${cause.started_by_id}`,
      };
    case "ASSISTANT":
      return readAssistant(database, organizationId, cause);
    case "MEMBER":
      return { kind: "MEMBER", name: cause.started_by_name };
    case "HOOK":
      return { kind: "HOOK", name: cause.started_by_name };
    case "SCHEDULE":
      return { kind: "SCHEDULE", scheduledFor: scheduledTime(cause) };
    default:
      return { kind: "UNKNOWN" };
  }
}

function scheduledTime({ trigger_details: details }: RunCause): string | null {
  return details.type === "SCHEDULED" ? details.scheduledTime : null;
}

async function readAssistant(
  database: Queryable,
  organizationId: string,
  { started_by_id: id, started_by_name: name }: RunCause,
): Promise<RunStarterView> {
  const { rows } = await database.query<{ member_name: string }>({
    name: "read_run_cause_assistant",
    text: `
      select u.name as member_name from api_keys k join users u on u.id = k.created_by
       where k.organization_id = $1 and k.id = $2`,
    values: [organizationId, id],
  });
  return { kind: "ASSISTANT", name, memberName: rows[0]?.member_name ?? null, href: assistantsHref() };
}

interface TransferRow {
  from_name: string | null;
  amount_in_cents: number;
  is_deposit: boolean;
  created_at: Date;
  completed_at: Date | null;
  status: string;
  rule_execution_id: string | null;
  rule_id: string | null;
  rule_name: string | null;
}

async function readTransfer(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<RunStarterView> {
  const { rows } = await database.query<TransferRow>({
    name: "read_run_cause_transfer",
    text: `
      select coalesce(s.name, t.counterparty_name) as from_name, t.amount_in_cents, t.created_at, t.completed_at, t.status,
          t.origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT') as is_deposit, t.rule_execution_id, e.rule_id,
          r.name as rule_name
        from transfers t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join rule_executions e on e.organization_id = $1 and e.id = t.rule_execution_id
        left join rules r on r.organization_id = $1 and r.id = e.rule_id
       where t.organization_id = $1 and t.id = $2`,
    values: [organizationId, id],
  });
  const row = rows[0];
  if (!row) return { kind: "UNKNOWN" };
  return {
    kind: "TRANSFER",
    fromName: row.from_name,
    amountInCents: row.amount_in_cents,
    isDeposit: row.is_deposit,
    sentAt: row.created_at.toISOString(),
    settledAt: row.completed_at?.toISOString() ?? null,
    setOffBy:
      row.rule_execution_id !== null && row.rule_id !== null && row.rule_name !== null
        ? { ruleName: row.rule_name, href: runHref(row.rule_id, row.rule_execution_id) }
        : null,
    wasReturned: row.status === "RETURNED",
  };
}

async function readCardTransaction(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<RunStarterView> {
  const { rows } = await database.query<{
    description: string;
    card_name: string | null;
    amount_in_cents: number;
    completed_at: Date;
  }>({
    name: "read_run_cause_card",
    text: `
      select t.description, c.name as card_name, t.amount_in_cents, t.completed_at
        from card_transactions t
        left join cards c on c.organization_id = $1 and c.id = t.card_id
       where t.organization_id = $1 and t.id = $2`,
    values: [organizationId, id],
  });
  const row = rows[0];
  if (!row) return { kind: "UNKNOWN" };
  return {
    kind: "CARD_TRANSACTION",
    description: row.description,
    cardName: row.card_name,
    amountInCents: row.amount_in_cents,
    at: row.completed_at.toISOString(),
  };
}

async function readExternalTransaction(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<RunStarterView> {
  const { rows } = await database.query<{
    description: string;
    amount_in_cents: number;
    transaction_date: Date;
  }>({
    name: "read_run_cause_external",
    text: `
      select coalesce(merchant_name, description) as description, amount_in_cents, transaction_date
        from external_transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  });
  const row = rows[0];
  if (!row) return { kind: "UNKNOWN" };
  return {
    kind: "EXTERNAL_TRANSACTION",
    description: row.description,
    amountInCents: row.amount_in_cents,
    at: row.transaction_date.toISOString(),
  };
}
