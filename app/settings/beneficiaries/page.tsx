import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { BeneficiariesPage } from "@/app/settings/beneficiaries/_components/beneficiaries-page";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readBeneficiaries } from "@/lib/views/accounts/read-beneficiaries";

export const metadata: Metadata = { title: "Beneficiaries" };

export default async function Page() {
  const member = await requireMember("/settings/beneficiaries");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readBeneficiaries({ services, context, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
      <SettingsFrame current="BENEFICIARIES">
        <BeneficiariesPage view={view} />
      </SettingsFrame>
    </Shell>
  );
}
