import type { Grace } from "@/lib/contract/api-key";
import { formatCents } from "@/lib/contract/format-cents";
import type { WantedChange, WantedConfirmation } from "@/lib/contract/policies/asked-change";

/** A change in words. */
export interface AskedChangeWords {
  /** `Lower the floor of Operating` */
  title: string;
  /** `the floor of Operating` */
  what: string;
  /** `$500.00`, `None` */
  before: string;
  after: string;
  /** What it lets happen. */
  follows: string;
}

const orNone = (cents: number | null) => (cents === null ? "None" : formatCents(cents));
const coolOff = ({ aboveInCents, hours }: { aboveInCents: number; hours: number }) =>
  `${hours === 1 ? "1 hour" : `${hours} hours`} above ${formatCents(aboveInCents)}`;

const GRACE: Record<Grace, string> = {
  NONE: "With the last signature the present secret ends.",
  ONE_HOUR: "The present secret works for 1 hour after the last signature.",
  ONE_DAY: "The present secret works for 24 hours after the last signature.",
};

/** @param name of what it changes, as it was when it was asked for */
export function askedChangeWords(wanted: WantedChange, name: string): AskedChangeWords {
  switch (wanted.what) {
    case "ACCOUNT_FLOOR":
      return {
        title: `${wanted.after === null ? "Remove" : "Lower"} the floor of ${name}`,
        what: `the floor of ${name}`,
        before: orNone(wanted.before),
        after: orNone(wanted.after),
        follows: "Rules, and keys without approval, can then take more from this account.",
      };
    case "NEW_POD_FLOOR":
      return {
        title: `${wanted.after === null ? "Remove" : "Lower"} the floor of new pods`,
        what: "the floor of new pods",
        before: orNone(wanted.before),
        after: orNone(wanted.after),
        follows: "Pods that are opened from then on get the lower floor. Existing pods keep theirs.",
      };
    case "OUTGOING_CAP":
      return {
        title: `${wanted.after === null ? "Lift" : "Raise"} the cap on money out`,
        what: "the cap on money out within 24 hours",
        before: orNone(wanted.before),
        after: orNone(wanted.after),
        follows: "More can then leave Sluice within 24 hours, as keys, rules and approvals allow.",
      };
    case "KEY_CAP":
      return {
        title: `${wanted.after === null ? "Remove" : "Raise"} the daily cap of the key ${name}`,
        what: `the daily cap of the key ${name}`,
        before: orNone(wanted.before),
        after: orNone(wanted.after),
        follows: "This key can then move more within 24 hours without approval.",
      };
    case "PAYEE_COOL_OFF":
      return {
        title: "Loosen the cool-off of payees",
        what: "the cool-off of payees",
        before: coolOff(wanted.before),
        after: coolOff(wanted.after),
        follows: "More can then go to new and changed payees, or sooner.",
      };
    case "HOOK_APPROVAL":
      return {
        title: `Let the webhook run ${name} without approval`,
        what: `the approval of the webhook of ${name}`,
        before: "Each run waits for approval",
        after: "Runs at once",
        follows:
          "Anyone with its secret can then start this rule; its limits and the floors of its accounts still hold.",
      };
    case "NEW_KEY":
      return {
        title: `Create the key ${name}`,
        what: `the key ${name}`,
        before: "No key",
        after: `${wanted.prefix}…`,
        follows: "Until the last signature its secret opens nothing. Who asked has it already.",
      };
    case "REPLACED_KEY":
      return {
        title: `Replace the key ${name}`,
        what: `the key ${name}`,
        before: "The present secret",
        after: `A new one, ${wanted.prefix}…`,
        follows: `${GRACE[wanted.grace]} Permissions stay the same; mandates end with the present secret. Who asked has the new secret already; until the last signature it opens nothing.`,
      };
  }
}

/**
 * A change as the subject of a sentence on the page where it is set: `Lowering the floor to $500.00`.
 * @param name of a new key
 */
export function waitingSubject(wanted: WantedChange, name: string): string {
  switch (wanted.what) {
    case "ACCOUNT_FLOOR":
      return wanted.after === null
        ? "Removing the floor"
        : `Lowering the floor to ${formatCents(wanted.after)}`;
    case "NEW_POD_FLOOR":
      return wanted.after === null
        ? "Removing the default floor"
        : `Lowering the default floor to ${formatCents(wanted.after)}`;
    case "OUTGOING_CAP":
      return wanted.after === null ? "Lifting the cap" : `Raising the cap to ${formatCents(wanted.after)}`;
    case "KEY_CAP":
      return wanted.after === null
        ? "Removing the daily cap"
        : `Raising the daily cap to ${formatCents(wanted.after)}`;
    case "PAYEE_COOL_OFF":
      return `Loosening the cool-off to ${coolOff(wanted.after)}`;
    case "HOOK_APPROVAL":
      return "Running it without approval";
    case "NEW_KEY":
      return `The key ${name}`;
    case "REPLACED_KEY":
      return "A new secret of this key";
  }
}

/** Of signatures under a payee's account or a version of a rule. @param name of the payee or the rule */
export function confirmationWords(wanted: WantedConfirmation, name: string): AskedChangeWords {
  return wanted.what === "PAYEE"
    ? {
        title: `Confirm the account of ${name}`,
        what: `the account of ${name}`,
        before: "Not confirmed",
        after: "Confirmed",
        follows: "Money can then be sent to this account.",
      }
    : {
        title: `Activate version ${wanted.version} of the rule ${name}`,
        what: `version ${wanted.version} of the rule ${name}`,
        before: "Not active",
        after: "Active",
        follows: "It then moves money without asking.",
      };
}
