import type { Confirmation, ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type { NothingSigned } from "@/lib/contract/confirmation/signing";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  type Confirmed,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Rolls back without a signature, so that the confirmation is not consumed either. */
class NotSigned extends Error {
  constructor(readonly result: Exclude<NothingSigned, { kind: "NOT_CONFIRMED" }>) {
    super("Nothing was signed");
  }
}

/** @param message ends with "Nothing was signed." where a reader could think otherwise */
export const refuseToSign = (message: string) => new NotSigned({ kind: "REFUSED", message });

/** What is signed is not what was shown. */
export const changedSince = (change: string) => new NotSigned({ kind: "CHANGED", changes: [change] });

/** What a signature is for. A challenge for one text under one name fits no other. */
export interface Signed {
  /** As in "sign a policy". */
  what: "a policy" | "a mandate" | "a change";
  /** Names the subject and the text that was shown: "policy 7 9f86d0…". */
  text: string;
}

const scopeOf = (actor: Pick<MemberActor, "id" | "sessionId">, text: string) =>
  memberScope("DECIDE", actor, text);

/** How this member must confirm a signature, with its challenge. Does not check whether they may sign. */
export function beginSignature(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  { text }: Signed,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, scopeOf(actor, text));
}

export type SignServices = Pick<
  Services,
  "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets" | "wake"
>;

/**
 * Carries out a signature with the organization locked, so that of two last signatures one completes. The confirmation is
 * verified before the transaction, because hashing is slow and a failed attempt stays counted, and consumed inside it.
 * @param run requires a decider by itself, after the locks that come before a membership; throws what `refuseToSign` and
 *   `changedSince` give
 */
export async function sign<Result>(
  services: SignServices,
  context: Context<MemberActor>,
  { what, text, confirmation }: Signed & { confirmation: Confirmation },
  run: (client: Queryable, confirmed: Confirmed) => Promise<Result>,
): Promise<Result | NothingSigned> {
  if (!mayDecide(context.actor)) {
    return { kind: "REFUSED", message: `Only an owner or co-owner may sign ${what}. Nothing was signed.` };
  }
  try {
    const scope = scopeOf(context.actor, text);
    const verified = await verifyConfirmationOf(services, context.actor, scope, confirmation);
    const result = await inTransaction(services.pool, async (client) => {
      const confirmed = await spendConfirmation(client, verified);
      await lockOrganization(client, context.organizationId);
      return run(client, confirmed);
    });
    services.wake(SEND_NOTICES);
    return result;
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    if (error instanceof NotSigned) return error.result;
    throw error;
  }
}
