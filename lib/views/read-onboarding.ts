import { NEW_RULE_HREF } from "@/lib/contract/hrefs";
import type { OnboardingStepView, OnboardingView } from "@/lib/contract/views/onboarding-view";
import { type IdentityStatus, subjectsSchema } from "@/lib/core/organizations/identity";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_NAMED = 3;

interface Row {
  name: string;
  kind: "INDIVIDUAL" | "BUSINESS";
  /** Null: no verification is required. */
  status: IdentityStatus | null;
  problem: string | null;
  subjects: unknown;
  connections: { id: string; institutionName: string }[] | null;
  pods: { id: string; name: string }[] | null;
  rule_name: string | null;
  draft_id: string | null;
  key_name: string | null;
}

/** A new organization's progress, derived from its data: none of it is stored. */
export async function readOnboarding(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
): Promise<OnboardingView> {
  const { rows } = await services.pool.query<Row>({
    name: "read_onboarding",
    text: `
      select o.name, o.kind, i.status, i.problem, coalesce(i.subjects, '[]') as subjects,
        (select jsonb_agg(jsonb_build_object('id', c.id, 'institutionName', c.institution_name)) from (
           select id, institution_name from connections
            where organization_id = $1 and status <> 'DISCONNECTED' order by id limit ${MAXIMUM_NAMED}) c) as connections,
        (select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name)) from (
           select id, name from accounts
            where organization_id = $1 and type = 'POD' and deleted_at is null order by id limit ${MAXIMUM_NAMED}) a) as pods,
        (select r.name from rules r where r.organization_id = $1 and r.deleted_at is null order by r.id limit 1) as rule_name,
        (select d.id from rule_drafts d where d.organization_id = $1 and d.user_id = $2 and d.rule_id is null
          order by d.updated_at desc, d.id limit 1) as draft_id,
        (select k.name from api_keys k where k.organization_id = $1 and k.client_id is null and k.revoked_at is null
          order by k.id limit 1) as key_name
      from organizations o left join identity_checks i on i.organization_id = o.id
      where o.id = $1`,
    values: [organizationId, actor.id],
  });
  const row = rows[0];
  if (!row) throw new Error("A signed-in member's organization was not found.");
  const steps = stepsOf(row, actor.name);
  return {
    organization: { name: row.name, kind: row.kind },
    memberName: actor.name,
    steps,
    identity: {
      status: row.status ?? "APPROVED",
      problem: row.problem,
      subjects: subjectsSchema.parse(row.subjects),
    },
    connections: row.connections ?? [],
    pods: row.pods ?? [],
    ruleDraftHref: row.draft_id && `${NEW_RULE_HREF}/edit?draft=${row.draft_id}`,
    nextHref: steps.find(({ isDone, href }) => !isDone && href !== null)?.href ?? null,
  };
}

const IDENTITY_NOTE = {
  NEEDED: null,
  SUBMITTING: "Checking",
  CHECKING: "Checking",
  NEEDS_DOCUMENT: "Needs a document",
  APPROVED: "Approved",
  REFUSED: "Refused",
} as const satisfies Record<IdentityStatus, string | null>;

function stepsOf(row: Row, memberName: string): OnboardingStepView[] {
  const status = row.status ?? "APPROVED";
  const [connection] = row.connections ?? [];
  const pods = row.pods ?? [];
  return [
    { id: "YOU", isDone: true, note: memberName, href: null },
    {
      id: "ORGANIZATION",
      isDone: true,
      note: row.kind === "BUSINESS" ? "A business" : "An individual",
      href: null,
    },
    {
      id: "IDENTITY",
      isDone: status === "APPROVED",
      note: IDENTITY_NOTE[status],
      href: "/welcome/identity",
    },
    {
      id: "BANK",
      isDone: connection !== undefined,
      note: connection?.institutionName ?? null,
      href: "/welcome/bank",
    },
    { id: "PODS", isDone: pods.length > 0, note: pods[0]?.name ?? null, href: "/welcome/pods" },
    { id: "RULE", isDone: row.rule_name !== null, note: row.rule_name, href: "/welcome/rule" },
    { id: "KEY", isDone: row.key_name !== null, note: row.key_name ?? "Optional", href: "/welcome/key" },
  ];
}
