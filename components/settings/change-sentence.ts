import { formatCents } from "@/lib/contract/format-cents";
import type { OrganizationChangeView } from "@/lib/contract/views/organization-view";

/** What somebody changed, in one sentence, in the words of then. */
export function changeSentence({ kind, subject, before, after }: OrganizationChangeView): string {
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

function floorWords(cents: string | null): string {
  return formatCents(cents === null ? 0 : Number(cents));
}
