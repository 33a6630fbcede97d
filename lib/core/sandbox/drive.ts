import { AppError } from "@/lib/contract/error";
import type { SandboxAction } from "@/lib/contract/views/sandbox-view";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { SandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import type { SandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import type { SandboxCardDriver } from "@/lib/ports/cards/sandbox/sandbox-card-driver";

/** The parts of the world outside that are played, not real, and that a member may drive. */
export interface SandboxWorld {
  bank: SandboxBankDriver;
  cards: SandboxCardDriver;
  institutions: SandboxInstitutions;
  /** Whether webhooks may go to this very machine, so that its own receiver can be tried. */
  hasReceiver: boolean;
  /** Carries out all that is due by now, until nothing more is: what a moved clock does at each moment on its way. */
  carryOutDue: () => Promise<void>;
}

/**
 * Driving the sandbox moves balances, so it is for those who may decide about money; and where anything real is
 * configured there is nothing to drive.
 * @throws AppError `ACCESS_DENIED`
 */
export function requireDriver(context: Context<MemberActor>, sandbox: SandboxWorld | null): SandboxWorld {
  if (!sandbox) {
    throw new AppError("ACCESS_DENIED", "There is no sandbox here: a real provider is configured.");
  }
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may drive the sandbox.");
  }
  return sandbox;
}

/** Notes what a member did, for the page that tells what each did. `at`: business time after it. */
export async function noteAction(
  database: Queryable,
  context: Context<MemberActor>,
  action: SandboxAction,
  at: Date = context.now,
): Promise<void> {
  await database.query({
    name: "note_sandbox_action",
    text: `insert into sandbox_actions (organization_id, id, action, member_id, member_name, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      context.organizationId,
      newId(at),
      JSON.stringify(action),
      context.actor.id,
      context.actor.name,
      at,
    ],
  });
}
