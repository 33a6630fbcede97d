import type {
  Confirmation,
  ConfirmationRequest,
  OpenGatesResult,
} from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { BOOK_TRANSFERS, RUN_RULES, SEND_NOTICES, SUBMIT_TO_BANK } from "@/lib/core/shared/work-names";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  type ConfirmingServices,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Closes all gates of the organization at once, without step-up (docs/behavior/approvals.md, "Closing all gates"): keys,
 * assistants, hooks, rules and cards move nothing, and accepted unsent transfers wait with their holds. When this
 * returns, no transaction that saw open gates is still running. Closing closed gates has no effect.
 * @throws AppError `ACCESS_DENIED` unless the caller is an owner or co-owner at this moment.
 */
export async function closeGates(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const { rows } = await services.pool.query<{ outcome: "CLOSED" | "ALREADY" | "MAY_NOT" }>({
    name: "close_gates",
    text: "select close_gates($1, $2, $3, $4, $5) as outcome",
    values: [organizationId, newId(now), newId(now), actor.id, now],
  });
  if (rows[0]?.outcome === "MAY_NOT") {
    throw new AppError(
      "ACCESS_DENIED",
      "Only an owner or co-owner may close the gates. Nothing was stopped. Contact one of them.",
    );
  }
  services.wake(SEND_NOTICES);
}

/** A challenge to open these gates opens no others, nor these after another closing. */
function openingScope(actor: Pick<MemberActor, "id" | "sessionId">, closingId: string): ChallengeScope {
  return memberScope("DECIDE", actor, `gates OPEN ${closingId}`);
}
/**
 * How this member must confirm the opening, with its challenge: always a passkey or a password, however recently they
 * signed in. Does not check whether they may.
 */
export function beginOpening(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  closingId: string,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, openingScope(actor, closingId), { freshSignInCounts: false });
}

/**
 * Opens the gates that one closing closed, with a fresh confirmation (docs/behavior/approvals.md, "Closing all gates").
 * Waiting transfers continue; missed runs are not repeated. The confirmation is consumed only if the gates open.
 */
export async function openGates(
  services: ConfirmingServices & Pick<Services, "wake">,
  context: Context<MemberActor>,
  input: { closingId: string; confirmation: Confirmation },
): Promise<OpenGatesResult> {
  const { actor } = context;
  // Before the confirmation: a member who may not open the gates must not get to guess passwords here.
  if (!mayDecide(actor)) return { kind: "REFUSED", message: REFUSALS.MAY_NOT };
  try {
    const scope = openingScope(actor, input.closingId);
    // Before the transaction: checking a password is slow on purpose, and a failed attempt must stay counted.
    const verified = await verifyConfirmationOf(services, actor, scope, input.confirmation);
    if (verified.method === "RECENT_SIGN_IN")
      throw new NotConfirmed("Confirm with your password. The gates stay closed.");
    await inTransaction(services.pool, async (client) => {
      const { method } = await spendConfirmation(client, verified);
      const { organizationId, now } = context;
      const { rows } = await client.query<{ outcome: "OPENED" | "ALREADY" | "MAY_NOT" }>({
        name: "open_gates",
        text: "select open_gates($1, $2, $3, $4, $5, $6) as outcome",
        values: [organizationId, input.closingId, newId(now), actor.id, method, now],
      });
      const outcome = rows[0]?.outcome;
      if (outcome !== "OPENED") throw new NotOpened(REFUSALS[outcome ?? "ALREADY"]);
    });
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    if (error instanceof NotOpened) return { kind: "REFUSED", message: error.message };
    throw error;
  }
  for (const work of [BOOK_TRANSFERS, SUBMIT_TO_BANK, RUN_RULES, SEND_NOTICES]) services.wake(work);
  return { kind: "OPENED" };
}

/** Rolls back the transaction, so that the confirmation is not consumed. */
class NotOpened extends Error {}

const REFUSALS = {
  ALREADY: "These gates are already open. Reload the page: they may have been closed again.",
  MAY_NOT: "Only an owner or co-owner may open the gates. They stay closed.",
} as const;
