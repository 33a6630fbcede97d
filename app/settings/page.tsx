import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { CoolOffForm } from "@/app/settings/_components/cool-off-form";
import { OrganizationSection } from "@/app/settings/_components/organization-section";
import { OutgoingCapForm } from "@/app/settings/_components/outgoing-cap-form";
import { Section } from "@/components/layout/section";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { writeCents } from "@/lib/contract/format-cents";
import type { WantedChangeKind } from "@/lib/contract/policies/asked-change";
import { readOrganization } from "@/lib/views/organization/read-organization";
import { readCoolOff } from "@/lib/views/payees/read-payees";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";

export const metadata: Metadata = { title: "Settings" };

export default memberPage({
  at: "/settings",
  current: "SETTINGS",
  load: async (reading) => {
    const { organizationId } = reading.context;
    const [organization, coolOff, waiting] = await Promise.all([
      readOrganization(reading),
      readCoolOff(reading.services.pool, organizationId),
      listWaitingChangesOf(reading, ["NEW_POD_FLOOR", "OUTGOING_CAP", "PAYEE_COOL_OFF"], organizationId),
    ]);
    const waitingOf = (kind: WantedChangeKind) => waiting.filter(({ what }) => what === kind);
    return {
      ...organization,
      coolOff,
      waiting: {
        floor: waitingOf("NEW_POD_FLOOR"),
        moneyOut: waitingOf("OUTGOING_CAP"),
        coolOff: waitingOf("PAYEE_COOL_OFF"),
      },
    };
  },
  show: ({ view }) => (
    <SettingsFrame current="ORGANIZATION">
      <OrganizationSection view={view} waiting={view.waiting.floor} />
      {view.moneyOut ? (
        <Section id="money-out" title="Money out">
          <p className="max-w-[66ch] mt-3.5 text-ink-2">
            {view.moneyOut.capInCents === null
              ? "Any amount may leave Sluice, as keys, rules and approvals allow."
              : `At most ${writeCents(view.moneyOut.capInCents)} may leave Sluice within 24 hours; ${writeCents(view.moneyOut.leftInCents ?? 0)} of it may still leave now. Payments that wait to leave count until they do.`}
            {view.viewer.canChange ? " Only an owner can let more leave. All owners are notified." : null}
          </p>
          <WaitingChangeNotes changes={view.waiting.moneyOut} canAsk={view.viewer.canChange} />
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
        <WaitingChangeNotes changes={view.waiting.coolOff} canAsk={view.viewer.canChange} />
        {view.viewer.canChange ? <CoolOffForm coolOff={view.coolOff} /> : null}
      </Section>
    </SettingsFrame>
  ),
});
