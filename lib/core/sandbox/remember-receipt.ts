import { REMEMBERED_RECEIPTS, type ReceiverMode } from "@/lib/contract/sandbox-receiver";
import type { WebhookEvent } from "@/lib/contract/webhooks";
import type { Services } from "@/lib/platform/services";

interface Receipt {
  mode: ReceiverMode;
  place: number;
}

/** Counts a delivery and remembers it in the place of the one twenty before it. @returns null for an unknown token. */
export async function rememberReceipt(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  { id, type, resource }: Pick<WebhookEvent, "id" | "type" | "resource">,
): Promise<Receipt | null> {
  const { rows } = await services.pool.query<Receipt>({
    name: "remember_receipt",
    text: `
      with counted as (
        update sandbox_receivers r set received = r.received + 1 from organizations o
         where r.token = $1 and o.id = r.organization_id
        returning r.organization_id, r.mode, r.received as place,
          $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as at)
      insert into sandbox_receipts as s (organization_id, slot, place, mode, event_id, type, resource_type, resource_id,
          received_at)
        select c.organization_id, c.place % ${REMEMBERED_RECEIPTS}, c.place, c.mode, $3, $4, $5, $6, c.at from counted c
      on conflict (organization_id, slot) do update set place = excluded.place, mode = excluded.mode,
        event_id = excluded.event_id, type = excluded.type, resource_type = excluded.resource_type,
        resource_id = excluded.resource_id, received_at = excluded.received_at
      returning s.mode, s.place`,
    values: [token, services.clock.now(), id, type, resource.type, resource.id],
  });
  return rows[0] ?? null;
}
