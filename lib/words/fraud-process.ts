import { writeCents } from "@/lib/contract/format-cents";
import {
  ALERT_TOPICS,
  type AlertGroup,
  type AlertKind,
  type AlertTopic,
  MAXIMUM_LISTED,
  type ProcessDocument,
  type ProcessFacts,
  type ProcessLine,
} from "@/lib/contract/fraud-monitoring";
import type { Permission, PermissionOf } from "@/lib/contract/permissions";
import { returnWords } from "@/lib/contract/transfer";

const MISSING = "Not in place: ";
const ALERTS_TITLE = "Alerts of the twelve months before";
const NOT_COVERED_TITLE = "Not covered";

/** Whether the lines of a part are controls; the others state facts. */
export const isOfControls = (title: string) => title !== ALERTS_TITLE && title !== NOT_COVERED_TITLE;

/** One line each, whatever names are in it: a line break would begin another sentence when it is read back. */
const lineOf = (text: string) => text.replaceAll(/\s+/g, " ");
const inPlace = (text: string): ProcessLine => ({ isInPlace: true, text: lineOf(text) });
const missing = (text: string): ProcessLine => ({ isInPlace: false, text: lineOf(text) });

/**
 * The written process that the settings amount to. The same settings give the same text, so that a change of any control
 * shows as a changed sentence; nothing in it depends on the day.
 */
export function describeProcess(facts: ProcessFacts): ProcessDocument {
  return {
    title: lineOf(`Fraud monitoring of ${facts.organizationName}`),
    intro:
      "This process identifies ACH payments that nobody here authorized, or that someone obtained under false pretenses. Sluice wrote it from the settings in force.",
    sections: [
      {
        title: "Who approves",
        change: { href: "/settings/members", label: "Members" },
        lines: [...approverLines(facts), secondFactorLine(facts)],
      },
      {
        title: "Payments by programs",
        change: { href: "/settings/api-keys", label: "API keys" },
        lines: programLines(facts),
      },
      { title: "Rules", change: { href: "/rules", label: "Rules" }, lines: ruleLines(facts) },
      {
        title: "New and changed payees",
        change: { href: "/settings#payees-title", label: "Cool-off" },
        lines: payeeLines(facts),
      },
      {
        title: "Limits",
        change: { href: "/settings", label: "Settings" },
        lines: limitLines(facts),
      },
      {
        title: "Detection",
        change: { href: "/settings/notifications", label: "Notifications" },
        lines: detectionLines(facts),
      },
      {
        title: "When fraud is suspected",
        change: { href: "/gates", label: "Gates" },
        lines: [
          inPlace(
            "Any owner or co-owner closes all gates with one button: no key, assistant, rule or card moves money, and accepted payments that have not left are held. Opening them takes a passkey or password.",
          ),
          inPlace(
            "For a payment that has left, an owner or co-owner calls the bank at once, on a number known from before, and asks for its return.",
          ),
        ],
      },
      {
        title: "Records and review",
        change: { href: "/audit", label: "Audit log" },
        lines: [
          inPlace(
            "Requests of programs, decisions and changes of settings are recorded with who and when, and can be exported.",
          ),
          inPlace(
            "Once a year an owner reads this process and the alerts of the year, and signs the review.",
          ),
        ],
      },
      {
        title: NOT_COVERED_TITLE,
        change: null,
        lines: [
          inPlace("Payments that are made at the bank itself, without Sluice."),
          inPlace(
            "Whether an invoice is genuine: the approver decides that. Sluice does not know who owns an account at another bank.",
          ),
        ],
      },
    ],
  };
}

function approverLines({ deciders }: ProcessFacts): ProcessLine[] {
  const names = deciders.map(({ name, role }) => `${name} (${role === "OWNER" ? "owner" : "co-owner"})`);
  return [
    inPlace(`${list(names)} may approve payments. Accountants and viewers cannot move money.`),
    inPlace(
      "Each approval takes the approver’s passkey. Members without one give their password, and the code of their authenticator app if they have one; a sign-in of the last five minutes counts as that.",
    ),
    inPlace(
      "What the approver saw is what moves: if accounts, amount or the outcome of a check changed, nothing moves. Amounts outside the usual range, possible duplicates and first payments are flagged.",
    ),
    inPlace("A proposal that nobody decides within 24 hours expires."),
    missing(
      deciders.length > 1
        ? "a second approval. One person is enough, also for a payment that they make themselves."
        : `a second approver. ${names[0] ?? "One person"} alone decides, also about payments that they make themselves.`,
    ),
  ];
}

