import type pg from "pg";

/** More than anyone moves here, so that no line becomes one of zero cents, which no bank lists. */
const CHANGED_BY_IN_CENTS = 1_000_000_000;

/**
 * Makes the sandbox bank err: of every forty lines it loses two, doubles two, delays two, reports two behind later ones, and
 * changes two, two days after it reported them. A trigger, so that a line has its mistake from the moment it exists, whichever process plays the bank.
 */
export async function plantMisreports(owner: pg.Pool): Promise<void> {
  await owner.query(`
    create function torture_misreports() returns trigger language plpgsql security definer
      set search_path = public, pg_temp as $$
    declare
      v_dice integer := abs(hashtext(new.notice_reference::text) % 20);
    begin
      if v_dice > 4 then return null; end if;
      insert into sandbox_bank_faults (organization_id, notice_reference, kind, again_reference, delayed_until,
          changed_from, changed_by_in_cents)
        values (new.organization_id, new.notice_reference,
          (array['LOST', 'DOUBLED', 'DELAYED', 'REORDERED', 'CHANGED'])[v_dice + 1],
          case v_dice when 1 then gen_random_uuid() end,
          case v_dice when 2 then new.due_at + interval '6 days' when 3 then new.due_at + interval '3 days' end,
          case v_dice when 4 then new.due_at + interval '2 days' end,
          case v_dice when 4 then ${CHANGED_BY_IN_CENTS} end);
      return null;
    end $$;
    create trigger torture_misreports after insert on sandbox_bank_notices for each row
      when (new.kind in ('SETTLED', 'DEPOSITED')) execute function torture_misreports()`);
}

/** Longer than the bank delays a line, and than settlement explains that one is missing. */
const DAYS_AFTER = 12;
const DAY_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 200;
/** A process that was killed holds its turn for two minutes of its own clock. */
const MAXIMUM_WAIT_MS = 200_000;

/**
 * Has everything reconciled once more; by default so much later that no line is on its way anymore.
 * @returns whether it ended in time
 */
export async function reconcileAll(owner: pg.Pool, daysLater = DAYS_AFTER): Promise<boolean> {
  await owner.query("update organizations set clock_offset_ms = clock_offset_ms + $1", [daysLater * DAY_MS]);
  const { rows } = await owner.query<{ at: Date }>(
    "select now() + max(clock_offset_ms) * interval '1 millisecond' as at from organizations",
  );
  const since = performance.now();
  while (performance.now() - since < MAXIMUM_WAIT_MS) {
    await owner.query(
      `update reconciliations r set due_at = '-infinity', leased_until = null from organizations o
        where o.id = r.organization_id and due_at > '-infinity' and leased_until is null
          and (reconciled_at is null or reconciled_at < now() + (o.clock_offset_ms - $1) * interval '1 millisecond')`,
      [Math.max(daysLater, 1) * DAY_MS],
    );
    const { rows: left } = await owner.query(
      `select 1 from organizations o left join reconciliations r on r.organization_id = o.id
        where r.reconciled_at is null or r.due_at = '-infinity' or r.retries > 0
          or r.reconciled_at < now() + (o.clock_offset_ms - $1) * interval '1 millisecond' limit 1`,
      [DAY_MS],
    );
    if (left.length === 0 && rows.length === 1) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}
