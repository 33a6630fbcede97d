import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleAct, RuleChangeResult } from "@/lib/contract/views/rule-change";
import { activateRule } from "@/lib/core/rules/activate-rule";
import { readActivation, readVersionDefinition } from "@/lib/core/rules/activation";
import { deactivateRule } from "@/lib/core/rules/change-rule";
import { updateRule } from "@/lib/core/rules/save-rule";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import type { WriteRequest } from "@/lib/core/shared/write-once";
import type { Services } from "@/lib/platform/services";

const REQUEST: WriteRequest = {
  sent: { method: "POST", path: "/platform/v1/rules", idempotencyKey: null, calledReason: null, body: null },
  auditAction: null,
  status: 201,
  idempotency: null,
};

/** Writes the next version. */
export async function editRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  ruleId: string,
  definition: RuleDefinition,
): Promise<void> {
  await updateRule(services, context, { ruleId, definition, expectedVersion: null }, REQUEST);
}

/** What a person is shown before they activate a version. */
export async function lookAtVersion(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
  version: number,
) {
  const { organizationId, now } = context;
  const definition = await readVersionDefinition(services.pool, organizationId, { ruleId, version });
  if (!definition) throw new Error("There is no such version");
  const { rows } = await services.pool.query<{ active_version: number | null }>(
    "select active_version from rules where organization_id = $1 and id = $2",
    [organizationId, ruleId],
  );
  const activeVersion = rows[0]?.active_version ?? null;
  const of = { ruleId, version, activeVersion, definition };
  return readActivation(services.pool, { organizationId, now }, of);
}

/** Looks at a version, as somebody who signed in just now and has no passkey. @returns what they then press */
export async function readyToActivate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<() => Promise<RuleChangeResult>> {
  const { digest } = await lookAtVersion(services, context, ruleId, version);
  const subject = { ...actOn("ACTIVATE", ruleId, version), act: "ACTIVATE" as const, digest };
  return () => activateRule(services, context, subject);
}

/** Looks at a version and activates it. */
export async function activate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<RuleChangeResult> {
  const press = await readyToActivate(services, context, ruleId, version);
  return press();
}

export function deactivate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<RuleChangeResult> {
  return deactivateRule(services, context, {
    ...actOn("DEACTIVATE", ruleId, version),
    act: "DEACTIVATE",
  });
}

function actOn(act: RuleAct, ruleId: string, version: number) {
  return { act, ruleId, version, digest: "", confirmation: { kind: "NONE" as const } };
}
