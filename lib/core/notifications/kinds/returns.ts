import { writeCents } from "@/lib/contract/format-cents";
import { accountHref, pausedHref, runHref } from "@/lib/contract/hrefs";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import {
  type HandlersOf,
  type NoticeContext,
  type NoticeHandler,
  settingOf,
  subjectsOf,
} from "@/lib/core/notifications/notice-kind";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import {
  type AnsweredTransfer,
  bankReason,
  type CorrectedAccount,
  correctionInWords,
  renderAccountCorrected,
  renderTransferRefused,
  renderTransferReturned,
  transferInWords,
} from "@/lib/words/messages/bank-messages";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/notice";

interface TransferRow {
  id: string;
  amountInCents: number;
  direction: "MONEY_IN" | "MONEY_OUT" | "INTERNAL";
  errorCode: string | null;
  sourceName: string | null;
  destinationName: string | null;
  /** The managed account of the two. */
  accountId: string | null;
  balanceInCents: number | null;
  ruleId: string | null;
  ruleName: string | null;
  ruleExecutionId: string | null;
  isProposal: boolean;
  paused: { id: string; name: string }[] | null;
}

const OUTSIDE = "an account outside Sluice";

/** Transfers that a bank returned after settlement, in a digest per organization. */
const returned: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readTransfers(context.client, [notice]);
    if (!row) return null;
    const isTaken = row.direction === "MONEY_IN";
    const transfer = {
      ...toAnswered(row, context),
      account: {
        name: (isTaken ? row.destinationName : row.sourceName) ?? OUTSIDE,
        effect: isTaken ? ("TAKEN" as const) : ("GIVEN_BACK" as const),
        balanceInCents: row.balanceInCents,
      },
      pausedRuleNames: (row.paused ?? []).map(({ name }) => name),
    };
    return outgoing("TRANSFER_RETURNED", renderTransferReturned(transfer, settingOf(context, notice)));
  },
  digest: (context, notices) =>
    composeDigest(context, notices, "TRANSFER_RETURNED", {
      subject: (count) => `${count} more transfers were returned by the bank`,
      booked: "The bookings were reversed.",
    }),
};

/** Transfers that a bank refused or returned before settlement, in a digest per organization. */
const refused: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readTransfers(context.client, [notice]);
    if (!row) return null;
    const transfer = {
      ...toAnswered(row, context),
      heldOnName: row.direction === "MONEY_OUT" ? row.sourceName : null,
    };
    return outgoing("TRANSFER_REFUSED", renderTransferRefused(transfer, settingOf(context, notice)));
  },
  digest: (context, notices) =>
    composeDigest(context, notices, "TRANSFER_REFUSED", {
      subject: (count) => `${count} more transfers were refused by the bank`,
      booked: "Nothing moved.",
    }),
};

/** Outside accounts whose numbers a bank corrected; `subject_id` is the transfer that it was learned from. */
const corrected: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readCorrections(context, [notice]);
    if (!row) return null;
    return outgoing("ACCOUNT_CORRECTED", renderAccountCorrected(row, settingOf(context, notice)));
  },
  digest: async (context, notices) => {
    const [first] = notices;
    const rows = await readCorrections(context, notices);
    if (!first || rows.length === 0) return null;
    const subject = `${rows.length} more outside accounts were corrected by their banks`;
    const digest = {
      count: rows.length,
      headline: subject,
      sentence: "Later transfers use the corrected numbers.",
      lines: rows.slice(0, MAX_LISTED_LINES).map(correctionInWords),
      action: { label: "See the accounts", url: `${context.appUrl}/accounts` },
      why: "CHOSEN" as const,
      sms: `${subject}.`,
    };
    return outgoing("ACCOUNT_CORRECTED", renderDigest(digest, settingOf(context, first)));
  },
};

async function readCorrections(
  context: NoticeContext,
  notices: readonly DueNotice[],
): Promise<CorrectedAccount[]> {
  const { organizationId, ids } = subjectsOf(notices);
  const { rows } = await context.client.query<Omit<CorrectedAccount, "url"> & { id: string }>({
    name: "read_account_corrections",
    text: `select distinct on (c.transfer_id) a.id, a.name, c.code,
              c.previous_account_number_last4 as "previousNumberLast4", c.account_number_last4 as "numberLast4"
             from account_corrections c
             join accounts a on a.organization_id = c.organization_id and a.id = c.account_id
            where c.organization_id = $1 and c.transfer_id = any ($2)
            order by c.transfer_id, c.occurred_at desc`,
    values: [organizationId, ids],
  });
  return rows.map(({ id, ...row }) => ({ ...row, url: `${context.appUrl}${accountHref(id)}` }));
}

