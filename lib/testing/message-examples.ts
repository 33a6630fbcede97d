import type { KeyAlert } from "@/lib/contract/api-key";
import {
  type ChangeNews,
  changeEnded,
  changeSignatureAsked,
  changeSignatureReminder,
} from "@/lib/core/notifications/kinds/asked-changes";
import { endpointDisabled } from "@/lib/core/notifications/kinds/endpoints";
import {
  type ChangedGuard,
  gatesClosed,
  gatesOpened,
  guardChanged,
  outgoingCapChanged,
} from "@/lib/core/notifications/kinds/gates";
import {
  type MandateNews,
  mandateAsked,
  mandateEnded,
  mandateSigned,
} from "@/lib/core/notifications/kinds/mandates";
import {
  accountRegistered,
  type ChangedPayee,
  payeeChanged,
  payeesImported,
} from "@/lib/core/notifications/kinds/payees";
import { policyPublished, policySignatureAsked } from "@/lib/core/notifications/kinds/policies";
import { bankDifference } from "@/lib/core/notifications/kinds/reconciliation";
import { ruleProposed, ruleSignatureAsked } from "@/lib/core/notifications/kinds/rule-proposals";
import { ruleRunFailed } from "@/lib/core/notifications/kinds/rule-runs";
import {
  assistantConnected,
  fraudReviewDue,
  keyCreated,
  memberJoined,
  newDevice,
} from "@/lib/core/notifications/kinds/security";
import { keyUnusual } from "@/lib/core/notifications/kinds/unusual-use";
import type { Notice } from "@/lib/core/notifications/notice-kind";
import { askedChangeWords } from "@/lib/words/asked-change-words";
import {
  renderApprovalAsked,
  renderApprovalDecided,
  renderApprovalReminder,
  renderApprovalsWaiting,
} from "@/lib/words/messages/approval-messages";
import {
  renderAccountCorrected,
  renderTransferRefused,
  renderTransferReturned,
} from "@/lib/words/messages/bank-messages";
import type { MessageSetting, RenderedEmail, WhySent } from "@/lib/words/messages/email-layout";
import { renderIdentityReport, renderInvitation } from "@/lib/words/messages/member-messages";
import { renderPayeeLink } from "@/lib/words/messages/payee-link";
import type { ProposedMove, WaitingProposal } from "@/lib/words/messages/proposal";
import {
  renderMemberReset,
  renderPasswordChanged,
  renderPasswordReset,
  renderSignUpCode,
  renderSignUpKnown,
} from "@/lib/words/messages/sign-in-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";
import { renderWeek } from "@/lib/words/messages/week";

/** What a message says where nothing is chosen otherwise. */
interface ExampleWords {
  /** Replaces every text that a stranger can choose; null: ordinary names. */
  words?: string;
  amountInCents?: number;
  /** Public address of the server. */
  appUrl?: string;
  setting?: Partial<MessageSetting>;
}

interface ExampleMessage {
  name: string;
  why: WhySent;
  email: RenderedEmail;
  sms?: string;
}

const ID = "7c1e5f0e-2b7d-4f6e-9d0a-3f61b2a944d0";
const EXPIRES_AT = new Date("2026-11-21T13:40:00Z");
const AT = new Date("2026-11-20T14:05:00Z");

/** Each message that Sluice sends, in an order for reading. */
export function everyMessage(example: ExampleWords = {}): ExampleMessage[] {
  const setting: MessageSetting = {
    organizationName: example.words ?? "Northwind Studio",
    timeZone: "America/New_York",
    isSandboxBank: true,
    ...example.setting,
  };
  return [
    ...approvals(example, setting),
    ...transfers(example, setting),
    ...runs(example, setting),
    week(example, setting),
    ...security(example, setting),
    ...people(example, setting),
    ...onboarding(example, setting),
  ];
}

const stated = ({ words }: ExampleWords, otherwise: string) => words ?? otherwise;
const at = ({ appUrl = "https://sluice.northwind.example" }: ExampleWords, path: string) =>
  `${appUrl}${path}`;

