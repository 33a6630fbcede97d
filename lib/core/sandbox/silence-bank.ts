import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

const MINUTE_MS = 60_000;

/**
 * Lets the bank fall silent towards this organization: orders wait and are asked for again, none is lost or sent twice.
 * @throws AppError `ACCESS_DENIED`
 */
export async function silenceBank(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  minutes: number,
): Promise<void> {
  const { bank } = requireDriver(context, sandbox);
  const until = new Date(context.now.getTime() + minutes * MINUTE_MS);
  await bank.goSilent({ organizationId: context.organizationId, until });
  await noteAction(services.pool, context, { kind: "SILENCED", untilAt: until.toISOString() });
}
