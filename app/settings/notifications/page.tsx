import type { Metadata } from "next";
import Link from "next/link";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import {
  removePhone,
  savePreference,
  sendPhoneCode,
  setPhone,
  verifyPhone,
} from "@/app/settings/notifications/actions";
import { beginPresence, confirmPresence } from "@/app/settings/security/actions";
import { MessageLog } from "@/components/notifications/message-log";
import { PhoneSection } from "@/components/notifications/phone-section";
import { TopicsSection } from "@/components/notifications/topics-section";
import { Shell } from "@/components/shell/shell";
import { buttonClass } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { memberContext } from "@/lib/core/members/member-context";
import { readNotifications } from "@/lib/core/notifications/read-notifications";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Notifications" };

/** What a member is told of and how, where text messages go, and what was sent. */
export default async function NotificationsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/settings/notifications");
  const { services, smsWay } = getRuntime();
  const context = memberContext(services, member);
  const { before } = await searchParams;
  const [view, shell] = await Promise.all([
    readNotifications(services, context, { smsWay, before, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current={null}>
      <PageHead
        title="What you are told"
        lede={`${member.actor.name}, ${view.email}`}
        actions={
          <p className="page-a">
            <Link className={buttonClass({ kind: "outlined", size: "small" })} href="/settings/security">
              How you sign in
            </Link>
          </p>
        }
      />
      <TopicsSection view={view} organizationName={member.organization.name} save={savePreference} />
      <PhoneSection
        phone={view.phone}
        smsWay={view.smsWay}
        // Codes live in real time, whatever the sandbox's clock says.
        time={{ ...view.time, nowAt: services.clock.now().toISOString() }}
        actions={{ setPhone, sendPhoneCode, verifyPhone, removePhone, beginPresence, confirmPresence }}
      />
      <MessageLog view={view} />
    </Shell>
  );
}
