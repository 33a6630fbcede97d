import { OrganizationRows } from "@/components/settings/organization-rows";
import { timeZoneWords } from "@/components/settings/time-zone-words";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import { activityHref } from "@/lib/contract/list-search";
import type { OrganizationActions, OrganizationView } from "@/lib/contract/views/organization-view";

const KIND_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface OrganizationSectionProps {
  view: OrganizationView;
  actions: OrganizationActions;
}

/** Settings, and where the history of members' changes is. */
export function OrganizationSection({ view, actions }: OrganizationSectionProps) {
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
          actions={actions}
        />
        {view.viewer.canChange ? null : (
          <p className="meta set-o">Ask an owner or co-owner to change these.</p>
        )}
      </Section>
      <Section id="changes" title="Changes">
        <p className="ink2 set-o">
          Who changed what here is in{" "}
          <Link
            className="link"
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
