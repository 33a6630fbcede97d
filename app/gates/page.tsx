import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { GatesPage } from "@/app/gates/_components/gates-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readGatesPage } from "@/lib/views/gates/read-gates-page";

export const metadata: Metadata = { title: "Gates" };

export default async function Page() {
  const member = await requireMember("/gates");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readGatesPage({ services, context, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current={null}>
      <GatesPage view={view} shell={shell} />
    </Shell>
  );
}
