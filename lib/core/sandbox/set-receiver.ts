import { AppError } from "@/lib/contract/error";
import type { ReceiverMode } from "@/lib/contract/sandbox-receiver";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import { newReceiverToken } from "@/lib/core/sandbox/receiver-address";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Says how the organization's receiver of webhooks answers from now on, and opens it where there was none.
 * @throws AppError `ACCESS_DENIED`, also where webhooks may not go to this machine.
 */
export async function setReceiver(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  mode: ReceiverMode,
): Promise<void> {
  const { hasReceiver } = requireDriver(context, sandbox);
  if (!hasReceiver) {
    throw new AppError("ACCESS_DENIED", "There is no receiver here: webhooks may not go to this machine.");
  }
  await services.pool.query({
    name: "set_sandbox_receiver",
    text: `
      insert into sandbox_receivers (organization_id, token, mode, created_at) values ($1, $2, $3, $4)
      on conflict (organization_id) do update set mode = excluded.mode`,
    values: [context.organizationId, newReceiverToken(), mode, context.now],
  });
  await noteAction(services.pool, context, { kind: "RECEIVER_SET", mode });
}
