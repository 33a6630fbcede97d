import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { realTimeOf, shellOf, timeOf } from "@/app/page-setting";
import { DeviceSection } from "@/app/settings/notifications/_components/device-section";
import { MessageLog } from "@/app/settings/notifications/_components/message-log";
import { PhoneSection } from "@/app/settings/notifications/_components/phone-section";
import { TopicsSection } from "@/app/settings/notifications/_components/topics-section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readNotifications } from "@/lib/views/notifications/read-notifications";

export const metadata: Metadata = { title: "Notifications" };

export default async function NotificationsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/settings/notifications");
  const { services, smsWay, push } = getRuntime();
  const context = memberContext(services, member);
  const { before } = await searchParams;
  const [view, shell] = await Promise.all([
    readNotifications(
      { services, context, time: timeOf(member, context) },
      { publicKey: push.port.publicKey, smsWay, before },
    ),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
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
    </Shell>
  );
}
