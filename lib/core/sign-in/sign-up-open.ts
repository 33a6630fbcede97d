import { hasOrganization } from "@/lib/core/sign-in/has-organization";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";

export type SignUpPolicy = Config["signUp"];

/** Whether a stranger may sign up now. `finishSignUp` decides; this spares those who come too late the way there. */
export async function isSignUpOpen(services: Pick<Services, "pool">, policy: SignUpPolicy): Promise<boolean> {
  return policy === "OPEN" || !(await hasOrganization(services));
}
