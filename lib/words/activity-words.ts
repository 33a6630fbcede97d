import type { Activity, NamedActivityKind, RuleActivityKind } from "@/lib/contract/approvals/activity";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import type {
  AskedChangeAct,
  MandateAct,
  OrganizationChangeKind,
  PolicyAct,
} from "@/lib/contract/organization";
import type { WantedChangeKind } from "@/lib/contract/policies/asked-change";

/** How amounts and moments are written: for a reader, or in a file. */
export interface ActivityFormat {
  money: (cents: number) => string;
  moment: (at: string) => string;
}

/** What a person did, as the rest of a sentence that begins with their name: `Approved $4,250.00 from Operating to Taxes`. */
export function activityWords(activity: Activity, format: ActivityFormat): string {
  switch (activity.kind) {
    case "PROPOSAL_APPROVED":
      return `Approved ${proposalWords(activity.proposal, format)}`;
    case "PROPOSAL_DENIED":
      return `Denied ${proposalWords(activity.proposal, format)}${activity.note === null ? "" : `: “${activity.note}”`}`;
    case "MONEY_MOVED":
      return `Moved ${proposalWords(activity.proposal, format)}`;
    case "TRANSFER_CANCELLED":
      return `Canceled ${proposalWords(activity.proposal, format)}`;
    case "GATES_CLOSED":
      return "Closed all gates";
    case "GATES_OPENED":
      return "Opened the gates";
    default:
      if ("ruleName" in activity) return ruleWords(activity);
      return "name" in activity ? NAMED[activity.kind](activity.name) : changeWords(activity, format);
  }
}

/** `$4,250.00 from Operating to Taxes`; `a run of Payday, $3,600.00`. */
function proposalWords(proposal: ProposalSubjectView, { money }: ActivityFormat): string {
  if (proposal.kind === "TRANSFER") {
    return `${money(proposal.amountInCents)} from ${proposal.sourceName} to ${proposal.destinationName}`;
  }
  if (proposal.kind === "BATCH") return `a batch of ${proposal.lineCount}, ${money(proposal.amountInCents)}`;
  const amount = proposal.amountInCents === null ? "" : `, ${money(proposal.amountInCents)}`;
  return `a run of ${proposal.ruleName}${amount}`;
}

const NAMED: Record<NamedActivityKind, (name: string) => string> = {
  KEY_MADE: (name) => `Made the API key ${name}`,
  KEY_REPLACED: (name) => `Replaced the API key ${name}`,
  KEY_REVOKED: (name) => `Revoked the API key ${name}`,
  ASSISTANT_CONNECTED: (name) => `Connected the assistant ${name}`,
  ASSISTANT_DISCONNECTED: (name) => `Disconnected the assistant ${name}`,
  CARD_ISSUED: (name) => `Issued the card ${name}`,
  BANK_CONNECTED: (name) => `Connected ${name}`,
  PAYEE_PROPOSED: (name) => `Added the payee ${name}`,
  PAYEE_DETAILS_GIVEN: (name) => `Entered an account for the payee ${name}`,
  PAYEE_ENTERED: (name) => `Received the account of the payee ${name} through a link`,
  PAYEE_SIGNED: (name) => `Signed for the account of the payee ${name}`,
  PAYEE_CONFIRMED: (name) => `Confirmed the payee ${name}`,
  PAYEE_DECLINED: (name) => `Declined an account of the payee ${name}`,
  PAYEE_REMOVED: (name) => `Removed the payee ${name}`,
  PAYEE_INVITED: (name) => `Sent the payee ${name} a link`,
  DIFFERENCE_ASKED_BANK: (name) => `Asked the bank about the difference ${name}`,
  DIFFERENCE_MATCHED_BY_HAND: (name) => `Matched the difference ${name} by hand`,
  DIFFERENCE_BOOKED: (name) => `Booked the bank’s line ${name}`,
  DIFFERENCE_ACCEPTED: (name) => `Accepted the bank’s date of ${name}`,
  FRAUD_REVIEW_SIGNED: (name) => `Signed the yearly review of fraud monitoring, ${name}`,
};

