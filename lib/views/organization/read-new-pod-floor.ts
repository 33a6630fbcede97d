import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** What the form of a new pod begins with, in cents; null: nothing. */
export async function readNewPodFloor(
  services: Pick<Services, "pool">,
  { organizationId }: Pick<Context, "organizationId">,
): Promise<number | null> {
  const { rows } = await services.pool.query<{ floor: number | null }>({
    name: "read_new_pod_floor",
    text: "select new_pod_floor_in_cents as floor from organizations where id = $1",
    values: [organizationId],
  });
  return rows[0]?.floor ?? null;
}