function secondFactorLine({ requiresSecondFactor }: ProcessFacts): ProcessLine {
  return requiresSecondFactor
    ? inPlace("Every member signs in with a second factor.")
    : missing("a second factor for every member. Those without one sign in with a password alone.");
}

function programLines({ keys, assistantCount }: ProcessFacts): ProcessLine[] {
  return [
    inPlace(
      assistantCount === 0
        ? "No assistant is connected. One that is connected later asks for approval of each payment."
        : `${assistantCount === 1 ? "1 assistant is" : `${assistantCount} assistants are`} connected. Each payment of an assistant waits for approval.`,
    ),
    ...(keys.length === 0
      ? [inPlace("No API key may move money.")]
      : countAlike(keys.slice(0, MAXIMUM_LISTED).map(keyLine))),
    ...(keys.length > MAXIMUM_LISTED
      ? [missing(`a complete list here: only ${MAXIMUM_LISTED} API keys that may move money are listed.`)]
      : []),
  ];
}

/** Names of keys need not differ. Without the count, a second key of the same kind would change no sentence. */
function countAlike(lines: readonly ProcessLine[]): ProcessLine[] {
  const counts = new Map<string, number>();
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].flatMap(([text, count]) => {
    const line = lines.find((each) => each.text === text);
    if (!line) return [];
    return count === 1 ? line : { ...line, text: `${text} There are ${count} such keys.` };
  });
}

function keyLine({ name, permissions, dailyCapInCents }: ProcessFacts["keys"][number]): ProcessLine {
  const transfers = find(permissions, "MANUAL_TRANSFER");
  const runs = find(permissions, "TRIGGER_RULES");
  const acts = [
    transfers && { words: `make transfers${atMost(transfers)}`, asks: transfers.approval.required },
    runs && { words: "run rules", asks: runs.approval.required },
  ].filter((act) => act !== null);
  const asking = acts.filter(({ asks }) => asks).map(({ words }) => words);
  const alone = acts.filter(({ asks }) => !asks).map(({ words }) => words);
  const rest = asking.length === 0 ? "" : ` To ${asking.join(" and ")}, it asks for approval.`;
  if (alone.length === 0)
    return inPlace(`The key ${name} may ask to ${asking.join(" and to ")}. Each waits for approval.`);
  const acting = `The key ${name} may ${alone.join(" and ")} without approval`;
  return dailyCapInCents === null
    ? missing(
        `an approval or a daily cap for the key ${name}. It may ${alone.join(" and ")} without approval.${rest}`,
      )
    : inPlace(
        `${acting}, up to ${writeCents(dailyCapInCents)} within 24 hours. What exceeds that waits for approval.${rest}`,
      );
}

/** The largest limit of its routes; nothing if one has none. */
function atMost({ entries }: PermissionOf<"MANUAL_TRANSFER">): string {
  const limits = entries.map(({ max_amount }) => max_amount ?? Number.POSITIVE_INFINITY);
  const limit = Math.max(...limits);
  return Number.isFinite(limit) ? ` of at most ${writeCents(limit)} each` : "";
}

function find<T extends Permission["type"]>(
  permissions: readonly Permission[],
  type: T,
): PermissionOf<T> | null {
  const isOfType = (each: Permission): each is PermissionOf<T> => each.type === type;
  return permissions.find(isOfType) ?? null;
}

function ruleLines({ activeRules, openHooks }: ProcessFacts): ProcessLine[] {
  return [
    inPlace("A rule moves money only after an owner or co-owner read and activated that version of it."),
    inPlace(
      activeRules.length === 0
        ? "No rule is active."
        : `Active, and run without a further approval: ${list(activeRules)}.`,
    ),
    ...(openHooks.length === 0
      ? []
      : [missing(`an approval of runs that outside systems start through webhooks: ${list(openHooks)}.`)]),
    inPlace(
      "When a bank returns money that rules have passed on, those rules pause until an owner or co-owner has looked.",
    ),
  ];
}

