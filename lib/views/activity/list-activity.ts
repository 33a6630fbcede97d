import type { Activity, NamedActivityKind, RuleActivityKind } from "@/lib/contract/approvals/activity";
import {
  connectionHref,
  differenceHref,
  fraudReviewHref,
  payeeHref,
  ruleHref,
  runHref,
} from "@/lib/contract/hrefs";
import type { OrganizationChangeKind } from "@/lib/contract/organization";
import {
  type ActivityGroup,
  type ActivityPlace,
  type ActivitySearch,
  activityExportHref,
  activityHref,
  cardsHref,
} from "@/lib/contract/search/list-search";
import { movementHref } from "@/lib/contract/search/movement-search";
import { downloadHref } from "@/lib/contract/shown";
import { type ProposalSubject, readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { assistantsHref } from "@/lib/core/keys/assistant-facts";
import { keyHref } from "@/lib/core/keys/key-facts";
import type { Context } from "@/lib/core/shared/context";
import { mayExport } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import {
  type ActivityRow,
  type ActivityScan,
  cursorOf,
  GROUP_OF_CHANGE,
  scanActivity,
} from "@/lib/views/activity/activity-scan";
import type { MovementOption } from "@/lib/views/movements/movement-query";
import type { TimedReading } from "@/lib/views/reading";
import { FORMER_MEMBER } from "@/lib/words/names";

const ROWS_PER_PAGE = 25;
const MAXIMUM_PEOPLE = 200;

/**
 * What people did, newest first: decisions, rules, keys, webhooks, accounts, cards, members, gates and settings. For any
 * member. What programs requested is in the audit log instead.
 */
export async function listActivity(
  { services, context, time }: TimedReading,
  search: ActivitySearch,
  place: ActivityPlace,
) {
  const { pool } = services;
  const scan = { organizationId: context.organizationId, search, timeZone: time.timeZone };
  const [page, people] = await Promise.all([
    readPage(pool, scan, place),
    readPeople(pool, context.organizationId),
  ]);
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  return {
    search,
    rows: await describeActivity(pool, context, page.rows),
    newerHref: first && page.hasNewer ? activityHref(search, { after: cursorOf(first) }) : null,
    olderHref: last && page.hasOlder ? activityHref(search, { before: cursorOf(last) }) : null,
    /** Members, and former ones who did something. */
    people,
    /** Null: the reader may not export. */
    exportHref: mayExport(context.actor) ? downloadHref(activityExportHref(search), context) : null,
    time,
  };
}

/** Who did what: one page of it, newest first. */
export type ActivityView = Awaited<ReturnType<typeof listActivity>>;

interface FoundPage {
  rows: ActivityRow[];
  hasNewer: boolean;
  hasOlder: boolean;
}

async function readPage(
  database: Queryable,
  scan: ActivityScan,
  { before, after }: ActivityPlace,
): Promise<FoundPage> {
  if (after !== null) {
    const rows = await scanActivity(database, scan, { side: "NEWER", cursor: after }, ROWS_PER_PAGE + 1);
    // Less than a full page: start from the newest row instead.
    if (rows.length > ROWS_PER_PAGE) {
      return { rows: rows.slice(0, ROWS_PER_PAGE).reverse(), hasNewer: true, hasOlder: true };
    }
  }
  const beyond = after === null && before !== null ? { side: "OLDER" as const, cursor: before } : null;
  const rows = await scanActivity(database, scan, beyond, ROWS_PER_PAGE + 1);
  return {
    rows: rows.slice(0, ROWS_PER_PAGE),
    hasNewer: beyond !== null,
    hasOlder: rows.length > ROWS_PER_PAGE,
  };
}

/** Rows of the scan with everything that their sentences need, in the same order. */
export async function describeActivity(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  rows: readonly ActivityRow[],
) {
  const proposed = rows.filter(({ source }) => source === "PROPOSAL" || source === "CANCELING");
  const subjects = await readProposalSubjects(
    database,
    context,
    proposed.map(({ id }) => id),
  );
  return rows.map((row) => ({
    /** Unique among all rows. */
    key: `${row.source} ${row.id}`,
    at: new Date(row.atMicros / 1_000).toISOString(),
    byName: row.byName ?? FORMER_MEMBER,
    ...describeRow(row, subjects),
  }));
}

export type ActivityRowView = Awaited<ReturnType<typeof describeActivity>>[number];

function describeRow(
  row: ActivityRow,
  subjects: ReadonlyMap<string, ProposalSubject>,
): { group: ActivityGroup; activity: Activity; href: string | null } {
  const { subject, before, after, target } = row;
  switch (row.source) {
    case "PROPOSAL":
    case "CANCELING": {
      const proposal = subjects.get(row.id)?.view;
      if (!proposal) throw new Error(`Proposal ${row.id} has no subject`);
      const isTransfer = row.source === "CANCELING";
      return {
        group: "approvals",
        activity: isTransfer
          ? { kind: "TRANSFER_CANCELLED", proposal }
          : { kind: row.kind as "PROPOSAL_APPROVED", proposal, note: after },
        /** Where to see its subject; null: it has no page. */
        href: isTransfer ? movementHref("TRANSFERS", row.id) : proposalHref(row.id),
      };
    }
    case "RULE":
    case "VERSION":
    case "RUN": {
      const version = after === null ? null : Number(after);
      const page = row.source === "RUN" ? runHref : (id: string) => ruleHref(id, version);
      return {
        group: "rules",
        activity: { kind: row.kind as RuleActivityKind, ruleName: subject ?? "", version },
        href: target === null ? null : page(target, row.id),
      };
    }
    case "KEY":
    case "REVOCATION":
      return {
        group: "keys",
        activity: { kind: row.kind as NamedActivityKind, name: subject ?? "" },
        href: target === null ? assistantsHref() : keyHref(target),
      };
    case "PAYEE":
      return {
        group: "payees",
        activity: { kind: row.kind as NamedActivityKind, name: subject ?? "" },
        href: target === null ? null : payeeHref(target),
      };
    case "DIFFERENCE":
      return {
        group: "accounts",
        activity: { kind: row.kind as NamedActivityKind, name: subject ?? "" },
        href: target === null ? null : differenceHref(target),
      };
    case "REVIEW":
      return {
        group: "organization",
        activity: { kind: row.kind as NamedActivityKind, name: (subject ?? "").slice(0, 12) },
        href: target === null ? null : fraudReviewHref(target),
      };
    case "CARD":
      return {
        group: "cards",
        activity: { kind: "CARD_ISSUED", name: subject ?? "" },
        href: cardsHref(1),
      };
    case "BANK":
      return {
        group: "accounts",
        activity: { kind: "BANK_CONNECTED", name: subject ?? "" },
        href: target === null ? null : connectionHref(target),
      };
    case "CLOSING":
    case "OPENING":
      return { group: "gates", activity: { kind: row.kind as "GATES_CLOSED" }, href: "/gates" };
    default: {
      const kind = row.kind as OrganizationChangeKind;
      return { group: GROUP_OF_CHANGE[kind], activity: { kind, subject, before, after }, href: null };
    }
  }
}

/** Members, and former ones whose changes, or latest decisions and acts on rules, are in the log. */
async function readPeople(database: Queryable, organizationId: string) {
  const { rows } = await database.query<MovementOption>({
    name: "activity_people",
    text: `
      select u.id, u.name from users u
       where u.id in (
         select user_id from memberships where organization_id = $1
         union select changed_by from organization_changes where organization_id = $1
         union select by_id from payee_events where organization_id = $1 and by_kind <> 'API_KEY'
         union select by_id from bank_difference_events where organization_id = $1
         union select signed_by from fraud_reviews where organization_id = $1
         union select by_user_id from (
           select by_user_id from rule_events where organization_id = $1 order by id desc limit 1000) lately
         union select created_by from api_keys where organization_id = $1
         union select decided_by from (
           select decided_by from proposals
            where organization_id = $1 and state <> 'WAITING' order by decided_at desc limit 1000) lately)
       order by lower(u.name), u.id limit ${MAXIMUM_PEOPLE}`,
    values: [organizationId],
  });
  return rows;
}
