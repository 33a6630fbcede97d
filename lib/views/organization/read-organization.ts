import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { OrganizationChangeView, OrganizationView } from "@/lib/contract/views/organization-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_CHANGES = 20;

interface OrganizationRow {
  name: string;
  kind: OrganizationView["kind"];
  created_at: Date;
  time_zone: string;
  new_pod_floor_in_cents: number | null;
}

/** The organization's settings, and members' changes to it, its beneficiaries, and each other. */
export async function readOrganization(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  time: TimeContext,
): Promise<OrganizationView> {
  const [{ rows }, changes] = await Promise.all([
    services.pool.query<OrganizationRow>({
      name: "read_organization",
      text: `select name, kind, created_at, time_zone, new_pod_floor_in_cents from organizations where id = $1`,
      values: [organizationId],
    }),
    readChanges(services, organizationId),
  ]);
  const row = rows[0];
  if (!row) throw new Error("A signed-in member's organization was not found.");
  return {
    name: row.name,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    timeZone: row.time_zone,
    timeZones: Intl.supportedValuesOf("timeZone"),
    newPodFloorInCents: row.new_pod_floor_in_cents,
    changes,
    viewer: { canChange: mayDecide(actor) },
    time,
  };
}

async function readChanges(
  services: Pick<Services, "pool">,
  organizationId: string,
): Promise<OrganizationChangeView[]> {
  const { rows } = await services.pool.query<{
    id: string;
    kind: OrganizationChangeKind;
    subject: string | null;
    value_before: string | null;
    value_after: string | null;
    by_name: string;
    changed_at: Date;
  }>({
    name: "list_organization_changes",
    text: `
      select c.id, c.kind, c.subject, c.value_before, c.value_after, u.name as by_name, c.changed_at
        from organization_changes c join users u on u.id = c.changed_by
       where c.organization_id = $1 order by c.id desc limit ${MAXIMUM_CHANGES}`,
    values: [organizationId],
  });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    before: row.value_before,
    after: row.value_after,
    byName: row.by_name,
    at: row.changed_at.toISOString(),
  }));
}

/** The default floor of a new pod's form, in cents; null: none. */
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
