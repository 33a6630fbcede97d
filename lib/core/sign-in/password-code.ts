import type { SignInOutcome } from "@/lib/core/shared/session";
import { type CodeServices, checkCode, hasAuthenticator, spendCode } from "@/lib/core/sign-in/authenticator";
import type { Queryable } from "@/lib/db/transaction";

/** The code given with a correct password. `NONE`: no code is required. */
export type TakenCode =
  | { kind: "RIGHT"; step: number }
  | { kind: "NONE" }
  | Extract<SignInOutcome, { kind: "CODE_NEEDED" | "CODE_WRONG" | "THROTTLED" }>;

/** Whether this member's password is enough, and if not, whether the code is correct. Consumes nothing. */
export async function takeCode(
  services: CodeServices,
  userId: string,
  typed: string | undefined,
): Promise<TakenCode> {
  if (!(await hasAuthenticator(services.pool, userId))) return { kind: "NONE" };
  if (typed === undefined || typed.trim() === "") return { kind: "CODE_NEEDED" };
  const checked = await checkCode(services, userId, typed);
  return checked.kind === "WRONG" ? { kind: "CODE_WRONG" } : checked;
}

/** In the transaction of what the code confirms; false: it was used since, or an app was added or removed. */
export async function spendTakenCode(
  client: Queryable,
  userId: string,
  code: Extract<TakenCode, { kind: "RIGHT" | "NONE" }>,
): Promise<boolean> {
  if (code.kind === "RIGHT") return spendCode(client, userId, code.step);
  return !(await hasAuthenticator(client, userId));
}
