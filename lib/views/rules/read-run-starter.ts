import type { z } from "zod";
import { runHref } from "@/lib/contract/hrefs";
import type { triggerDetailsSchema } from "@/lib/contract/rules/execution";
import { assistantsHref } from "@/lib/core/keys/assistant-facts";
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
  causeKind: "TRANSFER" | "CARD_TRANSACTION" | "EXTERNAL_TRANSACTION" | "SCHEDULE" | null;
  causeId: string | null;
  startedByKind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "ARRIVAL" | "SCHEDULE" | null;
  startedById: string | null;
  startedByName: string | null;
  triggerDetails: z.infer<typeof triggerDetailsSchema>;
}

/** Looks up a run's trigger: the deposit, the card payout, the scheduled time, or the requester. */
export async function readRunStarter(
  database: Queryable,
  organizationId: string,
  cause: RunCause,
): Promise<RunStarterView> {
  if (cause.causeKind !== null && cause.causeId !== null) {
    switch (cause.causeKind) {
      case "TRANSFER":
        return readTransfer(database, organizationId, cause.causeId);
      case "CARD_TRANSACTION":
        return readCardTransaction(database, organizationId, cause.causeId);
      case "EXTERNAL_TRANSACTION":
        return readExternalTransaction(database, organizationId, cause.causeId);
      case "SCHEDULE":
        return { kind: "SCHEDULE", scheduledFor: scheduledTime(cause) };
    }
  }
  switch (cause.startedByKind) {
    case "API_KEY":
      return {
        kind: "API_KEY",
        name: cause.startedByName,
        href: cause.startedById === null ? null : `/settings/api-keys/${cause.startedById}`,
      };
    case "ASSISTANT":
      return readAssistant(database, organizationId, cause);
    case "MEMBER":
      return { kind: "MEMBER", name: cause.startedByName };
    case "HOOK":
      return { kind: "HOOK", name: cause.startedByName };
    case "SCHEDULE":
      return { kind: "SCHEDULE", scheduledFor: scheduledTime(cause) };
    default:
      return { kind: "UNKNOWN" };
  }
}

function scheduledTime({ triggerDetails: details }: RunCause): string | null {
  return details.type === "SCHEDULED" ? details.scheduledTime : null;
}

async function readAssistant(
  database: Queryable,
  organizationId: string,
  { startedById: id, startedByName: name }: RunCause,
): Promise<RunStarterView> {
  const { rows } = await database.query<{ memberName: string }>({
    name: "read_run_cause_assistant",
    text: `
      select u.name as "memberName" from api_keys k join users u on u.id = k.created_by
       where k.organization_id = $1 and k.id = $2`,
    values: [organizationId, id],
  });
  return { kind: "ASSISTANT", name, memberName: rows[0]?.memberName ?? null, href: assistantsHref() };
}

interface TransferRow {
  fromName: string | null;
  amountInCents: number;
  isDeposit: boolean;
  createdAt: Date;
  completedAt: Date | null;
  status: string;
  ruleExecutionId: string | null;
  ruleId: string | null;
  ruleName: string | null;
}

async function readTransfer(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<RunStarterView> {
  const { rows } = await database.query<TransferRow>({
    name: "read_run_cause_transfer",
    text: `
      select coalesce(s.name, t.counterparty_name) as "fromName", t.amount_in_cents as "amountInCents",
          t.created_at as "createdAt", t.completed_at as "completedAt", t.status,
          t.origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT') as "isDeposit", t.rule_execution_id as "ruleExecutionId",
          e.rule_id as "ruleId",
          r.name as "ruleName"
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
    fromName: row.fromName,
    amountInCents: row.amountInCents,
    isDeposit: row.isDeposit,
    sentAt: row.createdAt.toISOString(),
    settledAt: row.completedAt?.toISOString() ?? null,
    setOffBy:
      row.ruleExecutionId !== null && row.ruleId !== null && row.ruleName !== null
        ? { ruleName: row.ruleName, href: runHref(row.ruleId, row.ruleExecutionId) }
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
    cardName: string | null;
    amountInCents: number;
    completedAt: Date;
  }>({
    name: "read_run_cause_card",
    text: `
      select t.description, c.name as "cardName", t.amount_in_cents as "amountInCents", t.completed_at as "completedAt"
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
    cardName: row.cardName,
    amountInCents: row.amountInCents,
    at: row.completedAt.toISOString(),
  };
}

async function readExternalTransaction(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<RunStarterView> {
  const { rows } = await database.query<{
    description: string;
    amountInCents: number;
    transactionDate: Date;
  }>({
    name: "read_run_cause_external",
    text: `
      select coalesce(merchant_name, description) as description, amount_in_cents as "amountInCents",
          transaction_date as "transactionDate"
        from external_transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  });
  const row = rows[0];
  if (!row) return { kind: "UNKNOWN" };
  return {
    kind: "EXTERNAL_TRANSACTION",
    description: row.description,
    amountInCents: row.amountInCents,
    at: row.transactionDate.toISOString(),
  };
}
