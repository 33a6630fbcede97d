import type { Metadata } from "next";
import { cookies } from "next/headers";
import { requireMember } from "@/app/auth/member";
import { realTimeOf, shellOf } from "@/app/page-setting";
import { BrowserSection } from "@/app/settings/security/_components/browser-section";
import { SecuritySection } from "@/app/settings/security/_components/security-section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { KEYS_COOKIE, parseSingleKeys } from "@/lib/contract/browser/setting";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listSecurity } from "@/lib/views/members/list-security";

export const metadata: Metadata = { title: "Security" };

export default async function Page() {
  const current = await requireMember("/settings/security");
  const { services } = getRuntime();
  const [cookieStore, shell, view] = await Promise.all([
    cookies(),
    shellOf(current, memberContext(services, current)),
    listSecurity(services, current.actor),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
      <SettingsFrame current="SECURITY">
        <SecuritySection
          view={view}
          email={current.actor.email}
          // Passkeys use real time, not the sandbox clock.
          time={realTimeOf(services, current)}
        />
        <BrowserSection hasSingleKeys={parseSingleKeys(cookieStore.get(KEYS_COOKIE)?.value)} />
      </SettingsFrame>
    </Shell>
  );
}
