import type pg from "pg";
import type { Violation } from "@/proof/torture/checker/violation";

const STEP_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 200;
/** Workers look for work every second or two, and back off longer after what they went through. */
const QUIET_FOR_MS = 1_800;
/**
 * What a process held when it was killed is nobody else's until its lease is over, a minute of real time later, in which
 * all the days below would pass. A minute and the bank's answer.
 */
const MAXIMUM_LEASE_MS = 75_000;
/** Banks answer within a week; what has no end after a month has none. */
const MOST_DAYS = 30;

/**
 * Lets business time pass, a day at a time, until everything has its end: money at the bank, proposals, runs,
 * events. Nobody gets in the way any more.
 * @returns what is left, when it does not come to rest: it was lost, or will never end.
 */
export async function settle(owner: pg.Pool): Promise<Violation[]> {
  await waitForLeases(owner);
  for (let days = 0; days < MOST_DAYS; days++) {
    if (await becomesQuiet(owner)) return [];
    await sendDeadAgain(owner);
    await owner.query("update organizations set clock_offset_ms = clock_offset_ms + $1", [STEP_MS]);
  }
  const left = await readOpen(owner);
  return left.map(({ what, count }) => ({
    promise: "everything has an end",
    what: `${count} ${what} have none`,
  }));
}

/** Until no transfer is leased any more; one that is for longer than anything leases it is left to be found. */
async function waitForLeases(owner: pg.Pool): Promise<void> {
  const since = performance.now();
  while (performance.now() - since < MAXIMUM_LEASE_MS) {
    const { rowCount } = await owner.query(
      "select 1 from transfers where status = 'PROCESSING' and leased_until > now() limit 1",
    );
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Waits until nothing is open, or until what is open has stood still for a while. @returns whether nothing is open. */
async function becomesQuiet(owner: pg.Pool): Promise<boolean> {
  let before = "";
  let since = performance.now();
  while (performance.now() - since < QUIET_FOR_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const open = await readOpen(owner);
    if (open.length === 0) return true;
    const now = JSON.stringify(open);
    if (now !== before) since = performance.now();
    before = now;
  }
  return false;
}

interface Open {
  what: string;
  count: number;
}

async function readOpen(owner: pg.Pool): Promise<Open[]> {
  const { rows } = await owner.query<Open>(
    `select * from (
       select 'transfers' as what, count(*)::int as count from transfers where status in ('PROCESSING', 'APPROVAL_PENDING')
       union all select 'runs of rules', count(*)::int from rule_executions where status in ('IN_PROGRESS', 'APPROVAL_PENDING')
       union all select 'notices of the bank', count(*)::int from sandbox_bank_notices where deliveries_left > 0
       union all select 'deliveries', count(*)::int from webhook_deliveries where status <> 'DELIVERED'
       union all select 'unsealed entries', count(*)::int from audit_unsealed) as open
      where count > 0`,
  );
  return rows;
}

/** Eight failures in a row happen: a person sends those again. */
async function sendDeadAgain(owner: pg.Pool): Promise<void> {
  await owner.query(
    "update webhook_deliveries set status = 'PENDING', round_attempts = 0, due_at = '-infinity' where status = 'DEAD'",
  );
  await owner.query(
    `update webhook_endpoints set status = 'ENABLED', disabled_at = null, disabled_because = null, disabled_by = null
      where status = 'DISABLED'`,
  );
}