function approvals(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const amountInCents = example.amountInCents ?? 425_000;
  const move: ProposedMove = {
    kind: "TRANSFER",
    amountInCents,
    sourceName: stated(example, "Operating"),
    destinationName: stated(example, "Taxes"),
    reversesSettledAt: null,
    sourceBalanceInCents: 1_842_055,
    destinationBalanceInCents: 931_000,
  };
  const run: ProposedMove = {
    kind: "RULE_RUN",
    ruleName: stated(example, "Split client payments"),
    amountInCents,
    sourceName: stated(example, "Client payments"),
    transferCount: 5,
  };
  const proposal: WaitingProposal = {
    move,
    askedBy: { name: stated(example, "claude-bookkeeping"), isPerson: false, connectedBy: null },
    trackRecord: { approved: 43, decided: 47 },
    reason: stated(example, "Q4 estimated tax is $13,560.00 and due 15 December. This closes the gap."),
    aboveCapInCents: null,
    payees: [],
    alsoRuns: [{ ruleName: stated(example, "Send quarterly tax"), movedInCents: amountInCents }],
    expiresAt: EXPIRES_AT,
    approvalUrl: at(example, `/?approvalTransferId=${ID}`),
  };
  const assistant = {
    name: stated(example, "Claude"),
    isPerson: false,
    connectedBy: stated(example, "Mara"),
  };
  const waiting = {
    askedBy: proposal.askedBy,
    waitingCount: 7,
    firstExpiresAt: EXPIRES_AT,
    proposals: [
      { move, payees: [], expiresAt: EXPIRES_AT },
      { move: run, payees: [], expiresAt: EXPIRES_AT },
    ],
    approvalsUrl: at(example, "/approvals"),
  };
  const decided = {
    move,
    askedBy: proposal.askedBy,
    decision: "DENIED" as const,
    decidedBy: stated(example, "Jonas"),
    decidedAt: AT,
    denialReason: stated(example, "Paid already."),
    approvalUrl: proposal.approvalUrl,
  };
  return [
    { name: "approval-asked", why: "DECIDES", ...renderApprovalAsked(proposal, setting) },
    {
      name: "approval-asked-cap",
      why: "DECIDES",
      ...renderApprovalAsked({ ...proposal, aboveCapInCents: 500_000 }, setting),
    },
    {
      name: "approval-asked-run",
      why: "DECIDES",
      ...renderApprovalAsked({ ...proposal, move: run }, setting),
    },
    {
      name: "approval-asked-assistant",
      why: "DECIDES",
      ...renderApprovalAsked({ ...proposal, askedBy: assistant }, setting),
    },
    { name: "approval-reminder", why: "DECIDES", ...renderApprovalReminder(proposal, setting) },
    { name: "approvals-waiting", why: "DECIDES", ...renderApprovalsWaiting(waiting, setting) },
    { name: "approval-decided", why: "CHOSEN", ...renderApprovalDecided(decided, setting) },
  ];
}

function transfers(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const transfer = {
    amountInCents: example.amountInCents ?? 425_000,
    sourceName: stated(example, "Halden Health"),
    destinationName: stated(example, "Client payments"),
    errorCode: "ACH_R10",
    ruleName: null,
    link: { label: "See the account", url: at(example, `/accounts/${ID}`) },
  };
  const taken = {
    name: transfer.destinationName,
    effect: "TAKEN" as const,
    balanceInCents: -(example.amountInCents ?? 120_000),
  };
  const name = stated(example, "Split client payments");
  const pausing = {
    ...transfer,
    account: taken,
    pausedRuleNames: [name, stated(example, "Set aside")],
    link: { label: "See what it paused", url: at(example, `/rules/${ID}/paused`) },
  };
  const sentBack = {
    ...transfer,
    ruleName: name,
    errorCode: example.words ?? "ACH_R29",
    account: { name: transfer.sourceName, effect: "GIVEN_BACK" as const, balanceInCents: null },
    pausedRuleNames: [],
  };
  const corrected = {
    name,
    code: "C01",
    previousNumberLast4: "8812",
    numberLast4: "8813",
    url: transfer.link.url,
  };
  const refused = { ...transfer, errorCode: "ACH_R02", ruleName: name, heldOnName: transfer.sourceName };
  return [
    { name: "transfer-returned-pausing", why: "CHOSEN", ...renderTransferReturned(pausing, setting) },
    { name: "transfer-returned", why: "CHOSEN", ...renderTransferReturned(sentBack, setting) },
    { name: "transfer-refused", why: "CHOSEN", ...renderTransferRefused(refused, setting) },
    { name: "account-corrected", why: "CHOSEN", ...renderAccountCorrected(corrected, setting) },
  ];
}

