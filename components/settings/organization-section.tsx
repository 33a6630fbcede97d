import { changeSentence } from "@/components/settings/change-sentence";
import { OrganizationRows } from "@/components/settings/organization-rows";
import { timeZoneWords } from "@/components/settings/time-zone-words";
import { formatDay, formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { OrganizationActions, OrganizationView } from "@/lib/contract/views/organization-view";

const KIND_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface OrganizationSectionProps {
  view: OrganizationView;
  actions: OrganizationActions;
}

/** Name, time zone and the floor of new pods; and what members changed, of each other too. */
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
          <p className="meta set-o">Owners and co-owners change these. Ask one of them.</p>
        )}
      </Section>
      <Section id="changes" title="What was changed" fact="Newest first">
        {view.changes.length === 0 ? (
          <p className="ink2 set-o">
            Nothing yet: here stands who changes a setting, a beneficiary or a role.
          </p>
        ) : (
          <ul className="setl set-h">
            {view.changes.map((change) => (
              <li key={change.id}>
                <p>{changeSentence(change)}</p>
                <p className="meta">
                  {change.byName}, <Moment at={change.at} time={view.time} format={formatMoment} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
