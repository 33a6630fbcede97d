import { AppError } from "@/lib/contract/error";
import { readAccess } from "@/lib/core/connections/read-access";
import { requireConnector } from "@/lib/core/connections/require-connector";
import { toConnectingProblem } from "@/lib/core/connections/to-connecting-problem";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort, ConnectingStep } from "@/lib/ports/aggregator/aggregator-port";

/**
 * The first step of connecting an institution, or of signing in again at one that asks for it.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function beginConnecting(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  input: { institutionId: string | null; again: { connectionId: string } | null },
): Promise<ConnectingStep> {
  requireConnector(context);
  const kept = input.again && (await readAccess(services.pool, context, input.again.connectionId));
  if (input.again && (!kept || kept.status === "DISCONNECTED")) {
    throw new AppError("INVALID_PARAMETERS", "There is no such connection any more. Connect it anew.");
  }
  try {
    return await aggregator.beginConnecting({
      organizationId: context.organizationId,
      memberId: context.actor.id,
      institutionId: input.institutionId,
      again: kept?.access ?? null,
    });
  } catch (error) {
    throw toConnectingProblem(error);
  }
}
