import {
  MAXIMUM_MANDATE_USES,
  type MandateConstraint,
  type MandateLeft,
  type MandateState,
  type MandateTerms,
  mandateTermsSchema,
} from "@/lib/contract/mandates/mandate";
import type { Queryable } from "@/lib/db/transaction";

/** Mandates in one list; more are not shown. */
const MAXIMUM_LISTED_MANDATES = 200;

/** What a key may move without asking, with what it has used of it. */
export interface Mandate {
  id: string;
  apiKeyId: string;
  apiKeyName: string;
  state: MandateState;
  /** It waited too long, and can no longer be signed. */
  isExpired: boolean;
  revision: number;
  terms: MandateTerms;
  /** What its program asked for; null if a member wrote it. */
  askedTerms: MandateTerms | null;
  proposedBy: { kind: "API_KEY" | "MEMBER"; id: string; name: string };
  reason: string | null;
  timeZone: string;
  createdAt: Date;
  expiresAt: Date;
  signedAt: Date | null;
  endedAt: Date | null;
  endedByName: string | null;
  endReason: "MEMBER" | "PROGRAM" | "KEY_ENDED" | null;
  left: MandateLeft;
  /** Of its transfers that count. */
  used: { uses: number; inCents: number };
  /** Why no transfer can use it now, whatever its amount; null: it can. */
  stoppedBy: MandateConstraint | null;
}

interface MandateRow extends Omit<Mandate, "terms" | "askedTerms" | "left" | "used"> {
  terms: unknown;
  askedTerms: unknown;
  dayInCents: number;
  weekInCents: number;
  monthInCents: number;
  thirtyDaysInCents: number;
  totalInCents: number;
  uses: number;
  usesInPeriod: number;
}

/** From `mandates m`; `$2`: business time. What is counted comes from the function that counts under the lock. */
const MANDATES = `
  select m.id, m.api_key_id as "apiKeyId", k.name as "apiKeyName", m.state, m.revision, m.terms,
      m.state = 'WAITING' and m.expires_at <= $2 as "isExpired", m.asked_terms as "askedTerms",
      json_build_object('kind', m.proposed_by_kind, 'id', m.proposed_by_id, 'name', m.proposed_by_name) as "proposedBy",
      m.reason, m.time_zone as "timeZone", m.created_at as "createdAt", m.expires_at as "expiresAt",
      m.signed_at as "signedAt", m.ended_at as "endedAt", ender.name as "endedByName", m.end_reason as "endReason",
      case when m.state <> 'IN_FORCE' then null
        when ($2::timestamptz at time zone m.time_zone)::date < (m.terms ->> 'from')::date then 'NOT_YET'
        when ($2::timestamptz at time zone m.time_zone)::date > (m.terms ->> 'until')::date then 'OVER'
        when mandate_needs_signatures(m) then 'SIGNATURES'
        when changed_destination(m, array(
          select jsonb_array_elements_text(m.terms -> 'destinationAccountIds')::uuid)) is not null then 'DESTINATION_CHANGED'
        when counts.uses >= coalesce((m.terms ->> 'maximumUses')::integer, ${MAXIMUM_MANDATE_USES}) then 'USES'
      end as "stoppedBy",
      counts.day_in_cents as "dayInCents", counts.week_in_cents as "weekInCents",
      counts.month_in_cents as "monthInCents", counts.thirty_days_in_cents as "thirtyDaysInCents",
      counts.total_in_cents as "totalInCents", counts.uses, counts.uses_in_period as "usesInPeriod"
    from mandates m
    join api_keys k on k.organization_id = m.organization_id and k.id = m.api_key_id
    left join users ender on ender.id = m.ended_by
    cross join lateral mandate_counts(m.organization_id, m.id, m.time_zone, m.terms -> 'recurrence' ->> 'period', $2) counts
   where m.organization_id = $1`;

/**
 * The mandates of an organization, newest first, at most 200.
 * @param reading `now`: business time
 */
export async function readMandates(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  { apiKeyId, states }: { apiKeyId?: string; states?: readonly MandateState[] } = {},
): Promise<Mandate[]> {
  const { rows } = await database.query<MandateRow>({
    name: "read_mandates",
    text: `${MANDATES} and ($3::uuid is null or m.api_key_id = $3) and ($4::text[] is null or m.state = any ($4))
      order by m.id desc limit ${MAXIMUM_LISTED_MANDATES}`,
    values: [organizationId, now, apiKeyId ?? null, states ?? null],
  });
  return rows.map(toMandate);
}

/** Null: the organization has none with this id. */
export async function readMandate(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  id: string,
): Promise<Mandate | null> {
  const { rows } = await database.query<MandateRow>({
    name: "read_mandate",
    text: `${MANDATES} and m.id = $3`,
    values: [organizationId, now, id],
  });
  return rows[0] ? toMandate(rows[0]) : null;
}

function toMandate({
  dayInCents,
  weekInCents,
  monthInCents,
  thirtyDaysInCents,
  totalInCents,
  uses,
  usesInPeriod,
  ...row
}: MandateRow): Mandate {
  const terms = mandateTermsSchema.parse(row.terms);
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));
  return {
    ...row,
    terms,
    askedTerms: row.askedTerms === null ? null : mandateTermsSchema.parse(row.askedTerms),
    left: {
      dayInCents: left(terms.dayInCents, dayInCents),
      weekInCents: left(terms.weekInCents, weekInCents),
      monthInCents: left(terms.monthInCents, monthInCents),
      thirtyDaysInCents: left(terms.thirtyDaysInCents, thirtyDaysInCents),
      totalInCents: left(terms.totalInCents, totalInCents),
      uses: Math.max(0, (terms.maximumUses ?? MAXIMUM_MANDATE_USES) - uses),
      usesInPeriod: left(terms.recurrence?.atMost ?? null, usesInPeriod),
    },
    used: { uses, inCents: totalInCents },
  };
}
