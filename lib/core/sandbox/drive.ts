import { AppError } from "@/lib/contract/error";
import type { SandboxAction } from "@/lib/contract/sandbox";
import type { AchReturnCode } from "@/lib/contract/transfer";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { SandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import type { SandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import type { SandboxCardDriver } from "@/lib/ports/cards/sandbox/sandbox-card-driver";

/** The simulated parts of the outside world that members may control. */
export interface SandboxWorld {
  bank: SandboxBankDriver;
  cards: SandboxCardDriver;
  institutions: SandboxInstitutions;
  /** Whether webhooks may go to this machine, so that its built-in receiver can be used. */
  hasReceiver: boolean;
  /** Carries out all due work until none is left; a moved clock calls it at each moment it passes. */
  carryOutDue: () => Promise<void>;
}

/**
 * Controlling the sandbox moves balances, so it requires a role that decides about money, and a server without real
 * providers.
 * @throws AppError `ACCESS_DENIED`
 */
export function requireDriver(context: Context<MemberActor>, sandbox: SandboxWorld | null): SandboxWorld {
  if (!sandbox) {
    throw new AppError("ACCESS_DENIED", "The sandbox is unavailable: a real provider is configured.");
  }
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner can control the sandbox.");
  }
  return sandbox;
}

/** Records a member's action for the sandbox page. `at`: business time after it. */
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

/**
 * No bank can answer that the account outside has too little when money is sent to it.
 * @throws AppError `INVALID_PARAMETERS`
 */
export function requirePossibleReturn(code: AchReturnCode, isPull: boolean): void {
  if (code !== "R01" || isPull) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    "R01 says that the account outside had not enough money, so only money drawn from it comes back with it. Choose another code.",
  );
}
