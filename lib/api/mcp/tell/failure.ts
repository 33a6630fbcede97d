import { quote, quoteExactly } from "@/lib/api/mcp/tell/quote";

interface Failed {
  errorCode: string | null;
  errorMessage: string | null;
}

const MESSAGE_LENGTH = 500;

/** What to do about the failures that have something to do about. */
const NEXT: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS:
    "Read the source with getAccount: availableBalanceInCents is what it can give. Then ask the person whether to move less, or to wait for money.",
  BELOW_FLOOR:
    "An owner keeps a smallest amount in the source, and only a person may go below it. Ask them to move less, or to approve it.",
  ACCOUNT_CLOSED:
    "One of the accounts is closed. Take an open one from listAccounts, and ask which is meant.",
  BALANCE_UNAVAILABLE:
    "The balance of the source is not known at the moment, and unknown is not zero. Try again in a few hours, or ask the person to look at the connection.",
  GATES_CLOSED: "Only an owner or co-owner opens the gates. Tell the person, and do not try it live before.",
  ABOVE_DAILY_CAP:
    "The cap is an owner's decision: do not split the amount. Tell the person that it needs an approval, or can wait for tomorrow.",
  RATE_LIMIT_EXCEEDED: "Ask the person to decide the proposals that wait before you propose more.",
};

const OTHERWISE =
  "Tell the person why, and ask before you try it again: the same call may well fail the same way. A new try needs a new idempotencyKey.";

/** Why it failed or came back, and what to do. Banks choose codes, and accounts are named in messages: both are quoted. */
export function tellFailure({ errorCode, errorMessage }: Failed): string[] {
  const why = errorMessage === null ? "no reason was given" : quote(errorMessage, MESSAGE_LENGTH);
  const code = errorCode === null ? "" : ` (${quoteExactly(errorCode)})`;
  return [`Why: ${why}${code}`, NEXT[errorCode ?? ""] ?? OTHERWISE];
}
