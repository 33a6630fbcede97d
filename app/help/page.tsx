import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { HelpPage } from "@/app/help/_components/help-page";
import { shellOf } from "@/app/page-setting";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readHelp } from "@/lib/views/members/read-help";

export const metadata: Metadata = { title: "Help" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** `?request=`: the ID of the failed request. */
export default async function Page({ searchParams }: PageProps) {
  const member = await requireMember("/help");
  const { services, supportEmail, version, isSandbox, mailWay, smsWay } = getRuntime();
  const context = memberContext(services, member);
  const { organization } = member;
  const { request: requestId } = await searchParams;
  const [view, shell] = await Promise.all([
    readHelp(
      { services, context },
      {
        organization,
        supportEmail,
        requestId,
        installation: { version, isSandbox, mailWay, smsWay },
      },
    ),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
      <SettingsFrame current="HELP">
        <HelpPage view={view} />
      </SettingsFrame>
    </Shell>
  );
}
