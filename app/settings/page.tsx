import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { CoolOffForm } from "@/app/settings/_components/cool-off-form";
import { OrganizationSection } from "@/app/settings/_components/organization-section";
import { OutgoingCapForm } from "@/app/settings/_components/outgoing-cap-form";
import { Section } from "@/components/layout/section";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { writeCents } from "@/lib/contract/format-cents";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOrganization } from "@/lib/views/organization/read-organization";
import { readCoolOff } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  const member = await requireMember("/settings");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, coolOff, shell] = await Promise.all([
    readOrganization({ services, context, time: timeOf(member, context) }),
    readCoolOff(services.pool, context.organizationId),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
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
              : ` Payments to all of them above ${writeCents(coolOff.aboveInCents)} wait ${coolOff.hours} hours.`}
          </p>
          {view.viewer.canChange ? <CoolOffForm coolOff={coolOff} /> : null}
        </Section>
      </SettingsFrame>
    </Shell>
  );
}
