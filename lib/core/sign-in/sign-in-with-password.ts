import { z } from "zod";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { refundAttempt, takeGuess } from "@/lib/core/shared/throttle";
import type { CodeServices } from "@/lib/core/sign-in/authenticator";
import { noteSignIn } from "@/lib/core/sign-in/note-sign-in";
import { givenPasswordSchema, verifyPassword } from "@/lib/core/sign-in/password";
import { spendTakenCode, takeCode } from "@/lib/core/sign-in/password-code";
import { emailSchema } from "@/lib/core/sign-in/person";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({
  email: emailSchema,
  password: givenPasswordSchema,
  code: z.string().max(20).optional(),
});

/**
 * Signs in with email and password. An unknown address and a wrong password get the same response after the same work;
 * ten attempts per 15 minutes from one network or known browser are checked (`takeGuess`), after which even the correct
 * password fails. The code of an authenticator app is requested only after a correct password, so strangers cannot find
 * out who has one.
 */
export async function signInWithPassword(
  services: CodeServices & Pick<Services, "log">,
  input: { email: string; password: string; code?: string },
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  return noteSignIn(services, "PASSWORD", await attempt(services, input, browser), browser);
}

async function attempt(
  services: CodeServices,
  input: { email: string; password: string; code?: string },
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  const given = inputSchema.safeParse(input).data;
  if (!given) return { kind: "FAILED" };
  const taken = await takeGuess(services, given.email, browser);
  if (taken.kind === "THROTTLED") return taken;
  const userId = await findByPassword(services, given);
  if (userId === null) return { kind: "FAILED" };
  const code = await takeCode(services, userId, given.code);
  if (code.kind === "CODE_NEEDED") await refundAttempt(services, taken);
  if (code.kind !== "RIGHT" && code.kind !== "NONE") return code;
  const outcome = await inTransaction(services.pool, async (client): Promise<SignInOutcome> => {
    if (!(await spendTakenCode(client, userId, code))) return { kind: "CODE_WRONG" };
    const signedIn = await signInBrowser(
      client,
      services.clock.now(),
      { userId, proof: { method: "PASSWORD", withCode: code.kind === "RIGHT" } },
      browser,
    );
    return signedIn ?? { kind: "FAILED" };
  });
  if (outcome.kind === "SIGNED_IN") await refundAttempt(services, taken);
  return outcome;
}

/** @returns the user's id; null alike for an unknown address and a wrong password, after one hash either way. */
export async function findByPassword(
  services: Pick<Services, "pool">,
  given: { email: string; password: string },
): Promise<string | null> {
  const { rows } = await services.pool.query<{ id: string; passwordHash: string }>({
    name: "find_user_by_email",
    text: `select id, password_hash as "passwordHash" from users where lower(email) = $1`,
    values: [given.email],
  });
  const user = rows[0];
  const fits = await verifyPassword(user?.passwordHash ?? null, given.password);
  return user && fits ? user.id : null;
}
