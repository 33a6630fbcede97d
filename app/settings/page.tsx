import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { CoolOffForm } from "@/app/settings/_components/cool-off-form";
import { OrganizationSection } from "@/app/settings/_components/organization-section";
import { OutgoingCapForm } from "@/app/settings/_components/outgoing-cap-form";
import { Section } from "@/components/layout/section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { writeCents } from "@/lib/contract/format-cents";
import { readOrganization } from "@/lib/views/organization/read-organization";
import { readCoolOff } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Settings" };

export default memberPage({
  at: "/settings",
  current: "SETTINGS",
  load: async (reading) => {
    const [organization, coolOff] = await Promise.all([
      readOrganization(reading),
      readCoolOff(reading.services.pool, reading.context.organizationId),
    ]);
    return { ...organization, coolOff };
  },
  show: ({ view }) => (
    <SettingsFrame current="ORGANIZATION">
      <OrganizationSection view={view} />
      {view.moneyOut ? (
        <Section id="money-out" title="Money out">
          <p className="max-w-[66ch] mt-3.5 text-ink-2">
            {view.moneyOut.capInCents === null
              ? "Any amount may leave Sluice, as keys, rules and approvals allow."
              : `At most ${writeCents(view.moneyOut.capInCents)} may leave Sluice within 24 hours; ${writeCents(view.moneyOut.leftInCents ?? 0)} of it may still leave now. Payments that wait to leave count until they do.`}
            {view.viewer.canChange ? " Only an owner can let more leave. All owners are notified." : null}
          </p>
          {view.viewer.canChange ? <OutgoingCapForm capInCents={view.moneyOut.capInCents} /> : null}
        </Section>
      ) : null}
      <Section id="payees" title="Payees">
        <p className="max-w-[66ch] mt-3.5 text-ink-2">
          Payments to new and changed payees that are larger together wait, so that there is time to notice.
          {view.viewer.canChange
            ? null
            : ` Payments to all of them above ${writeCents(view.coolOff.aboveInCents)} wait ${view.coolOff.hours} hours.`}
        </p>
        {view.viewer.canChange ? <CoolOffForm coolOff={view.coolOff} /> : null}
      </Section>
    </SettingsFrame>
  ),
});
