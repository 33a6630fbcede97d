import { redirect } from "next/navigation";
import { requireMember } from "@/app/auth/member";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOnboarding } from "@/lib/views/read-onboarding";

/** Redirects to the first step that is not done. */
export default async function Page() {
  const member = await requireMember("/welcome");
  const { services } = getRuntime();
  const { nextHref } = await readOnboarding(services, memberContext(services, member));
  redirect(nextHref ?? "/welcome/key");
}
