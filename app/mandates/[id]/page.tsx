import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "@/app/auth/member";
import { AskedMandatePage } from "@/app/mandates/[id]/_components/asked-mandate-page";
import { MandatePage } from "@/app/mandates/[id]/_components/mandate-page";
import { askedId } from "@/app/member-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { Shell } from "@/components/shell/shell";
import { mandateHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readMandatePage } from "@/lib/views/mandates/read-mandate-page";

export const metadata: Metadata = { title: "Mandate" };

interface Props {
  params: Promise<{ id: string }>;
}

/** What one key may move by itself: one question while it waits for signatures, and what is left once it is in use. */
export default async function MandateRoute({ params }: Props) {
  const id = askedId(await params);
  if (id === null) notFound();
  const member = await requireMember(mandateHref(id));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const time = timeOf(member, context);
  const [view, shell] = await Promise.all([
    readMandatePage({ services, context, time }, id),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  if (view.kind === "ASKED") {
    return (
      <FocusFrame view={shell} back={{ href: view.key.href, label: view.key.name, waitingCount: 0 }}>
        <Acting>
          <AskedMandatePage view={view} />
        </Acting>
      </FocusFrame>
    );
  }
  return (
    <Shell view={shell} current="API_KEYS">
      <MandatePage view={view} />
    </Shell>
  );
}
