import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { BeneficiariesPage } from "@/app/settings/beneficiaries/_components/beneficiaries-page";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { readBeneficiaries } from "@/lib/views/accounts/read-beneficiaries";

export const metadata: Metadata = { title: "Beneficiaries" };

export default memberPage({
  at: "/settings/beneficiaries",
  current: "SETTINGS",
  load: readBeneficiaries,
  show: ({ view }) => (
    <SettingsFrame current="BENEFICIARIES">
      <BeneficiariesPage view={view} />
    </SettingsFrame>
  ),
});
