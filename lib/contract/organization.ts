import { z } from "zod";
import { MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";

export const organizationNameSchema = nameText(200);

/** IANA name of an area, e.g. America/New_York, as known on this machine. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .superRefine((name, issues) => {
    const message = timeZoneProblem(name);
    if (message !== null) issues.addIssue({ code: "custom", message });
  });

/** Null: no floor. */
export const newPodFloorSchema = z
  .int("must be an amount like 500.00")
  .min(1, "must be at least 0.01")
  .max(MAXIMUM_ACCOUNT_AMOUNT_IN_CENTS, "is more than an account may hold")
  .nullable();

/** Changes by members that are recorded because nothing else stores who made them. */
export type OrganizationChangeKind =
  | "RENAMED"
  | "TIME_ZONE"
  | "NEW_POD_FLOOR"
  | "BENEFICIARY_RENAMED"
  | "BENEFICIARY_REMOVED"
  | "DEFAULT_BENEFICIARY"
  | "MEMBER_ROLE"
  | "MEMBER_REMOVED"
  | "KEY_CAP"
  | "SECOND_FACTOR"
  | "ACCOUNT_RENAMED"
  | "ACCOUNT_FLOOR"
  /** `after` is an `EndpointChange`, `subject` the endpoint's URL. */
  | "ENDPOINT"
  /** Sandbox only; `before` and `after` are moments of business time. */
  | "CLOCK_MOVED"
  /** `after` is the type of the account, `subject` its name. */
  | "ACCOUNT_OPENED"
  | "ACCOUNT_CLOSED"
  | "ACCOUNT_REOPENED"
  /** At the bank; `subject` is the account's name, `after` its last four digits there. */
  | "ACCOUNT_REGISTERED"
  /** Whether a pod has its own account at the bank; `subject` is its name, `after` `OWN` or `SHARED`. */
  | "OWN_BANK_ACCOUNT"
  /** `subject` is the address, `after` the role. */
  | "MEMBER_INVITED"
  | "INVITATION_WITHDRAWN"
  /** `after` is the role. */
  | "MEMBER_JOINED"
  /** `subject` is the card's name, `after` a `CardStatus`. */
  | "CARD_STATUS"
  /** `subject` is the institution. */
  | "BANK_DISCONNECTED"
  /** `before` and `after` are `<cents> <hours>`. */
  | "PAYEE_COOL_OFF"
  /** `before` and `after` are cents; null: no cap. */
  | "OUTGOING_CAP"
  /** `subject` is a version of who must approve, `after` a `PolicyAct`. */
  | "APPROVAL_POLICY"
  /** `subject` is the mandate, `after` a `MandateAct`. */
  | "MANDATE"
  /** `subject` is the change that waited for signatures, `before` what it is about, `after` an `AskedChangeAct`. */
  | "ASKED_CHANGE";

/** What a member did with a version of who must approve. */
export type PolicyAct = "DRAFTED" | "ASKED" | "SIGNED" | "WITHDREW" | "PUBLISHED" | "DISCARDED";

/** What a member did with a mandate of a key. `CHANGED`: to terms that let more through, which only a member's own can be. */
export type MandateAct = "ASKED" | "NARROWED" | "CHANGED" | "SIGNED" | "IN_FORCE" | "ENDED" | "DENIED";

/** What a member did with a change that waits for signatures. */
export type AskedChangeAct = "ASKED" | "SIGNED" | "CARRIED_OUT" | "DENIED" | "WITHDREW";

/** The change to a webhook endpoint. */
export type EndpointChange = "ADDED" | "RECREATED" | "DELETED" | "OFF" | "ON" | "EVENTS";

/** IANA areas whose rules follow local clocks. `Etc/GMT+5` and the like have no daylight saving time. */
const AREA =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Za-z0-9_+-]+){1,2}$/i;

/** Abbreviations and old names that zone databases still know, and the area people mean. */
const MEANT: Readonly<Record<string, string>> = {
  EST: "America/New_York",
  EST5EDT: "America/New_York",
  EDT: "America/New_York",
  CST: "America/Chicago",
  CST6CDT: "America/Chicago",
  CDT: "America/Chicago",
  MST: "America/Denver",
  MST7MDT: "America/Denver",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PST8PDT: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  HST: "Pacific/Honolulu",
  BST: "Europe/London",
  WET: "Europe/Lisbon",
  CET: "Europe/Berlin",
  CEST: "Europe/Berlin",
  MET: "Europe/Berlin",
  EET: "Europe/Athens",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
};

/**
 * What is wrong with a time zone name, to follow the name of its field: "must …"; null when valid. `EST` is a zone to
 * every database, yet an hour off all summer, so only areas and UTC are accepted.
 */
export function timeZoneProblem(name: string): string | null {
  if (/^(?:Etc\/)?UTC$/i.test(name)) return null;
  const known = intlName(name);
  if (AREA.test(name) && known !== null) return null;
  const meant = MEANT[name.toUpperCase()] ?? (known !== null && AREA.test(known) ? known : null);
  const example = "the IANA name of an area, like America/New_York, or UTC";
  if (meant !== null) return `must be the IANA name of an area: write ${meant} for ${name}`;
  return `must be ${example}`;
}

function intlName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Intl reports it by throwing.
    return null;
  }
}

/** What may leave Sluice within 24 hours; null: as much as there is. */
export const outgoingCapSchema = z.strictObject({
  capInCents: z
    .int("must be an amount like 1000.00")
    .min(1, "must be more than zero")
    .max(100_000_000_000, "must be at most 1,000,000,000.00")
    .nullable(),
});
export type OutgoingCap = z.output<typeof outgoingCapSchema>;