async function composeDigest(
  context: NoticeContext,
  notices: readonly DueNotice[],
  kind: "TRANSFER_RETURNED" | "TRANSFER_REFUSED",
  words: { subject: (count: number) => string; booked: string },
): Promise<OutgoingNotice | null> {
  const [first] = notices;
  const rows = await readTransfers(context.client, notices);
  if (!first || rows.length === 0) return null;
  const total = writeCents(rows.reduce((sum, { amountInCents }) => sum + amountInCents, 0));
  const pausedCount = new Set(rows.flatMap(({ paused }) => (paused ?? []).map(({ id }) => id))).size;
  const paused = pausedCount === 0 ? "" : ` ${rulesArePaused(pausedCount)}`;
  const { appUrl } = context;
  const digest = {
    count: rows.length,
    headline: words.subject(rows.length),
    sentence: `${total} in all. ${words.booked}${paused}`,
    lines: rows.slice(0, MAX_LISTED_LINES).map(lineOf),
    action:
      pausedCount === 0
        ? { label: "See the accounts", url: `${appUrl}/accounts` }
        : { label: "See the rules", url: `${appUrl}/rules` },
    why: "CHOSEN" as const,
    sms: `${words.subject(rows.length)}, ${total} in all.`,
  };
  return outgoing(kind, renderDigest(digest, settingOf(context, first)));
}

function rulesArePaused(count: number): string {
  return `${count} ${count === 1 ? "rule that had moved this money on is" : "rules that had moved this money on are"} paused.`;
}

function outgoing(
  kind: OutgoingNotice["kind"],
  rendered: Pick<OutgoingNotice, "email" | "sms">,
): OutgoingNotice {
  return { kind, proposalIds: [], exceptUserId: null, ...rendered };
}

function lineOf(row: TransferRow): string {
  const reason = bankReason(row.errorCode);
  const words = transferInWords({
    amountInCents: row.amountInCents,
    sourceName: row.sourceName ?? OUTSIDE,
    destinationName: row.destinationName ?? OUTSIDE,
  });
  return reason === null ? words : `${words}: ${reason}`;
}

function toAnswered(row: TransferRow, context: NoticeContext): AnsweredTransfer {
  return {
    amountInCents: row.amountInCents,
    sourceName: row.sourceName ?? OUTSIDE,
    destinationName: row.destinationName ?? OUTSIDE,
    errorCode: row.errorCode,
    ruleName: row.ruleName,
    link: linkOf(row, context.appUrl),
  };
}

/** The page with something left to do, else the run that it was part of, else the account that it changed. */
function linkOf(row: TransferRow, appUrl: string): AnsweredTransfer["link"] {
  const [paused] = row.paused ?? [];
  if (paused) return { label: "See what it paused", url: `${appUrl}${pausedHref(paused.id)}` };
  if (row.ruleId !== null && row.ruleExecutionId !== null) {
    return { label: "See the run", url: `${appUrl}${runHref(row.ruleId, row.ruleExecutionId)}` };
  }
  if (row.isProposal) return { label: "See the transfer", url: approvalUrl(appUrl, row.id) };
  if (row.accountId !== null) {
    return { label: "See the account", url: `${appUrl}${accountHref(row.accountId)}` };
  }
  return { label: "See the accounts", url: `${appUrl}/accounts` };
}

async function readTransfers(client: Queryable, notices: readonly DueNotice[]): Promise<TransferRow[]> {
  const { organizationId, ids } = subjectsOf(notices);
  const { rows } = await client.query<TransferRow>({
    name: "read_answered_transfers",
    text: `
      select t.id, t.amount_in_cents as "amountInCents", t.direction, t.error_code as "errorCode",
          coalesce(s.name, t.counterparty_name) as "sourceName",
          coalesce(d.name, t.counterparty_name) as "destinationName", l.id as "accountId",
          l.credits_in_cents - l.debits_in_cents as "balanceInCents", t.rule_id as "ruleId", r.name as "ruleName",
          t.rule_execution_id as "ruleExecutionId", p.id is not null as "isProposal", stopped.rules as paused
        from transfers t
        left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
        left join ledgers l on l.organization_id = t.organization_id
         and l.id = case when t.direction = 'MONEY_IN' then t.destination_account_id else t.source_account_id end
        left join rules r on r.organization_id = t.organization_id and r.id = t.rule_id
        left join proposals p on p.organization_id = t.organization_id and p.id = t.id
        cross join lateral (
          select json_agg(json_build_object('id', q.id, 'name', q.name) order by q.name, q.id) as rules
            from rules q where q.organization_id = t.organization_id and q.paused_by_transfer_id = t.id) stopped
       where t.organization_id = $1 and t.id = any ($2)
       order by t.amount_in_cents desc, t.id`,
    values: [organizationId, ids],
  });
  return rows;
}

export const returnNotices: HandlersOf<"RETURNS"> = {
  TRANSFER_RETURNED: returned,
  TRANSFER_REFUSED: refused,
  ACCOUNT_CORRECTED: corrected,
};
