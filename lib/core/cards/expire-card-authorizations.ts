import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

interface ExpiredRow {
  organizationId: string;
  id: string;
  cardId: string;
  networkReference: string;
  amountInCents: number;
  merchant: string;
  clockOffsetMs: number;
}

/**
 * Releases holds of authorizations that the network neither settled nor released in time. A later settlement is still
 * booked. One transaction each: workers that lock several pods in one transaction would deadlock.
 * @returns how many were released.
 */
export async function expireCardAuthorizations(
  services: Pick<Services, "pool" | "clock" | "log">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<ExpiredRow>({
    name: "find_expired_card_authorizations",
    text: `select a.organization_id as "organizationId", a.id, a.card_id as "cardId",
                  a.network_reference as "networkReference", a.amount_in_cents as "amountInCents", a.merchant,
                  o.clock_offset_ms as "clockOffsetMs"
             from card_authorizations a join organizations o on o.id = a.organization_id
            where a.status = 'AUTHORIZED'
              and a.expires_at <= (select latest_business_time($1))
              and a.expires_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
            order by a.expires_at
            limit $2`,
    values: [services.clock.now(), limit],
  });
  let ended = 0;
  for (const row of rows) {
    try {
      await end(services, row);
      ended += 1;
    } catch (error) {
      const { organizationId, id } = row;
      services.log.error(
        { err: error, organizationId, id },
        "an expired card authorization could not be released",
      );
    }
  }
  return ended;
}

async function end(services: Pick<Services, "pool" | "clock">, row: ExpiredRow): Promise<void> {
  await services.pool.query({
    name: "release_card_hold",
    text: "select release_card_hold($1)",
    values: [
      JSON.stringify({
        organizationId: row.organizationId,
        id: row.id,
        cardId: row.cardId,
        networkReference: row.networkReference,
        amountInCents: row.amountInCents,
        merchant: row.merchant,
        category: null,
        now: businessTime(services.clock, row.clockOffsetMs),
      }),
    ],
  });
}