const RULE: Record<RuleActivityKind, (rule: string, version: string) => string> = {
  RULE_WRITTEN: (rule, version) => `Wrote ${version} of the rule ${rule}`,
  RULE_RUN: (rule, version) => `Ran ${version} of the rule ${rule} by hand`,
  RULE_ACTIVATED: (rule, version) => `Activated ${version} of the rule ${rule}`,
  RULE_SIGNED: (rule, version) => `Signed for ${version} of the rule ${rule}`,
  RULE_DEACTIVATED: (rule) => `Deactivated the rule ${rule}`,
  RULE_RESUMED: (rule) => `Resumed the rule ${rule}`,
  RULE_DISCARDED: (rule, version) => `Discarded ${version} of the rule ${rule}`,
  RULE_DELETED: (rule) => `Deleted the rule ${rule}`,
  RULE_HOOK_MADE: (rule) => `Made a webhook secret for the rule ${rule}`,
  RULE_HOOK_REMOVED: (rule) => `Removed the webhook of the rule ${rule}`,
  RULE_HOOK_APPROVAL_ON: (rule) => `Required approval for the webhook of the rule ${rule}`,
  RULE_HOOK_APPROVAL_OFF: (rule) => `Let the webhook run the rule ${rule} without approval`,
};

function ruleWords({ kind, ruleName, version }: Extract<Activity, { ruleName: string }>): string {
  return RULE[kind](ruleName, version === null ? "a version" : `version ${version}`);
}

type Change = Extract<Activity, { kind: OrganizationChangeKind }>;

/** With the names of that time. */
function changeWords({ kind, subject, before, after }: Change, { money, moment }: ActivityFormat): string {
  const floor = (cents: string | null) => money(cents === null ? 0 : Number(cents));
  const coolOff = (value: string | null) => {
    const [cents, hours] = (value ?? "").split(" ");
    return `${hours} h above ${floor(cents ?? null)}`;
  };
  const at = (instant: string | null) => (instant === null ? "an unknown time" : moment(instant));
  switch (kind) {
    case "RENAMED":
      return `Renamed the organization from ${before} to ${after}`;
    case "TIME_ZONE":
      return `Changed the time zone from ${before} to ${after}`;
    case "NEW_POD_FLOOR":
      return `Changed the default floor from ${floor(before)} to ${floor(after)}`;
    case "SECOND_FACTOR":
      return after === "true" ? "Required a second factor of everyone" : "Stopped requiring a second factor";
    case "CLOCK_MOVED":
      return `Moved the sandbox clock from ${at(before)} to ${at(after)}`;
    case "BENEFICIARY_RENAMED":
      return `Renamed the beneficiary ${before} to ${after}`;
    case "BENEFICIARY_REMOVED":
      return `Removed the beneficiary ${subject}`;
    case "DEFAULT_BENEFICIARY":
      return `Changed the default beneficiary from ${before} to ${after}`;
    case "ACCOUNT_OPENED":
      return `Opened the ${after === "INCOME_SOURCE" ? "income source" : "pod"} ${subject}`;
    case "ACCOUNT_RENAMED":
      return `Renamed the account ${before} to ${after}`;
    case "ACCOUNT_FLOOR":
      return `Changed the floor of ${subject} from ${floor(before)} to ${floor(after)}`;
    case "ACCOUNT_CLOSED":
      return `Closed the account ${subject}`;
    case "ACCOUNT_REOPENED":
      return `Reopened the account ${subject}`;
    case "ACCOUNT_REGISTERED":
      return `Registered the account ${subject} at the bank, ending in ${after}`;
    case "OWN_BANK_ACCOUNT":
      return after === "OWN"
        ? `Gave ${subject} its own account at the bank`
        : `Returned the money of ${subject} to the shared account at the bank`;
    case "BANK_DISCONNECTED":
      return `Disconnected ${subject}`;
    case "MEMBER_INVITED":
      return `Invited ${subject} as ${after?.toLowerCase()}`;
    case "INVITATION_WITHDRAWN":
      return `Withdrew the invitation of ${subject}`;
    case "MEMBER_JOINED":
      return after === null ? "Joined" : `Joined as ${after.toLowerCase()}`;
    case "MEMBER_ROLE":
      return `Changed ${subject} from ${before?.toLowerCase()} to ${after?.toLowerCase()}`;
    case "MEMBER_REMOVED":
      return `Removed ${subject}, ${before?.toLowerCase()}`;
    case "KEY_CAP":
      return capWords(subject, before, after);
    case "ENDPOINT":
      return `${ENDPOINT[after ?? ""] ?? "Switched on"} the webhook endpoint ${subject}`;
    case "PAYEE_COOL_OFF":
      return `Changed the cool-off of payees from ${coolOff(before)} to ${coolOff(after)}`;
    case "OUTGOING_CAP":
      if (after === null) return `Lifted the cap on money out, which was ${floor(before)} within 24 hours`;
      return before === null
        ? `Capped money out at ${floor(after)} within 24 hours`
        : `Changed the cap on money out from ${floor(before)} to ${floor(after)} within 24 hours`;
    case "APPROVAL_POLICY":
      return `${POLICY[after ?? ""] ?? "Changed"} version ${subject} of who must approve`;
    case "ASKED_CHANGE":
      return `${ASKED[after ?? ""] ?? "Changed"} ${WANTED[before ?? ""] ?? "a change"}`;
    case "MANDATE":
      return MANDATE[after ?? ""] ?? "Changed a mandate of a key";
    case "CARD_STATUS":
      return `${CARD[after ?? ""] ?? "Changed"} the card ${subject}`;
  }
}

