import { OrganizationRows } from "@/components/settings/organization-rows";
import { timeZoneWords } from "@/components/settings/time-zone-words";
import { formatDay, formatDayAndClock, formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  OrganizationActions,
  OrganizationChangeView,
  OrganizationView,
} from "@/lib/contract/views/organization-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const KIND_WORD = { BUSINESS: "Business", INDIVIDUAL: "Individual" } as const;

interface OrganizationSectionProps {
  view: OrganizationView;
  actions: OrganizationActions;
}

/** Settings, and the history of members' changes. */
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
      <Section id="changes" title="Changes" fact="Newest first">
        {view.changes.length === 0 ? (
          <p className="ink2 set-o">No changes yet. They will appear here.</p>
        ) : (
          <ul className="setl set-h">
            {view.changes.map((change) => (
              <li key={change.id}>
                <p>{changeSentence(change, view.time)}</p>
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

/** One sentence, with the names of that time. */
function changeSentence({ kind, subject, before, after }: OrganizationChangeView, time: TimeContext): string {
  switch (kind) {
    case "RENAMED":
      return `The organization was renamed from ${before} to ${after}.`;
    case "TIME_ZONE":
      return `The time zone was changed from ${before} to ${after}.`;
    case "NEW_POD_FLOOR":
      return `The default floor was changed from ${floorWords(before)} to ${floorWords(after)}.`;
    case "BENEFICIARY_RENAMED":
      return `The beneficiary ${before} was renamed ${after}.`;
    case "BENEFICIARY_REMOVED":
      return `${subject} was removed from the beneficiaries.`;
    case "DEFAULT_BENEFICIARY":
      return `The default beneficiary was changed from ${before} to ${after}.`;
    case "MEMBER_ROLE":
      return `${subject} was changed from ${before?.toLowerCase()} to ${after?.toLowerCase()}.`;
    case "MEMBER_REMOVED":
      return `${subject}, ${before?.toLowerCase()}, was removed.`;
    case "KEY_CAP":
      return capSentence(subject, before, after);
    case "ACCOUNT_RENAMED":
      return `The account ${before} was renamed ${after}.`;
    case "ACCOUNT_FLOOR":
      return `The floor of ${subject} was changed from ${floorWords(before)} to ${floorWords(after)}.`;
    case "ENDPOINT":
      return endpointSentence(subject, after);
    case "CLOCK_MOVED":
      return `The sandbox clock was moved from ${momentWords(before, time)} to ${momentWords(after, time)}.`;
    case "SECOND_FACTOR":
      return after === "true"
        ? "A second factor is now required for everyone."
        : "A second factor is no longer required.";
  }
}

function capSentence(key: string | null, before: string | null, after: string | null): string {
  if (after === null) return `The daily cap of the key ${key} was removed; it was ${before}.`;
  return before === null
    ? `The key ${key} got a daily cap of ${after}.`
    : `The daily cap of the key ${key} was changed from ${before} to ${after}.`;
}

function endpointSentence(url: string | null, change: string | null): string {
  switch (change) {
    case "ADDED":
      return `The endpoint ${url} was added.`;
    case "RECREATED":
      return `The endpoint ${url} got a new secret.`;
    case "DELETED":
      return `The endpoint ${url} was deleted.`;
    case "OFF":
      return `The endpoint ${url} was switched off.`;
    default:
      return `The endpoint ${url} was switched on.`;
  }
}

function momentWords(at: string | null, time: TimeContext): string {
  return at === null ? "an unknown time" : formatDayAndClock(at, time);
}

function floorWords(cents: string | null): string {
  return formatCents(cents === null ? 0 : Number(cents));
}
