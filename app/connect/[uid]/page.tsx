import type { Metadata } from "next";
import { headers } from "next/headers";
import { requireMember } from "@/app/auth/member";
import { ConsentOver, ConsentPage } from "@/app/connect/[uid]/_components/consent-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { requestUidSchema } from "@/lib/core/keys/connect-assistant";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readConsent } from "@/lib/views/assistants/read-consent";

export const metadata: Metadata = { title: "Connect an assistant" };

/** OAuth consent. Opening it connects nothing. No site can frame it (lib/api/launcher/response-headers.ts). */
export default async function ConnectPage({ params }: { params: Promise<{ uid: string }> }) {
  const uid = requestUidSchema.safeParse((await params).uid);
  const member = await requireMember(uid.success ? `/connect/${uid.data}` : "/");
  const { services, connections } = getRuntime();
  const context = memberContext(services, member);
  const cookieHeader = (await headers()).get("cookie") ?? "";
  const [request, shell] = await Promise.all([
    uid.success ? connections.read(uid.data, cookieHeader) : null,
    shellOf(member, context),
  ]);
  const back = { href: "/approvals", label: "Approvals", waitingCount: shell.waitingCount };
  if (!request) {
    return (
      <FocusFrame view={shell} back={back}>
        <ConsentOver />
      </FocusFrame>
    );
  }
  const view = await readConsent({ services, context, time: timeOf(member, context) }, request, member);
  return (
    <FocusFrame view={shell} back={back}>
      <Acting>
        <ConsentPage view={view} />
      </Acting>
    </FocusFrame>
  );
}
