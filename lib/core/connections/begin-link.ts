import { AppError } from "@/lib/contract/error";
import { beginConnecting } from "@/lib/core/connections/begin-connecting";
import { requireConnector } from "@/lib/core/connections/require-connector";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";

/**
 * What opens the provider's dialog, made for this member and good for a few hours.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginLink(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
): Promise<{ linkToken: string }> {
  requireConnector(context);
  if (aggregator.isSandbox) {
    throw new AppError("INVALID_PARAMETERS", "Sandbox institutions have no dialog. Choose one of the list.");
  }
  const step = await beginConnecting(services, aggregator, context, { institutionId: null, again: null });
  if (step.kind !== "LINK") throw new Error(`${aggregator.provider} has no dialog`);
  return { linkToken: step.linkToken };
}
