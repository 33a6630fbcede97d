import "server-only";
import { askingMember } from "@/app/auth/member";
import { timeOf } from "@/app/page-setting";
import { AppError } from "@/lib/contract/error";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

type Refused = { kind: "REFUSED"; message: string };

/**
 * Runs a command as the signed-in member, in the organization that their page showed. A refusal keeps its own message.
 * @param shown what the page showed, of a form that works without scripts
 */
export async function runAsMember<Result>(
  run: (services: Runtime["services"], context: Context<MemberActor>, time: TimeContext) => Promise<Result>,
  shown?: unknown,
): Promise<Result | Refused> {
  const asking = await askingMember({ shown });
  if (asking.kind === "REFUSED") return refused(asking.message);
  const current = asking.member;
  const { services } = getRuntime();
  const result = await runGuarded(async () => {
    try {
      const context = memberContext(services, current);
      return { kind: "RAN" as const, value: await run(services, context, timeOf(current, context)) };
    } catch (error) {
      if (error instanceof NotConfirmed || error instanceof AppError) {
        noteDenied(services, current.actor.id, error);
        return { kind: "RAN" as const, value: refused(error.message) };
      }
      throw error;
    }
  });
  return result.kind === "RAN" ? result.value : refused(`${result.message} Request ${result.requestId}.`);
}

/** Pages offer nobody what they may not: who is refused for it called past the page. */
function noteDenied({ log }: Runtime["services"], userId: string, error: AppError | NotConfirmed): void {
  if (error instanceof AppError && error.code === "ACCESS_DENIED") {
    log.info({ userId, code: error.code }, "a member was refused what they may not do");
  }
}

function refused(message: string): Refused {
  return { kind: "REFUSED", message };
}
