import { AppError } from "@/lib/contract/error";
import type { AlertKind } from "@/lib/contract/fraud-monitoring";
import { fraudMonitoringExportHref, fraudReviewHref, RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import {
  activityHref,
  approvalsHref,
  EVERY_ACTIVITY,
  EVERY_APPROVAL,
} from "@/lib/contract/search/list-search";
import { EVERY_MOVEMENT, movementsHref } from "@/lib/contract/search/movement-search";
import { downloadHref } from "@/lib/contract/shown";
import { readAlerts, readProcess, readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import { keysHref } from "@/lib/core/keys/key-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ExportedFile } from "@/lib/core/shared/csv";
import { mayExport } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { TimedReading } from "@/lib/views/reading";
import { requireExport } from "@/lib/views/require-export";
import { compareProcess, readProcess as readSigned, writeProcess } from "@/lib/words/fraud-process";

export interface FraudReviewRowView {
  id: string;
  href: string;
  signedAt: string;
  signedByName: string;
  note: string | null;
}

/** One a year is required; more are in the activity log. */
const REVIEWS_LISTED = 50;

const transfersHref = (status: "returned" | "failed") =>
  movementsHref("TRANSFERS", { ...EVERY_MOVEMENT, days: "365", status });
const activityOf = (about: "payees" | "gates" | "rules") => activityHref({ ...EVERY_ACTIVITY, about });

const ALERT_HREF: Record<AlertKind, string> = {
  RETURNED: transfersHref("returned"),
  REFUSED: transfersHref("failed"),
  DIFFERENCE: RECONCILIATION_HREF,
  DECISION: approvalsHref({ ...EVERY_APPROVAL, decided: "denied" }),
  PAYEE: activityOf("payees"),
  CORRECTION: "/accounts",
  KEY_USE: keysHref(),
  RULE_PAUSED: "/rules",
  GATES: activityOf("gates"),
};

/** What the page of fraud monitoring shows, for any member. */
export async function readFraudMonitoring({ services: { pool }, context, time }: TimedReading) {
  const [process, alerts, state, reviews, latest] = await Promise.all([
    readProcess(pool, context),
    readAlerts(pool, context),
    readReviewState(pool, context),
    listReviews(pool, context.organizationId),
    findReview(pool, context.organizationId, null),
  ]);
  return {
    document: process.document,
    /** SHA-256 of its text, in hex. */
    digest: process.digest,
    alerts: alerts.map((group) => ({ ...group, href: ALERT_HREF[group.kind] })),
    /** `DUE` only for businesses that had ACH orders in the last twelve months. */
    review: state.kind === "SIGNED" ? { ...state, nextAt: state.nextAt.toISOString() } : { kind: state.kind },
    /** Sentences that changed since the last review; null without one. */
    changes: latest === null ? null : compareProcess(readSigned(latest.text), process.document),
    /** Newest first; the earlier ones of more are not listed. */
    reviews,
    /** Null: the reader may not export. */
    exportHref: exportHref(context, null),
    viewer: { canSign: context.actor.role === "OWNER" },
    time,
  };
}

/** The written process, the alerts of the year, and the reviews. */
export type FraudMonitoringView = Awaited<ReturnType<typeof readFraudMonitoring>>;

/** A review as it was signed, for any member; null if there is none of this id. */
export async function readFraudReview({ services: { pool }, context, time }: TimedReading, id: string) {
  const review = await findReview(pool, context.organizationId, id);
  if (review === null) return null;
  const { text, ...rest } = review;
  return { ...rest, document: readSigned(text), exportHref: exportHref(context, id), time };
}

/** A review as it was signed. */
export type FraudReviewView = NonNullable<Awaited<ReturnType<typeof readFraudReview>>>;

/**
 * The process with the alerts of the year as Markdown, or a review as it was signed.
 * @throws AppError `ACCESS_DENIED` for a viewer, who may not export; `INVALID_PARAMETERS` without such a review.
 */
export async function exportFraudMonitoring(
  { services: { pool }, context, time }: TimedReading,
  reviewId: string | null,
): Promise<ExportedFile> {
  requireExport(context);
  const review = reviewId === null ? null : await findReview(pool, context.organizationId, reviewId);
  if (reviewId !== null && review === null) {
    throw new AppError("INVALID_PARAMETERS", "There is no such review.");
  }
  const at = review === null ? context.now : new Date(review.signedAt);
  const text =
    review === null
      ? writeProcess((await readProcess(pool, context)).document, await readAlerts(pool, context))
      : review.text;
  return {
    fileName: `fraud-monitoring-${review === null ? "" : "signed-"}${calendarDate(at, time.timeZone)}.md`,
    lines: (async function* lines() {
      yield text;
    })(),
  };
}

function exportHref(context: Context<MemberActor>, reviewId: string | null): string | null {
  return mayExport(context.actor) ? downloadHref(fraudMonitoringExportHref(reviewId), context) : null;
}

interface ReviewRow {
  id: string;
  signedAt: Date;
  signedByName: string;
  note: string | null;
}

const COLUMNS = `id, signed_at as "signedAt", signed_by_name as "signedByName", note`;

const toRow = ({ id, signedAt, signedByName, note }: ReviewRow): FraudReviewRowView => ({
  id,
  href: fraudReviewHref(id),
  signedAt: signedAt.toISOString(),
  signedByName,
  note,
});

async function listReviews(database: Queryable, organizationId: string): Promise<FraudReviewRowView[]> {
  const { rows } = await database.query<ReviewRow>({
    name: "list_fraud_reviews",
    text: `select ${COLUMNS} from fraud_reviews where organization_id = $1 order by id desc limit ${REVIEWS_LISTED}`,
    values: [organizationId],
  });
  return rows.map(toRow);
}

/** @param id null: the latest */
async function findReview(database: Queryable, organizationId: string, id: string | null) {
  const { rows } = await database.query<
    ReviewRow & { text: string /** SHA-256 of the signed text, in hex. */; digest: string }
  >({
    name: "find_fraud_review",
    text: `select ${COLUMNS}, text, encode(digest, 'hex') as digest from fraud_reviews
      where organization_id = $1 and ($2::uuid is null or id = $2) order by id desc limit 1`,
    values: [organizationId, id],
  });
  const [row] = rows;
  return row === undefined ? null : { ...toRow(row), text: row.text, digest: row.digest };
}
