import type { Pool } from "pg";

const FIRST_RETRY_MS = 5_000;
const MOST_RETRY_MS = 3_600_000;

/** See BankPort.setAside. Repeated, it waits longer: five seconds at first, at most an hour. */
export async function setNoticeAside(
  pool: Pool,
  input: { organizationId: string; noticeReference: string; subject: string; businessNow: Date },
): Promise<void> {
  await pool.query({
    name: "bank_set_notice_aside",
    text: `insert into bank_unapplied_notices as u
               (organization_id, notice_reference, subject, first_failed_at, retry_at)
             values ($1, $2, $3, $4, $4::timestamptz + $5 * interval '1 millisecond')
           on conflict (organization_id, notice_reference) do update
             set attempts = u.attempts + 1,
                 retry_at = $4::timestamptz + least($5 * 2 ^ least(u.attempts, 20), $6) * interval '1 millisecond'`,
    values: [
      input.organizationId,
      input.noticeReference,
      input.subject,
      input.businessNow,
      FIRST_RETRY_MS,
      MOST_RETRY_MS,
    ],
  });
}

/** They are booked. */
export async function endUnapplied(
  pool: Pool,
  input: { organizationId: string; noticeReferences: readonly string[] },
): Promise<void> {
  if (input.noticeReferences.length === 0) return;
  await pool.query({
    name: "bank_end_unapplied",
    text: "delete from bank_unapplied_notices where organization_id = $1 and notice_reference = any ($2)",
    values: [input.organizationId, input.noticeReferences],
  });
}