function capWords(key: string | null, before: string | null, after: string | null): string {
  if (after === null) return `Removed the daily cap of the key ${key}, which was ${before}`;
  return before === null
    ? `Gave the key ${key} a daily cap of ${after}`
    : `Changed the daily cap of the key ${key} from ${before} to ${after}`;
}

const ENDPOINT: Readonly<Record<string, string>> = {
  ADDED: "Added",
  RECREATED: "Made a new secret for",
  DELETED: "Deleted",
  OFF: "Switched off",
  EVENTS: "Changed the events of",
};

const POLICY: Readonly<Record<string, string>> = {
  DRAFTED: "Began",
  ASKED: "Asked for signatures under",
  SIGNED: "Signed",
  WITHDREW: "Withdrew the signature under",
  PUBLISHED: "Published",
  DISCARDED: "Discarded",
} satisfies Record<PolicyAct, string>;

const ASKED: Readonly<Record<string, string>> = {
  ASKED: "Asked others to sign",
  SIGNED: "Signed",
  CARRIED_OUT: "Gave the last signature for",
  DENIED: "Denied",
  WITHDREW: "Withdrew",
} satisfies Record<AskedChangeAct, string>;

const WANTED: Readonly<Record<string, string>> = {
  ACCOUNT_FLOOR: "a lower floor of an account",
  NEW_POD_FLOOR: "a lower default floor",
  OUTGOING_CAP: "a higher cap on money out",
  KEY_CAP: "a higher daily cap of a key",
  PAYEE_COOL_OFF: "a looser cool-off of payees",
  HOOK_APPROVAL: "a webhook without approval",
  NEW_KEY: "a new key",
  REPLACED_KEY: "a new secret of a key",
} satisfies Record<WantedChangeKind, string>;

const MANDATE: Readonly<Record<string, string>> = {
  ASKED: "Wrote a mandate for a key",
  NARROWED: "Narrowed a mandate of a key",
  CHANGED: "Changed a mandate of a key",
  SIGNED: "Signed a mandate of a key",
  IN_FORCE: "Gave the last signature of a mandate of a key",
  ENDED: "Ended a mandate of a key",
  DENIED: "Denied a mandate of a key",
} satisfies Record<MandateAct, string>;

const CARD: Readonly<Record<string, string>> = { FROZEN: "Froze", ACTIVE: "Thawed", CLOSED: "Closed" };
