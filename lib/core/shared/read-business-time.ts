import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** Business time of an organization, for outside events that have no context. */
export async function readBusinessTime(
  services: Pick<Services, "pool" | "clock">,
  organizationId: string,
): Promise<Date> {
  const { rows } = await services.pool.query<{ clockOffsetMs: number }>({
    name: "read_clock_offset",
    text: `select clock_offset_ms as "clockOffsetMs" from organizations where id = $1`,
    values: [organizationId],
  });
  return businessTime(services.clock, rows[0]?.clockOffsetMs ?? 0);
}
