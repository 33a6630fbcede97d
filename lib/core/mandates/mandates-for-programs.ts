import { AppError } from "@/lib/contract/error";
import type {
  MandateForPrograms,
  MandateStateForPrograms,
} from "@/lib/contract/mandates/mandate-for-programs";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import { type Mandate, readMandate, readMandates } from "@/lib/core/mandates/read-mandates";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requireApiKey, requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

type Reading = Pick<Services, "appUrl" | "pool">;

/**
 * The mandates of the calling key, newest first.
 * @param input.state null: any
 * @throws AppError `ACCESS_DENIED` for an assistant, or without `MANUAL_TRANSFER`
 */
export async function listOwnMandates(
  { pool, appUrl }: Reading,
  context: Context<CallerActor>,
  input: PageRequest & { state: MandateStateForPrograms | null },
): Promise<Page<MandateForPrograms>> {
  requireOwnMandates(context.actor);
  const mandates = await readMandates(pool, context, { apiKeyId: context.actor.id });
  const found = mandates
    .map((mandate) => showToProgram(mandate, appUrl))
    .filter(({ state }) => input.state === null || state === input.state);
  const first = (input.page - 1) * input.pageSize;
  return toPage(found.slice(first, first + input.pageSize + 1), input, (mandate) => mandate);
}

/**
 * One mandate of the calling key.
 * @throws AppError `MANDATE_NOT_FOUND` (also for another key's); as `listOwnMandates`
 */
export async function getOwnMandate(
  { pool, appUrl }: Reading,
  context: Context<CallerActor>,
  id: string,
): Promise<MandateForPrograms> {
  requireOwnMandates(context.actor);
  const mandate = await readMandate(pool, context, id);
  if (mandate?.apiKeyId !== context.actor.id) {
    throw new AppError("MANDATE_NOT_FOUND", `This key has no mandate ${id}.`);
  }
  return showToProgram(mandate, appUrl);
}

/** @throws AppError `ACCESS_DENIED` */
function requireOwnMandates(actor: CallerActor): void {
  requireApiKey(actor);
  requirePermission(actor, "MANUAL_TRANSFER");
}

/** A mandate as its own key reads it. */
export function showToProgram(mandate: Mandate, appUrl: string): MandateForPrograms {
  const { id, terms, left, used, stoppedBy, reason, proposedBy } = mandate;
  const state = mandate.isExpired ? "EXPIRED" : mandate.state;
  const isWaiting = state === "WAITING";
  return {
    id,
    state,
    terms,
    left,
    used,
    stoppedBy,
    proposedBy: { kind: proposedBy.kind, name: proposedBy.name },
    reason,
    createdAt: mandate.createdAt.toISOString(),
    expiresAt: isWaiting ? mandate.expiresAt.toISOString() : null,
    signedAt: mandate.signedAt?.toISOString() ?? null,
    endedAt: mandate.endedAt?.toISOString() ?? null,
    approvalUrl: isWaiting ? `${appUrl}/mandates/${id}` : null,
  };
}
