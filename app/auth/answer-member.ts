import "server-only";
import { ASKING_STATUS, askingMember, type Refused } from "@/app/auth/member";
import { timeOf } from "@/app/page-setting";
import { AppError } from "@/lib/contract/error";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import type { RequestBudget } from "@/lib/core/sign-in/request-budget";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

/** What a signed-in member's browser is told is for it alone, and only for now. */
export const PRIVATE_ANSWER = { "Cache-Control": "no-store", Vary: "Cookie" };

/**
 * Answers a question that a page of a signed-in member asks by itself, within a budget for its session.
 * @param proposalId what the question's address is about
 */
export async function answerMember(
  budget: RequestBudget,
  answer: (
    services: Runtime["services"],
    context: Context<MemberActor>,
    time: TimeContext,
  ) => Promise<Response>,
  proposalId?: string,
): Promise<Response> {
  const asking = await askingMember({ proposalId });
  if (asking.kind === "REFUSED") return refuseAsking(asking);
  const { member } = asking;
  const { services } = getRuntime();
  const context = memberContext(services, member);
  try {
    budget.take(services, context);
  } catch (error) {
    if (error instanceof AppError) return refuse(429, error.message, { "Retry-After": "60" });
    throw error;
  }
  const answered = await runGuarded(async () => ({
    kind: "ANSWERED" as const,
    response: await answer(services, context, timeOf(member, context)),
  }));
  return answered.kind === "ANSWERED" ? answered.response : refuse(500, answered.requestId);
}

/** Of another organization: which it shows and which it would be, so that the page can offer both. */
function refuseAsking({ because, message, elsewhere }: Refused): Response {
  const status = ASKING_STATUS[because];
  return elsewhere ? Response.json(elsewhere, { status, headers: PRIVATE_ANSWER }) : refuse(status, message);
}

function refuse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { ...PRIVATE_ANSWER, ...headers } });
}
