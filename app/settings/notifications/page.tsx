import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { realTimeOf } from "@/app/page-setting";
import { DeviceSection } from "@/app/settings/notifications/_components/device-section";
import { MessageLog } from "@/app/settings/notifications/_components/message-log";
import { PhoneSection } from "@/app/settings/notifications/_components/phone-section";
import { TopicsSection } from "@/app/settings/notifications/_components/topics-section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { getRuntime } from "@/lib/next/runtime";
import { readNotifications } from "@/lib/views/notifications/read-notifications";

export const metadata: Metadata = { title: "Notifications" };

export default memberPage({
  search: ({ before }) => ({ before }),
  at: "/settings/notifications",
  current: "SETTINGS",
  load: (reading, { before }) => {
    const { smsWay, push } = getRuntime();
    return readNotifications(reading, { publicKey: push.port.publicKey, smsWay, before });
  },
  show: ({ view, services, member }) => (
    <SettingsFrame current="NOTIFICATIONS">
      <TopicsSection view={view} organizationName={member.organization.name} />
      <DeviceSection view={view.devices} isDecider={view.isDecider} time={realTimeOf(services, member)} />
      <PhoneSection
        phone={view.phone}
        smsWay={view.smsWay}
        // Codes use real time, not the sandbox clock.
        time={realTimeOf(services, member)}
      />
      <MessageLog view={view} />
    </SettingsFrame>
  ),
});
