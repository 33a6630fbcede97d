import { REVIEW_MARK_LIFETIME_MS } from "@/lib/contract/limits";
import type { Services } from "@/lib/platform/services";

/** As long as anyone asks which browsers were signed in when something happened. */
const SESSION_RETENTION_MS = 90 * 86_400_000;

/**
 * Deletes expired data: idempotent results an hour past their 24, challenges, unused step-ups, marks of reviews and throttle
 * windows a day old, expired phone codes, devices whose session was ended, unfinished sign-ups and password resets,
 * invitations a month past their end, documents of drafts that nobody confirmed, payees' links, and expired records of the
 * authorization server: requests, codes, tokens, and unused self-registered clients; sessions 90 days past their end. A used
 * refresh token stays until it would have expired: someone who presents it again has a copy.
 * @returns how many idempotent results were deleted.
 */
export async function forgetExpired(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rowCount } = await services.pool.query({
    name: "forget_idempotent_results",
    // A sandbox clock's offset only lets them expire later in real time, never earlier than their row says.
    text: `
      delete from idempotency_results where ctid = any (array(
        select r.ctid from idempotency_results r join organizations o on o.id = r.organization_id
         where r.expires_at < $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' - interval '1 hour'
           and r.expires_at < (select latest_business_time($1)) - interval '1 hour'
         order by r.expires_at limit $2))`,
    values: [now, limit],
  });
  const dayAgo = new Date(now.getTime() - 86_400_000);
  await services.pool.query({
    name: "forget_challenges",
    text: "delete from challenges where expires_at < $1",
    values: [dayAgo],
  });
  await services.pool.query({
    name: "forget_step_ups",
    text: "delete from step_ups where verified_at < $1",
    values: [dayAgo],
  });
  await services.pool.query({
    name: "forget_review_marks",
    text: `
      delete from review_marks m using organizations o
       where o.id = m.organization_id
         and m.marked_at < (select latest_business_time($2)) - $1 * interval '1 millisecond'
         and m.marked_at < $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' - $1 * interval '1 millisecond'`,
    values: [REVIEW_MARK_LIFETIME_MS, now],
  });
  await services.pool.query({
    name: "forget_throttles",
    text: "delete from throttles where window_started_at < $1",
    values: [dayAgo],
  });
  await services.pool.query({
    name: "forget_phone_codes",
    text: "delete from phone_codes where expires_at <= $1",
    values: [now],
  });
  await services.pool.query({
    name: "forget_ended_devices",
    text: `
      delete from push_devices where id = any (array(
        select d.id from push_devices d join sessions s on s.id = d.session_id
         where s.revoked_at is not null limit $1))`,
    values: [limit],
  });
  await services.pool.query({
    name: "forget_sessions",
    text: "select forget_sessions($1, $2)",
    values: [new Date(now.getTime() - SESSION_RETENTION_MS), limit],
  });
  await forgetSignUps(services, now, dayAgo);
  await services.pool.query({
    name: "forget_invitations",
    text: "delete from invitations where expires_at < $1",
    values: [new Date(now.getTime() - 30 * 86_400_000)],
  });
  await services.pool.query({
    name: "forget_draft_documents",
    text: "select forget_draft_documents($1, $2)",
    values: [now, limit],
  });
  await services.pool.query({
    name: "forget_payee_links",
    text: "delete from payee_links where expires_at < $1",
    values: [now],
  });
  await services.pool.query({
    name: "forget_oauth_records",
    text: `
      delete from oauth_records where ctid = any (array(
        select ctid from oauth_records where expires_at <= $1 order by expires_at limit $2))`,
    values: [now, limit],
  });
  return rowCount ?? 0;
}

/** Unfinished sign-ups and password resets, and a day later their emails. */
async function forgetSignUps(services: Pick<Services, "pool">, now: Date, dayAgo: Date): Promise<void> {
  await services.pool.query({
    name: "forget_sign_ups",
    text: "delete from sign_ups where expires_at <= $1",
    values: [now],
  });
  await services.pool.query({
    name: "forget_password_resets",
    text: "delete from password_resets where expires_at <= $1",
    values: [now],
  });
  await services.pool.query({
    name: "forget_person_messages",
    text: "delete from person_messages where created_at < $1 and status <> 'QUEUED'",
    values: [dayAgo],
  });
}