function week(example: ExampleWords, setting: MessageSetting): ExampleMessage {
  const amount = example.amountInCents;
  const reported = {
    beganOn: "2026-11-16",
    inInCents: amount ?? 3_565_000,
    outInCents: amount ?? 3_600_000,
    totalInCents: amount ?? 4_782_520,
    approvedCount: 4,
    deniedCount: 1,
    expiredCount: 0,
    waitingCount: 3,
    runCount: 9,
    failedCount: 1,
    overviewUrl: at(example, "/"),
  };
  return { name: "week", why: "CHOSEN", ...renderWeek(reported, setting) };
}

/** Each single message, and a flood of them in a digest, if they are ever combined. */
function noticed<Facts>(
  example: ExampleWords,
  setting: MessageSetting,
  notice: Notice<Facts>,
  facts: readonly (readonly [string, Facts])[],
): ExampleMessage[] {
  const inSetting = { ...setting, appUrl: at(example, "") };
  const { why } = notice;
  const all = facts.map(([, one]) => one);
  const flood = [...all, ...Array.from({ length: 14 }).flatMap(() => all.slice(0, 1))];
  const name = `${facts[0]?.[0]}-digest`;
  return [
    ...facts.map(([name, one]) => ({ name, why, ...notice.render(one, inSetting) })),
    ...(notice.renderDigest ? [{ name, why, ...notice.renderDigest(flood, inSetting) }] : []),
  ];
}

function runs(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const run = {
    id: ID,
    ruleId: ID,
    ruleName: stated(example, "Split client payments"),
    movedInCents: 0,
    completedCount: 0,
    createdAt: AT,
    startedByKind: "ARRIVAL" as const,
    startedByName: null,
    errorMessage: stated(example, "Operating has $80.00, and $120.00 was to move. Nothing moved."),
  };
  const inPart = {
    ...run,
    movedInCents: example.amountInCents ?? 360_000,
    completedCount: 3,
    startedByKind: "API_KEY" as const,
    startedByName: stated(example, "claude-bookkeeping"),
    errorMessage: stated(
      example,
      "Operating has $80.00, and $120.00 was to move to Taxes. The run stopped there.",
    ),
  };
  return noticed(example, setting, ruleRunFailed, [
    ["rule-run-failed", run],
    ["rule-run-failed-in-part", inPart],
    ["rule-run-failed-unknown", { ...run, startedByKind: null, errorMessage: null }],
  ]);
}

