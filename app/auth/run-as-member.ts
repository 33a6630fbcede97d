import "server-only";
import { unstable_rethrow } from "next/navigation";
import { ASKING_STATUS, type AskingOptions, askingMember } from "@/app/auth/member";
import { timeOf } from "@/app/page-setting";
import type { ElsewhereView } from "@/lib/contract/browser/elsewhere";
import { AppError, ERROR_STATUS, type ErrorDetail } from "@/lib/contract/error";
import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { beginAction, requestIdToQuote } from "@/lib/next/page-request";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

type Services = Runtime["services"];

/** Turns one wrong field into the sentence shown beside it; null for what the form has no field for. */
export type ToProblem = (detail: ErrorDetail) => { field: string; problem: string } | null;

interface RunOptions extends AskingOptions {
  /** Without it, a refusal has only its message. */
  toProblem?: ToProblem;
}

type Run<Result> = (
  services: Services,
  context: Context<MemberActor>,
  time: TimeContext,
  member: CurrentSession,
) => Promise<Result>;

/** Runs a command as the signed-in member, in the organization that their page showed. */
export async function runAsMember<Result>(run: Run<Result>, options: RunOptions): Promise<Result | Refused> {
  const ran = await attemptAsMember(run, options);
  return ran.kind === "RAN" ? ran.value : ran.refused;
}

/**
 * Runs what members do about their own sign-in, also before the second factor that their organization requires: this is
 * how they add one. Without a context, so that it reaches nothing of the organization.
 */
export async function runAsOwnPerson<Result>(
  run: (services: Services, actor: MemberActor) => Promise<Result>,
  { toProblem, ...options }: RunOptions,
): Promise<Result | Refused> {
  const asking = await askingMember({ ...options, isOwnPerson: true });
  if (asking.kind === "REFUSED") return refusal(asking.message);
  const ran = await attempt(() => run(getRuntime().services, asking.member.actor), toProblem);
  return ran.kind === "RAN" ? ran.value : ran.refused;
}

/** Runs what needs no session: signing in and up, a reset, an invitation. */
export async function runAsVisitor<Result>(
  run: (services: Services) => Promise<Result>,
  { toProblem }: Pick<RunOptions, "toProblem"> = {},
): Promise<Result | Refused> {
  const ran = await attempt(() => run(getRuntime().services), toProblem);
  return ran.kind === "RAN" ? ran.value : ran.refused;
}

type Attempt<Result> =
  | { kind: "RAN"; value: Result }
  | { kind: "REFUSED"; refused: Refused; status: number; elsewhere: ElsewhereView | null };

/** The same for routes, which answer with a status. */
export async function attemptAsMember<Result>(
  run: Run<Result>,
  { toProblem, ...options }: RunOptions,
): Promise<Attempt<Result>> {
  const asking = await askingMember(options);
  if (asking.kind === "REFUSED") {
    const { because, message, elsewhere } = asking;
    return { kind: "REFUSED", refused: refusal(message), status: ASKING_STATUS[because], elsewhere };
  }
  const { member } = asking;
  const { services } = getRuntime();
  const ran = await attempt(async () => {
    const context = memberContext(services, member);
    return run(services, context, timeOf(member, context), member);
  }, toProblem);
  if (ran.kind === "REFUSED" && ran.refused.code === "ACCESS_DENIED") {
    // Pages do not offer what a role may not do, so this call bypassed the page.
    services.log.info({ userId: member.actor.id, code: ran.refused.code }, "a member lacked permission");
  }
  return ran;
}

async function attempt<Result>(run: () => Promise<Result>, toProblem?: ToProblem): Promise<Attempt<Result>> {
  beginAction();
  try {
    return { kind: "RAN", value: await run() };
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof NotConfirmed) {
      return {
        kind: "REFUSED",
        refused: { ...refusal(error.message), needsProof: true },
        status: ERROR_STATUS.ACCESS_DENIED,
        elsewhere: null,
      };
    }
    if (error instanceof AppError) {
      const refused = { ...refusedFields(error.details, toProblem, error.message), code: error.code };
      return { kind: "REFUSED", refused, status: ERROR_STATUS[error.code], elsewhere: null };
    }
    return { kind: "REFUSED", refused: unexpected(error), status: 500, elsewhere: null };
  }
}

/** Logs the error whole; the member gets a request ID to quote, and no promise about what happened. */
function unexpected(error: unknown): Refused {
  const requestId = requestIdToQuote();
  getRuntime().services.log.error({ err: error, requestId }, "a member's action ended unexpectedly");
  const message = `Something broke on our side. We do not know yet whether it took effect; load this page again to see. Request ${requestId}.`;
  return { ...refusal(message), requestId };
}

export function refusal(message: string): Refused {
  return { kind: "REFUSED", message };
}

export function refusedField(field: string, problem: string): Refused {
  return { ...refusal(problem), problems: { [field]: problem } };
}

/** @param otherwise where no field of the form is wrong */
export function refusedFields(
  details: readonly ErrorDetail[],
  toProblem: ToProblem = () => null,
  otherwise = "Load this page again. Nothing was changed.",
): Refused {
  const problems: Record<string, string> = {};
  for (const detail of details) {
    const found = toProblem(detail);
    if (found) problems[found.field] ??= found.problem;
  }
  const sentences = Object.values(problems);
  return sentences.length === 0 ? refusal(otherwise) : { ...refusal(sentences.join(" ")), problems };
}

export function refusedForNow({ retryAfterSeconds }: { retryAfterSeconds: number }): Refused {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return refusal(`Too many attempts. Try again in ${minutes}\u00a0min.`);
}

/** `must not be blank` as `The name must not be blank.`; a whole sentence stays as it is. */
export function labeled(labels: Readonly<Record<string, string>>): ToProblem {
  return ({ field, message }) => {
    const label = labels[field.split(".").at(-1) ?? ""] ?? "This";
    return { field, problem: /^[a-z]/.test(message) ? `${label} ${message}.` : message };
  };
}
