import type { Metadata } from "next";
import { cookies } from "next/headers";
import { memberPage } from "@/app/member-page";
import { realTimeOf } from "@/app/page-setting";
import { BrowserSection } from "@/app/settings/security/_components/browser-section";
import { SecuritySection } from "@/app/settings/security/_components/security-section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { KEYS_COOKIE, parseSingleKeys } from "@/lib/contract/browser/setting";
import { listSecurity } from "@/lib/views/members/list-security";

export const metadata: Metadata = { title: "Security" };

export default memberPage({
  at: "/settings/security",
  current: "SETTINGS",
  load: async ({ services, member }) => {
    const [security, cookieStore] = await Promise.all([listSecurity(services, member.actor), cookies()]);
    return { security, hasSingleKeys: parseSingleKeys(cookieStore.get(KEYS_COOKIE)?.value) };
  },
  show: ({ services, member, view: { security, hasSingleKeys } }) => (
    <SettingsFrame current="SECURITY">
      <SecuritySection
        view={security}
        email={member.actor.email}
        // Passkeys use real time, not the sandbox clock.
        time={realTimeOf(services, member)}
      />
      <BrowserSection hasSingleKeys={hasSingleKeys} />
    </SettingsFrame>
  ),
});