function payeeLines({ coolOff: { aboveInCents, hours }, moneyOut }: ProcessFacts): ProcessLine[] {
  return [
    inPlace(
      "No payee can be paid before an owner or co-owner confirmed its account with a passkey or password. The same holds for every change of it; until then the earlier account is paid.",
    ),
    inPlace(
      "The confirmation asks who was called back, on which number, and keeps the answer. The call goes to a number known from before, never to one in the message that asked for the change.",
    ),
    hours === 0
      ? missing("a waiting time for payments to new and changed payees.")
      : inPlace(
          `For ${hours === 1 ? "1 hour" : `${hours} hours`} after a confirmation, payments to the payee that together exceed ${writeCents(aboveInCents)} are held and can be canceled.`,
        ),
    // The sandbox bank needs no registration.
    ...(moneyOut === null
      ? []
      : [
          inPlace(
            "No connected account of the organization can be paid or drawn on before an owner or co-owner registered it at the bank with a passkey or password. Payments to it then wait like those to a new payee.",
          ),
        ]),
    inPlace(
      "Every step is announced to all owners and co-owners by email, and by text message to verified numbers. Neither can be turned off.",
    ),
  ];
}

function limitLines({ moneyOut, floors, newPodFloorInCents }: ProcessFacts): ProcessLine[] {
  const named = floors.map(({ name, floorInCents }) => `${name} ${writeCents(floorInCents)}`);
  return [
    moneyOut === null
      ? inPlace("This is a sandbox: no real money leaves, and no cap on money out applies.")
      : moneyOut.capInCents === null
        ? missing("a cap on what may leave within 24 hours. An owner lifted it.")
        : inPlace(
            `At most ${writeCents(moneyOut.capInCents)} may leave within 24 hours, however it is approved. Only an owner can raise or lift that, with a passkey or password.`,
          ),
    floors.length === 0
      ? missing("floors. No account keeps an amount back from rules and keys.")
      : inPlace(`Rules and keys leave these amounts untouched: ${list(named)}. Only an approval goes below.`),
    newPodFloorInCents === null
      ? missing("a default floor for new pods.")
      : inPlace(`New pods begin with a floor of ${writeCents(newPodFloorInCents)}.`),
  ];
}

const TOPIC_WORDS: Record<AlertTopic, { sends: string; missing: string }> = {
  RETURNS: {
    sends: "when a bank returns or refuses a payment, or corrects an account",
    missing: "emails about returned and refused payments",
  },
  RECONCILIATION: {
    sends: "when the bank’s statement and the books differ for longer than settlement explains",
    missing: "emails about differences between bank and books",
  },
  UNUSUAL_USE: {
    sends:
      "when a key or an assistant is used unusually: from a new network, after a long silence, refused often, for amounts far above the usual, at its cap, or with many proposals waiting",
    missing: "emails about unusual use of keys and assistants",
  },
};

function detectionLines({ silenced }: ProcessFacts): ProcessLine[] {
  return [
    inPlace(
      "After the close of each banking day, the bank’s statement is compared with the books line by line. What differs stays open until an owner or co-owner has resolved it.",
    ),
    ...ALERT_TOPICS.map((topic) => {
      const names = silenced.filter((each) => each.topic === topic).map(({ name }) => name);
      return names.length === 0
        ? inPlace(`Every owner and co-owner gets an email ${TOPIC_WORDS[topic].sends}.`)
        : missing(`${TOPIC_WORDS[topic].missing} to ${list(names)}, who turned them off.`);
    }),
    inPlace(
      "New keys, assistants, sign-ins from new browsers, changed roles and changed caps on money out are announced by email, which cannot be turned off.",
    ),
  ];
}

