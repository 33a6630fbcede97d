import type { Metadata } from "next";
import { HelpPage } from "@/app/help/_components/help-page";
import { memberPage } from "@/app/member-page";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { getRuntime } from "@/lib/next/runtime";
import { readHelp } from "@/lib/views/members/read-help";

export const metadata: Metadata = { title: "Help" };

/** `?request=`: the ID of the failed request. */
export default memberPage({
  search: ({ request }) => ({ requestId: request }),
  at: "/help",
  current: "SETTINGS",
  load: ({ member, ...reading }, { requestId }) => {
    const { supportEmail, version, isSandbox, mailWay, smsWay } = getRuntime();
    return readHelp(reading, {
      organization: member.organization,
      supportEmail,
      requestId,
      installation: { version, isSandbox, mailWay, smsWay },
    });
  },
  show: ({ view }) => (
    <SettingsFrame current="HELP">
      <HelpPage view={view} />
    </SettingsFrame>
  ),
});