function security(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const key = {
    id: ID,
    name: stated(example, "claude-bookkeeping"),
    createdBy: stated(example, "Mara"),
    createdAt: AT,
    prefix: "sluice_a1B2c3",
    isReplacement: false,
    powers: `can ask you to move up to $5,000.00 from ${isolatedName(stated(example, "Operating"))} to Taxes. Nothing moves until you approve.`,
  };
  const assistant = {
    name: stated(example, "Claude"),
    clientHost: stated(example, "claude.ai"),
    connectedBy: stated(example, "Mara"),
    createdAt: AT,
    role: "OWNER" as const,
  };
  const by = { by: stated(example, "Mara"), at: AT };
  const signIn = {
    browser: stated(example, "Chrome on macOS"),
    method: "PASSWORD" as const,
    at: AT,
    network: "203.0.113.x",
  };
  const endpoint = {
    id: ID,
    displayUrl: stated(example, "hooks.northwind.example/sluice"),
    because: "FAILING" as const,
    waitingCount: 14,
  };
  const proposedRule = {
    id: ID,
    name: stated(example, "Payday"),
    version: 4,
    activeVersion: 3,
    proposerKind: "API_KEY" as const,
    proposerName: stated(example, "claude-bookkeeping"),
    connectedByName: null,
    sentence: `When money arrives in ${isolatedName(stated(example, "Client payments"))}, send 27% to ${isolatedName(stated(example, "Taxes"))}.`,
    reason: stated(example, "Taxes came out short twice this year."),
  };
  return [
    ...noticed(example, setting, ruleProposed, [
      ["rule-proposed", proposedRule],
      ["rule-proposed-new", { ...proposedRule, version: 1, activeVersion: null, reason: null }],
    ]),
    ...noticed(example, setting, ruleSignatureAsked, [
      [
        "rule-signature-asked",
        {
          id: proposedRule.id,
          name: proposedRule.name,
          version: 4,
          byName: stated(example, "Mara Okafor"),
          at: AT,
        },
      ],
    ]),
    ...payeesChanged(example, setting),
    ...guardsChanged(example, setting),
    ...bankDifferences(example, setting),
    ...noticed(example, setting, keyCreated, [
      ["key-created", key],
      ["key-replaced", { ...key, isReplacement: true }],
    ]),
    ...noticed(example, setting, assistantConnected, [
      ["assistant-connected", assistant],
      ["assistant-connected-reads", { ...assistant, role: "VIEWER" as const }],
    ]),
    ...noticed(example, setting, gatesClosed, [["gates-closed", by]]),
    ...noticed(example, setting, gatesOpened, [["gates-opened", by]]),
    ...noticed(example, setting, policySignatureAsked, [
      [
        "policy-signature-asked",
        { version: "8", by: stated(example, "Mara Okafor"), at: AT, expiresAt: EXPIRES_AT },
      ],
    ]),
    ...noticed(example, setting, policyPublished, [
      ["policy-published", { version: "8", by: stated(example, "Jonas Weil"), at: AT, expiresAt: null }],
    ]),
    ...mandatesInWords(example, setting),
    ...changesAsked(example, setting),
    ...capsChanged(example, setting),
    ...accountsRegistered(example, setting),
    ...noticed(example, setting, fraudReviewDue, [
      ["fraud-review-due", { lastSignedAt: null }],
      ["fraud-review-due-again", { lastSignedAt: AT }],
    ]),
    ...unusualUses(example, setting),
    ...noticed(example, setting, newDevice, [
      ["new-device", signIn],
      ["new-device-code", { ...signIn, method: "RECOVERY_CODE" as const }],
    ]),
    ...noticed(example, setting, endpointDisabled, [
      ["endpoint-disabled", endpoint],
      ["endpoint-gone", { ...endpoint, because: "GONE" as const, waitingCount: 0 }],
    ]),
  ];
}

function mandatesInWords(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const [from, to] = [stated(example, "Operating"), stated(example, "Redline Print")].map(isolatedName);
  const mandate: MandateNews = {
    id: ID,
    keyName: stated(example, "claude-bookkeeping"),
    sentence: `It may move $350.00 or less at a time from ${from} to ${to}, up to $1,500.00 a calendar month, until Feb 28, 2027.`,
    reason: stated(example, "Redline sends two to three small invoices a week."),
    by: stated(example, "Mara Okafor"),
    at: AT,
    expiresAt: EXPIRES_AT,
  };
  return [
    ...noticed(example, setting, mandateAsked, [
      ["mandate-asked", mandate],
      ["mandate-asked-by-member", { ...mandate, reason: null }],
    ]),
    ...noticed(example, setting, mandateSigned, [["mandate-signed", mandate]]),
    ...noticed(example, setting, mandateEnded, [["mandate-ended", mandate]]),
  ];
}

function changesAsked(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const wanted = { what: "ACCOUNT_FLOOR", accountId: ID, before: 50_000, after: null } as const;
  const change: ChangeNews = {
    id: ID,
    words: askedChangeWords(wanted, isolatedName(stated(example, "Operating"))),
    href: `/settings/approvals/changes/${ID}`,
    state: "WAITING",
    askedBy: stated(example, "Mara Okafor"),
    askedAt: AT,
    expiresAt: EXPIRES_AT,
    endedBy: null,
  };
  const endedBy = stated(example, "Jonas Weil");
  return [
    ...noticed(example, setting, changeSignatureAsked, [["change-signature-asked", change]]),
    ...noticed(example, setting, changeSignatureReminder, [["change-signature-reminder", change]]),
    ...noticed(example, setting, changeEnded, [
      ["change-carried-out", { ...change, state: "DONE", endedBy, end: "signed by all, and in force" }],
      ["change-denied", { ...change, state: "DENIED", endedBy, end: "denied" }],
      ["change-expired", { ...change, state: "EXPIRED", end: "expired without all signatures" }],
    ]),
  ];
}