/** `A`, `A and B`, `A, B and C`; what exceeds the bound is counted as more. */
function list(names: readonly string[]): string {
  const shown = names.length > MAXIMUM_LISTED ? [...names.slice(0, MAXIMUM_LISTED), "more"] : names;
  return shown.length < 2 ? (shown[0] ?? "Nobody") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

interface AlertWords {
  title: string;
  codes: Readonly<Record<string, string>>;
}

const ALERT_WORDS: Record<AlertKind, AlertWords> = {
  RETURNED: { title: "Payments returned by a bank", codes: {} },
  REFUSED: {
    title: "Payments refused or stopped",
    codes: {
      PAYEE_CHANGED: "the payee changed before it left",
      ABOVE_OUTGOING_CAP: "above the cap on money out",
    },
  },
  DIFFERENCE: {
    title: "Differences between bank and books",
    codes: {
      MISSING_HERE: "missing here",
      MISSING_AT_BANK: "missing at the bank",
      DIFFERENT_AMOUNT: "different amount",
      DIFFERENT_DATE: "different date",
    },
  },
  DECISION: {
    title: "Proposals denied or expired",
    codes: { DENIED: "denied", EXPIRED: "expired" },
  },
  PAYEE: {
    title: "Payees added, changed or removed",
    codes: { CONFIRMED: "accounts confirmed", DECLINED: "accounts declined", REMOVED: "removed" },
  },
  CORRECTION: { title: "Accounts corrected by a bank", codes: {} },
  KEY_USE: {
    title: "Unusual use of keys and assistants",
    codes: {
      NEW_NETWORK: "new network",
      AFTER_SILENCE: "after a long silence",
      REFUSALS: "refused often",
      LARGE_AMOUNT: "unusually large amount",
      LARGE_DAY: "unusually large day",
      CAP_REACHED: "daily cap reached",
      MANY_WAITING: "many proposals waiting",
    },
  },
  RULE_PAUSED: { title: "Rules paused after a return", codes: { PAUSED: "paused" } },
  GATES: { title: "All gates closed", codes: { CLOSED: "closed" } },
};

/** A group of alerts in words: the count, and `R01, not enough money: 2; R03, no account: 1`. */
export function alertWords({ kind, counts, isCut }: AlertGroup): {
  title: string;
  total: string;
  details: string;
} {
  const { title, codes } = ALERT_WORDS[kind];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const details = counts
    .map(({ code, count }) => `${codes[code] ?? (returnWords(code) || "no reason given")}: ${count}`)
    .join("; ");
  const number = total.toLocaleString("en-US");
  return { title, total: isCut ? `At least ${number}` : number, details };
}

/** The document as plain text in Markdown; the alerts, if given, are its last section. */
export function writeProcess(
  { title, intro, sections }: ProcessDocument,
  alerts: readonly AlertGroup[] | null,
): string {
  const written = sections.map((section) => ({
    title: section.title,
    lines: section.lines.map(({ isInPlace, text }) => (isInPlace ? text : `${MISSING}${text}`)),
  }));
  if (alerts !== null) {
    const lines = alerts.map((group) => {
      const words = alertWords(group);
      return `${words.title}: ${words.total}${words.details === "" ? "" : ` (${words.details})`}`;
    });
    written.push({ title: ALERTS_TITLE, lines });
  }
  return [
    `# ${title}`,
    "",
    intro,
    ...written.flatMap((section) => [
      "",
      `## ${section.title}`,
      "",
      ...section.lines.map((line) => `- ${line}`),
    ]),
    "",
  ].join("\n");
}

/** Reads a signed text back, so that it is shown exactly as it was signed. */
export function readProcess(text: string): ProcessDocument {
  const document: ProcessDocument = { title: "", intro: "", sections: [] };
  for (const line of text.split("\n")) {
    const content = line.replace(/^(?:##?|-) /, "");
    if (line.startsWith("# ")) document.title = content;
    else if (line.startsWith("## ")) document.sections.push({ title: content, change: null, lines: [] });
    else if (line.startsWith("- ")) {
      const isInPlace = !content.startsWith(MISSING);
      const words = isInPlace ? content : content.slice(MISSING.length);
      document.sections.at(-1)?.lines.push({ isInPlace, text: words });
    } else if (line !== "") document.intro = line;
  }
  return document;
}

/** The sentences that are in one of both texts, without the alerts. */
export function compareProcess(
  before: ProcessDocument,
  after: ProcessDocument,
): { removed: string[]; added: string[] } {
  const lines = ({ sections }: ProcessDocument) =>
    sections
      .filter(({ title }) => title !== ALERTS_TITLE)
      .flatMap((section) =>
        section.lines.map(({ isInPlace, text }) => (isInPlace ? text : `${MISSING}${text}`)),
      );
  const [old, now] = [lines(before), lines(after)];
  return {
    removed: old.filter((line) => !now.includes(line)),
    added: now.filter((line) => !old.includes(line)),
  };
}
