import { businessTime } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { BankNotice, BankPort } from "@/lib/ports/bank/bank-port";

/** Notices of one organization in one round; the rest follows in the next. */
const NOTICES_PER_ROUND = 100;

/**
 * Reads the bank's notices and applies each once, by its reference: a settlement books the transfer, a return before
 * it fails the transfer, a return after it books the money back. A notice is acknowledged after its commit, so that a
 * crash in between makes it come again and count nothing.
 * @returns how many organizations were looked at, or `limit` where one of them has more to come.
 */
export async function collectBankNotices(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
): Promise<number> {
  const organizationIds = await bank.organizationsWithNotices({ realNow: services.clock.now(), limit });
  let hasMore = false;
  for (const organizationId of organizationIds) {
    try {
      const count = await collectForOrganization(services, bank, organizationId);
      hasMore ||= count === NOTICES_PER_ROUND;
    } catch (error) {
      // One organization's trouble must not keep the others' money waiting; its notices come again.
      services.log.error({ err: error, organizationId }, "bank notices could not be applied");
    }
  }
  return hasMore ? limit : organizationIds.length;
}

/** @returns how many notices were applied. */
async function collectForOrganization(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  organizationId: string,
): Promise<number> {
  const { rows } = await services.pool.query<{ clock_offset_ms: number }>({
    name: "read_clock_offset",
    text: "select clock_offset_ms from organizations where id = $1",
    values: [organizationId],
  });
  const businessNow = businessTime(services.clock, rows[0]?.clock_offset_ms ?? 0);
  const notices = await bank.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
  const applied = await applyAll(services, notices, businessNow);
  if (applied.length > 0) await bank.acknowledge({ organizationId, noticeReferences: applied, businessNow });
  return applied.length;
}

/**
 * Applies notices in order. One that fails is logged and comes again; it keeps back later ones of its own transfer,
 * whose order matters, and of no other.
 * @returns the references of those that are booked.
 */
async function applyAll(
  services: Pick<Services, "pool" | "log">,
  notices: readonly BankNotice[],
  businessNow: Date,
): Promise<string[]> {
  const applied: string[] = [];
  const troubled = new Set<string>();
  for (const notice of notices) {
    if (troubled.has(notice.transferId)) continue;
    try {
      await applyNotice(services, notice, businessNow);
      applied.push(notice.noticeReference);
    } catch (error) {
      troubled.add(notice.transferId);
      const { organizationId, transferId, noticeReference } = notice;
      services.log.error(
        { err: error, organizationId, transferId, noticeReference },
        "a bank notice could not be applied",
      );
    }
  }
  return applied;
}

async function applyNotice(
  services: Pick<Services, "pool" | "log">,
  notice: BankNotice,
  businessNow: Date,
): Promise<void> {
  const { rows } = await services.pool.query<{ status: string | null }>({
    name: "apply_bank_notice",
    text: "select apply_bank_notice($1, $2, $3, $4, $5, $6, $7, $8) as status",
    values: [
      notice.organizationId,
      notice.noticeReference,
      notice.transferId,
      notice.kind,
      notice.code && `ACH_${notice.code}`,
      notice.occurredAt,
      newId(businessNow),
      businessNow,
    ],
  });
  services.log.debug(
    {
      organizationId: notice.organizationId,
      transferId: notice.transferId,
      status: rows[0]?.status,
      notice: notice.kind,
    },
    "bank notice applied",
  );
}