function payeesChanged(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const payee: ChangedPayee = {
    payeeId: ID,
    kind: "CONFIRMED",
    name: stated(example, "Harbor Print Shop"),
    byKind: "MEMBER",
    byName: stated(example, "Mara"),
    accountNumberLast4: "4321",
    isChange: false,
    isAdded: false,
    note: stated(example, "Ana, on the number of our last contract"),
    coolsOffUntil: EXPIRES_AT,
  };
  const entered: ChangedPayee = {
    ...payee,
    kind: "DETAILS_GIVEN",
    byKind: "PAYEE",
    byName: payee.name,
    note: null,
  };
  const { byKind, byName } = payee;
  const proposed: ChangedPayee = {
    ...payee,
    kind: "PROPOSED",
    byKind: "API_KEY",
    byName: stated(example, "claude-bookkeeping"),
    accountNumberLast4: null,
    note: null,
  };
  const imported = {
    importedBy: stated(example, "Mara"),
    importedAt: AT,
    payees: [
      { name: stated(example, "Harbor Print Shop"), accountNumberLast4: "4321" },
      { name: stated(example, "Ana Ruiz"), accountNumberLast4: null },
    ],
  };
  return [
    ...noticed(example, setting, payeeChanged, [
      ["payee-proposed", proposed],
      ["payee-entered", entered],
      ["payee-added", { ...entered, byKind, byName, isAdded: true }],
      ["payee-changed", { ...entered, byKind, byName, isChange: true }],
      ["payee-signed", { ...payee, kind: "SIGNED", coolsOffUntil: null }],
      ["payee-confirmed", payee],
      ["payee-confirmed-uncalled", { ...payee, isChange: true, note: null, coolsOffUntil: null }],
      ["payee-declined", { ...payee, kind: "DECLINED", note: null }],
      ["payee-invited", { ...payee, kind: "INVITED", note: "ana@example.com", accountNumberLast4: null }],
      ["payee-removed", { ...payee, kind: "REMOVED", note: null, accountNumberLast4: null }],
    ]),
    ...noticed(example, setting, payeesImported, [
      ["payees-imported", imported],
      ["payee-imported", { ...imported, payees: imported.payees.slice(0, 1) }],
    ]),
  ];
}

function guardsChanged(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const cap: ChangedGuard = {
    kind: "KEY_CAP",
    subject: stated(example, "claude-bookkeeping"),
    before: "$10.00",
    after: "$500.00",
    changedBy: stated(example, "Mara"),
    changedAt: AT,
  };
  const zone = { before: "America/New_York", after: "Pacific/Kiritimati", subject: null };
  const coolOff = { before: "24 hours above $500.00", after: "1 hour above $9,000.00", subject: null };
  return noticed(example, setting, guardChanged, [
    ["key-cap-raised", cap],
    ["key-cap-removed", { ...cap, after: null }],
    ["time-zone-changed", { ...cap, ...zone, kind: "TIME_ZONE" }],
    ["payee-cool-off-loosened", { ...cap, ...coolOff, kind: "PAYEE_COOL_OFF" }],
  ]);
}

function bankDifferences(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const cents = example.amountInCents ?? 2_500;
  const line = { id: ID, day: "2026-11-20", bankInCents: cents, booksInCents: cents };
  return noticed(example, setting, bankDifference, [
    ["bank-difference-missing-here", { ...line, kind: "MISSING_HERE", bankInCents: -cents, booksInCents: 0 }],
    ["bank-difference-missing-at-bank", { ...line, kind: "MISSING_AT_BANK", bankInCents: 0 }],
    ["bank-difference-different-amount", { ...line, kind: "DIFFERENT_AMOUNT", bankInCents: cents - 1 }],
    ["bank-difference-different-date", { ...line, kind: "DIFFERENT_DATE" }],
    ["bank-difference-line-changed", { ...line, kind: "LINE_CHANGED", bankInCents: cents - 1 }],
    ["bank-difference-line-changed-in-date", { ...line, kind: "LINE_CHANGED" }],
  ]);
}

function capsChanged(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const cents = example.amountInCents ?? 100_000;
  const by = { changedBy: stated(example, "Mara"), changedAt: AT };
  return noticed(example, setting, outgoingCapChanged, [
    ["outgoing-cap-lifted", { ...by, beforeInCents: cents, afterInCents: null }],
    ["outgoing-cap-set", { ...by, beforeInCents: null, afterInCents: cents }],
  ]);
}

