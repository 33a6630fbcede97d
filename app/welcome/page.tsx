import { redirect } from "next/navigation";
import { requireMember } from "@/app/auth/member";
import { memberContext } from "@/lib/core/members/member-context";
import { readOnboarding } from "@/lib/core/onboarding/read-onboarding";
import { getRuntime } from "@/lib/core/runtime";

/** Goes on with the first step that is not done, in whichever browser. */
export default async function Page() {
  const member = await requireMember("/welcome");
  const { services } = getRuntime();
  const { nextHref } = await readOnboarding(services, memberContext(services, member));
  redirect(nextHref ?? "/welcome/key");
}
