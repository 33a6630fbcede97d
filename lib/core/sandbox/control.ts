import { AppError } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";
import type { DecideInSandbox, SandboxResult } from "@/lib/contract/sandbox";
import { decideAsTestPerson } from "@/lib/core/approvals/decide-proposal";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** What a program does in the sandbox as its test person; what it returns is the outcome for the program, or null. */
type Act = (sandbox: SandboxWorld, person: Context<MemberActor>) => Promise<string | null>;

/**
 * Lets a program drive the sandbox as a member does on its page, and carries out what is then due, so that the program
 * finds everything done.
 * @param sandbox null where any provider is real
 * @throws AppError `ACCESS_DENIED` without `CONTROL_SANDBOX` and where any provider is real; errors of `act`
 */
export async function controlSandbox(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<CallerActor>,
  act: Act,
): Promise<SandboxResult> {
  requirePermission(context.actor, "CONTROL_SANDBOX");
  if (!sandbox) {
    throw new AppError("ACCESS_DENIED", "The sandbox is unavailable: a real provider is configured.");
  }
  const outcome = await act(sandbox, await asTestPerson(services, context));
  await sandbox.carryOutDue();
  const { rows } = await services.pool.query<{ clockOffsetMs: number }>({
    name: "read_clock_offset",
    text: `select clock_offset_ms as "clockOffsetMs" from organizations where id = $1`,
    values: [context.organizationId],
  });
  return { now: businessTime(services.clock, rows[0]?.clockOffsetMs ?? 0).toISOString(), outcome };
}

/**
 * A key of a real organization cannot drive anything, so none is made that could once its providers change.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function requireSandbox(permissions: readonly Permission[], sandbox: SandboxWorld | null): void {
  if (sandbox || !permissions.some(({ type }) => type === "CONTROL_SANDBOX")) return;
  throw new AppError("INVALID_PARAMETERS", "permissions: CONTROL_SANDBOX is only for sandboxes.");
}

/**
 * Approves or denies a proposal as a test person, which the decision says for ever.
 * @throws AppError `INVALID_PARAMETERS` if it cannot be decided
 */
export async function decideInSandbox(
  services: Services,
  person: Context<MemberActor>,
  input: DecideInSandbox,
): Promise<string> {
  const { proposalId, decision, reason } = input;
  const result = await decideAsTestPerson(services, person, {
    proposalId,
    decision,
    reason: decision === "DENY" ? reason : null,
  });
  if (result.kind === "DECIDED") return decision === "APPROVE" ? "APPROVED" : "DENIED";
  const why = "message" in result ? result.message : `It is no longer waiting (${result.kind}).`;
  throw new AppError("INVALID_PARAMETERS", why);
}

/**
 * The member who created the key, whose role still decides; its name says that a program acted as a test person.
 * @throws AppError `ACCESS_DENIED`
 */
async function asTestPerson(
  { pool }: Pick<Services, "pool">,
  context: Context<CallerActor>,
): Promise<Context<MemberActor>> {
  const { organizationId, actor, now } = context;
  const { rows } = await pool.query<{ id: string; email: string; role: MemberRole }>({
    name: "find_creator_of_key",
    text: `select u.id, u.email, m.role from api_keys k
        join memberships m on m.organization_id = k.organization_id and m.user_id = k.created_by
        join users u on u.id = k.created_by
       where k.organization_id = $1 and k.id = $2 and m.role in ('OWNER', 'CO_OWNER')`,
    values: [organizationId, actor.id],
  });
  const creator = rows[0];
  if (!creator) {
    throw new AppError("ACCESS_DENIED", "The member who created this key is no longer an owner or co-owner.");
  }
  const name = `Test person of ${actor.name}`;
  return {
    ...context,
    actor: { kind: "MEMBER", ...creator, name, sessionId: actor.id, authenticatedAt: now },
  };
}