function accountsRegistered(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const account = {
    id: ID,
    name: stated(example, "Harbor Checking"),
    institutionName: stated(example, "First Harbor"),
    accountNumberLast4: "4321",
    registeredBy: stated(example, "Mara"),
    coolsOffUntil: EXPIRES_AT,
  };
  return noticed(example, setting, accountRegistered, [
    ["account-registered", account],
    ["account-registered-at-once", { ...account, institutionName: null, coolsOffUntil: null }],
  ]);
}

function unusualUses(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const cents = example.amountInCents ?? 480_000;
  const alerts: KeyAlert[] = [
    { kind: "NEW_NETWORK", network: "203.0.113.x", knownNetworks: 2 },
    { kind: "AFTER_SILENCE", days: 60 },
    { kind: "REFUSALS", refusals: 24, commonest: "ACCESS_DENIED" },
    { kind: "LARGE_AMOUNT", amountInCents: cents, usualInCents: cents },
    { kind: "LARGE_DAY", dayInCents: cents, usualInCents: cents },
    { kind: "CAP_REACHED", capInCents: cents, usedInCents: cents },
    { kind: "MANY_WAITING", waiting: 25 },
  ];
  const use = { keyId: ID, name: stated(example, "claude-bookkeeping"), noticedAt: AT };
  return noticed(
    example,
    setting,
    keyUnusual,
    alerts.map((alert, index) => [
      `unusual-${alert.kind.toLowerCase().replace("_", "-")}`,
      { ...use, alert, isAssistant: index % 2 === 1 },
    ]),
  );
}

function people(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const invitation = {
    invitedBy: stated(example, "Mara Okafor"),
    role: "CO_OWNER" as const,
    expiresAt: EXPIRES_AT,
    invitationUrl: at(example, `/invitations/${"a1B2-".repeat(9).slice(0, 43)}`),
  };
  const member = {
    id: ID,
    name: stated(example, "Ines Ferreira"),
    email: "ines@northwind.example",
    role: "CO_OWNER" as const,
    invitedBy: stated(example, "Mara Okafor"),
  };
  return [
    { name: "invitation", why: "INVITED", email: renderInvitation(invitation, setting) },
    {
      name: "payee-link",
      why: "INVITED",
      email: renderPayeeLink(
        {
          sentBy: stated(example, "Mara"),
          expiresAt: EXPIRES_AT,
          url: at(example, `/payee/${"a1B2-".repeat(9).slice(0, 43)}`),
        },
        setting,
      ),
    },
    ...noticed(example, setting, memberJoined, [["member-joined", member]]),
  ];
}

function onboarding(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const code = { code: "482913", signUpUrl: at(example, "/sign-up") };
  const forgotUrl = at(example, "/forgot");
  const resetUrl = at(example, `/reset/${"a1B2-".repeat(9).slice(0, 43)}`);
  const reset = {
    name: stated(example, "Ines Ferreira"),
    email: "ines@northwind.example",
    membersUrl: at(example, "/settings/members"),
  };
  const outcomes = ["APPROVED", "NEEDS_DOCUMENT", "REFUSED", "NOT_RECEIVED"] as const;
  const identityUrl = at(example, "/welcome/identity");
  return [
    { name: "sign-up-code", why: "SIGNS_UP", email: renderSignUpCode(code, setting) },
    { name: "sign-up-known", why: "SIGNS_UP", email: renderSignUpKnown({ forgotUrl }, setting) },
    { name: "password-reset", why: "OWN_PASSWORD", email: renderPasswordReset({ resetUrl }, setting) },
    { name: "password-changed", why: "OWN_PASSWORD", email: renderPasswordChanged({ forgotUrl }, setting) },
    { name: "member-reset", why: "SECURITY", email: renderMemberReset(reset, setting) },
    ...outcomes.map(
      (outcome): ExampleMessage => ({
        name: `identity-${outcome.toLowerCase().replaceAll("_", "-")}`,
        why: "SECURITY",
        email: renderIdentityReport({ outcome, identityUrl }, setting),
      }),
    ),
  ];
}

/** What a reader sees of the HTML part: no tags, no style sheet, entities resolved. */
export function visibleText(email: Pick<RenderedEmail, "html">): string {
  return email.html
    .replace(/<(style|title)>[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

/** Where the HTML part leads. */
export const linksIn = (email: Pick<RenderedEmail, "html">) =>
  [...email.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
