import { OrganizationRows } from "@/app/settings/_components/organization-rows";
import { Section } from "@/components/layout/section";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { timeZoneWords } from "@/components/parts/settings/time-zone-words";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { activityHref } from "@/lib/contract/search/list-search";
import type { OrganizationView } from "@/lib/views/organization/read-organization";
import type { WaitingChangeView } from "@/lib/views/policies/list-waiting-changes-of";

const KIND_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface OrganizationSectionProps {
  view: OrganizationView;
  /** Changes of the default floor that wait for signatures. */
  waiting: readonly WaitingChangeView[];
}

/** Settings, and where the history of members' changes is. */
export function OrganizationSection({ view, waiting }: OrganizationSectionProps) {
  return (
    <>
      <Section
        id="organization"
        title="Organization"
        fact={
          <>
            Since <Moment at={view.createdAt} time={view.time} format={formatDay} />
          </>
        }
      >
        <OrganizationRows
          view={view}
          words={{
            kind: KIND_WORD[view.kind],
            timeZone: timeZoneWords(view.timeZone, view.time),
            floor: formatCents(view.newPodFloorInCents ?? 0),
          }}
        />
        <WaitingChangeNotes changes={waiting} canAsk={view.viewer.canChange} />
        {view.viewer.canChange ? null : (
          <p className="text-sm text-ink-3 mt-2">Ask an owner or co-owner to change these.</p>
        )}
      </Section>
      <Section id="changes" title="Changes">
        <p className="mt-2 text-ink-2">
          Who changed what here is in{" "}
          <Link
            className={LINK}
            href={activityHref({ by: null, about: "organization", from: null, to: null })}
          >
            the activity of people
          </Link>
          , with every other change and decision.
        </p>
      </Section>
    </>
  );
}
