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

/** What somebody changed, in one sentence, in the words of then. */
function changeSentence({ kind, subject, before, after }: OrganizationChangeView, time: TimeContext): string {
  switch (kind) {
    case "RENAMED":
      return `The organization was called ${before} and is ${after}.`;
    case "TIME_ZONE":
      return `The time zone was ${before} and is ${after}.`;
    case "NEW_POD_FLOOR":
      return `The floor of new pods was ${floorWords(before)} and is ${floorWords(after)}.`;
    case "BENEFICIARY_RENAMED":
      return `The beneficiary ${before} is called ${after}.`;
    case "BENEFICIARY_REMOVED":
      return `${subject} is no beneficiary any more.`;
    case "DEFAULT_BENEFICIARY":
      return `New accounts are ${after}’s unless somebody else is named; they were ${before}’s.`;
    case "MEMBER_ROLE":
      return `${subject} was ${before?.toLowerCase()} and is ${after?.toLowerCase()}.`;
    case "MEMBER_REMOVED":
      return `${subject}, ${before?.toLowerCase()}, is no member any more.`;
    case "KEY_CAP":
      return capSentence(subject, before, after);
    case "ACCOUNT_RENAMED":
      return `The account ${before} is called ${after}.`;
    case "ACCOUNT_FLOOR":
      return `The floor of ${subject} was ${floorWords(before)} and is ${floorWords(after)}.`;
    case "ENDPOINT":
      return endpointSentence(subject, after);
    case "CLOCK_MOVED":
      return `The sandbox clock was moved from ${momentWords(before, time)} to ${momentWords(after, time)}.`;
    case "SECOND_FACTOR":
      return after === "true"
        ? "Every member is asked for a second factor."
        : "Nobody is asked for a second factor any more.";
  }
}

function capSentence(key: string | null, before: string | null, after: string | null): string {
  if (after === null) return `The key ${key} has no daily cap any more; it was ${before}.`;
  return before === null
    ? `The key ${key} got a daily cap of ${after}.`
    : `The daily cap of the key ${key} was ${before} and is ${after}.`;
}

function endpointSentence(url: string | null, change: string | null): string {
  switch (change) {
    case "ADDED":
      return `Events are sent to ${url}, too.`;
    case "RECREATED":
      return `The endpoint ${url} got a new secret.`;
    case "DELETED":
      return `Events are no longer sent to ${url}: its endpoint was deleted.`;
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
