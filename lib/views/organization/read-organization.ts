import type { TimeContext } from "@/lib/contract/time-context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Reading, TimedReading } from "@/lib/views/reading";
import type { Stored } from "@/lib/views/stored";

/** The settings of an organization. */
export interface OrganizationView {
  name: string;
  kind: "INDIVIDUAL" | "BUSINESS";
  createdAt: string;
  timeZone: string;
  /** All that this server knows. */
  timeZones: readonly string[];
  /** Null: a new pod has no floor unless its form sets one. */
  newPodFloorInCents: number | null;
  /** What may leave Sluice within 24 hours; null without real money. */
  moneyOut: { capInCents: number | null; leftInCents: number | null } | null;
  viewer: { canChange: boolean };
  time: TimeContext;
}

type OrganizationRow = Stored<
  Pick<OrganizationView, "name" | "kind" | "createdAt" | "timeZone" | "newPodFloorInCents" | "moneyOut">,
  "createdAt"
>;

/** The organization's settings. */
export async function readOrganization({
  services,
  context: { organizationId, actor, now },
  time,
}: TimedReading): Promise<OrganizationView> {
  const { rows } = await services.pool.query<OrganizationRow>({
    name: "read_organization",
    text: `
      select name, kind, created_at as "createdAt", time_zone as "timeZone",
          new_pod_floor_in_cents as "newPodFloorInCents",
          case when exists (select from bank_in_use where is_production) then jsonb_build_object(
            'capInCents', outgoing_cap_in_cents,
            'leftInCents', greatest(0, outgoing_cap_in_cents - outgoing_used(id, $2))) end as "moneyOut"
        from organizations where id = $1`,
    values: [organizationId, now],
  });
  const row = rows[0];
  if (!row) throw new Error("A signed-in member's organization was not found.");
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    timeZones: Intl.supportedValuesOf("timeZone"),
    viewer: { canChange: mayDecide(actor) },
    time,
  };
}

/** The default floor of a new pod's form, in cents; null: none. */
export async function readNewPodFloor({ services, context }: Reading): Promise<number | null> {
  const { rows } = await services.pool.query<{ floor: number | null }>({
    name: "read_new_pod_floor",
    text: "select new_pod_floor_in_cents as floor from organizations where id = $1",
    values: [context.organizationId],
  });
  return rows[0]?.floor ?? null;
}
