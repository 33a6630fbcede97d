import type { KeyAlert } from "@/lib/contract/api-key";
import { renderAccountRegistered } from "@/lib/words/messages/account-registered";
import {
  renderApprovalAsked,
  renderApprovalDecided,
  renderApprovalReminder,
  renderApprovalsWaiting,
} from "@/lib/words/messages/approval-messages";
import { renderBankDifference } from "@/lib/words/messages/bank-difference";
import { renderTransferRefused, renderTransferReturned } from "@/lib/words/messages/bank-messages";
import { renderDigest } from "@/lib/words/messages/digest";
import type { MessageSetting, RenderedEmail, WhySent } from "@/lib/words/messages/email-layout";
import { renderEndpointDisabled } from "@/lib/words/messages/endpoint-disabled";
import { renderFraudReviewDue } from "@/lib/words/messages/fraud-review-due";
import { type ChangedGuard, renderGuardChanged } from "@/lib/words/messages/guard-changed";
import {
  renderAssistantConnected,
  renderGates,
  renderKeyCreated,
  renderKeyUnusual,
} from "@/lib/words/messages/key-messages";
import {
  renderIdentityTold,
  renderInvitation,
  renderMemberJoined,
} from "@/lib/words/messages/member-messages";
import { renderOutgoingCapChanged } from "@/lib/words/messages/outgoing-cap-changed";
import {
  type ChangedPayee,
  renderPayeeChanged,
  renderPayeeLink,
  renderPayeesImported,
} from "@/lib/words/messages/payee-changed";
import type { ProposedMove, WaitingProposal } from "@/lib/words/messages/proposal";
import { renderRuleProposed } from "@/lib/words/messages/rule-proposed";
import { renderRuleRunFailed } from "@/lib/words/messages/rule-run-failed";
import {
  renderMemberReset,
  renderNewDevice,
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
    ifApproved: stated(example, "the rule Send quarterly tax also runs."),
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
  const refused = { ...transfer, errorCode: "ACH_R02", ruleName: name, heldOnName: transfer.sourceName };
  return [
    { name: "transfer-returned-pausing", why: "CHOSEN", ...renderTransferReturned(pausing, setting) },
    { name: "transfer-returned", why: "CHOSEN", ...renderTransferReturned(sentBack, setting) },
    { name: "transfer-refused", why: "CHOSEN", ...renderTransferRefused(refused, setting) },
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

function runs(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const run = {
    ruleName: stated(example, "Split client payments"),
    movedInCents: 0,
    completedCount: 0,
    startedAt: AT,
    startedBy: { kind: "ARRIVAL" as const },
    problem: stated(example, "Operating has $80.00, and $120.00 was to move. Nothing moved."),
    runUrl: at(example, `/rules/${ID}/runs/${ID}`),
  };
  const inPart = {
    ...run,
    movedInCents: example.amountInCents ?? 360_000,
    completedCount: 3,
    startedBy: { kind: "API_KEY" as const, name: stated(example, "claude-bookkeeping") },
    problem: stated(
      example,
      "Operating has $80.00, and $120.00 was to move to Taxes. The run stopped there.",
    ),
  };
  const together = {
    count: 14,
    subject: `14 more runs of ${isolatedName(run.ruleName)} failed`,
    sentence: "None of them moved anything.",
    lines: Array.from(
      { length: 12 },
      () => `Fri 20 Nov, 09:05: ${isolatedName(stated(example, "Operating"))} is closed.`,
    ),
    action: { label: "See the rule's runs", url: at(example, `/rules/${ID}/runs`) },
    why: "CHOSEN" as const,
    smsSentence: "Sluice: 14 more runs of a rule failed.",
  };
  return [
    { name: "rule-run-failed", why: "CHOSEN", ...renderRuleRunFailed(run, setting) },
    { name: "rule-run-failed-in-part", why: "CHOSEN", ...renderRuleRunFailed(inPart, setting) },
    { name: "digest", why: "CHOSEN", ...renderDigest(together, setting) },
  ];
}

function security(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const key = {
    name: stated(example, "claude-bookkeeping"),
    createdBy: stated(example, "Mara"),
    createdAt: AT,
    prefix: "sluice_a1B2c3",
    isReplacement: false,
    powers: `can ask you to move up to $5,000.00 from ${stated(example, "Operating")} to Taxes. Nothing moves until you approve.`,
    keyUrl: at(example, `/settings/api-keys/${ID}`),
  };
  const assistant = {
    name: stated(example, "Claude"),
    host: stated(example, "claude.ai"),
    connectedBy: stated(example, "Mara"),
    connectedAt: AT,
    power: "ASKS" as const,
    assistantsUrl: at(example, "/settings/assistants"),
  };
  const gates = { by: stated(example, "Mara"), at: AT, gatesUrl: at(example, "/gates") };
  const signIn = {
    browser: stated(example, "Chrome on macOS"),
    method: "PASSWORD" as const,
    at: AT,
    network: "203.0.113.x",
    securityUrl: at(example, "/settings/security"),
  };
  const endpoint = {
    displayUrl: stated(example, "hooks.northwind.example/sluice"),
    because: "FAILING" as const,
    waitingCount: 14,
    endpointUrl: at(example, `/settings/webhooks/${ID}`),
  };
  const proposedRule = {
    name: stated(example, "Payday"),
    version: 4,
    activeVersion: 3,
    proposedBy: { name: stated(example, "claude-bookkeeping"), isPerson: false, connectedBy: null },
    sentence: `When money arrives in ${stated(example, "Client payments")}, send 27% to ${stated(example, "Taxes")}.`,
    reason: stated(example, "Taxes came out short twice this year."),
    ruleUrl: at(example, `/rules/${ID}?version=4`),
  };
  return [
    { name: "rule-proposed", why: "CHOSEN", ...renderRuleProposed(proposedRule, setting) },
    {
      name: "rule-proposed-new",
      why: "CHOSEN",
      ...renderRuleProposed({ ...proposedRule, version: 1, activeVersion: null, reason: null }, setting),
    },
    ...payeesChanged(example, setting),
    ...payeesImported(example, setting),
    ...guardsChanged(example, setting),
    ...bankDifferences(example, setting),
    { name: "key-created", why: "SECURITY", ...renderKeyCreated(key, setting) },
    { name: "key-replaced", why: "SECURITY", ...renderKeyCreated({ ...key, isReplacement: true }, setting) },
    { name: "assistant-connected", why: "SECURITY", ...renderAssistantConnected(assistant, setting) },
    {
      name: "assistant-connected-reads",
      why: "SECURITY",
      ...renderAssistantConnected({ ...assistant, power: "READS" }, setting),
    },
    { name: "gates-closed", why: "SECURITY", ...renderGates({ ...gates, act: "CLOSED" }, setting) },
    { name: "gates-opened", why: "SECURITY", ...renderGates({ ...gates, act: "OPENED" }, setting) },
    ...capsChanged(example, setting),
    ...accountsRegistered(example, setting),
    ...reviewsDue(example, setting),
    ...unusualUses(example, setting),
    { name: "new-device", why: "OWN_SIGN_IN", ...renderNewDevice(signIn, setting) },
    {
      name: "new-device-code",
      why: "OWN_SIGN_IN",
      ...renderNewDevice({ ...signIn, method: "RECOVERY_CODE" }, setting),
    },
    { name: "endpoint-disabled", why: "CHOSEN", ...renderEndpointDisabled(endpoint, setting) },
    {
      name: "endpoint-gone",
      why: "CHOSEN",
      ...renderEndpointDisabled({ ...endpoint, because: "GONE", waitingCount: 0 }, setting),
    },
  ];
}

function payeesChanged(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const payee: ChangedPayee = {
    kind: "CONFIRMED",
    name: stated(example, "Harbor Print Shop"),
    by: { kind: "MEMBER", name: stated(example, "Mara") },
    accountNumberLast4: "4321",
    isChange: false,
    isAdded: false,
    note: stated(example, "Ana, on the number of our last contract"),
    coolsOffUntil: EXPIRES_AT,
    payeeUrl: at(example, `/payees/${ID}`),
  };
  const entered: ChangedPayee = {
    ...payee,
    kind: "DETAILS_GIVEN",
    by: { kind: "PAYEE", name: payee.name },
    note: null,
  };
  const proposed: ChangedPayee = {
    ...payee,
    kind: "PROPOSED",
    by: { kind: "API_KEY", name: stated(example, "claude-bookkeeping") },
    accountNumberLast4: null,
    note: null,
  };
  const examples: [string, ChangedPayee][] = [
    ["payee-proposed", proposed],
    ["payee-entered", entered],
    ["payee-added", { ...entered, by: payee.by, isAdded: true }],
    ["payee-changed", { ...entered, by: payee.by, isChange: true }],
    ["payee-confirmed", payee],
    ["payee-confirmed-uncalled", { ...payee, isChange: true, note: null, coolsOffUntil: null }],
    ["payee-declined", { ...payee, kind: "DECLINED", note: null }],
    ["payee-invited", { ...payee, kind: "INVITED", note: "ana@example.com", accountNumberLast4: null }],
    ["payee-removed", { ...payee, kind: "REMOVED", note: null, accountNumberLast4: null }],
  ];
  return examples.map(([name, changed]) => ({
    name,
    why: "SECURITY",
    ...renderPayeeChanged(changed, setting),
  }));
}

function payeesImported(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const imported = {
    importedBy: stated(example, "Mara"),
    importedAt: AT,
    payees: [
      { name: stated(example, "Harbor Print Shop"), accountNumberLast4: "4321" },
      { name: stated(example, "Ana Ruiz"), accountNumberLast4: null },
    ],
    payeesUrl: at(example, "/payees"),
  };
  const one = { ...imported, payees: imported.payees.slice(0, 1) };
  return [
    { name: "payees-imported", why: "SECURITY", ...renderPayeesImported(imported, setting) },
    { name: "payee-imported", why: "SECURITY", ...renderPayeesImported(one, setting) },
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
    url: at(example, "/settings/api-keys"),
  };
  const zone = { before: "America/New_York", after: "Pacific/Kiritimati", subject: null };
  const coolOff = { before: "24 hours above $500.00", after: "1 hour above $9,000.00", subject: null };
  const examples: [string, ChangedGuard][] = [
    ["key-cap-raised", cap],
    ["key-cap-removed", { ...cap, after: null }],
    ["time-zone-changed", { ...cap, ...zone, kind: "TIME_ZONE" }],
    ["payee-cool-off-loosened", { ...cap, ...coolOff, kind: "PAYEE_COOL_OFF" }],
  ];
  return examples.map(([name, change]) => ({
    name,
    why: "SECURITY",
    ...renderGuardChanged(change, setting),
  }));
}

function bankDifferences(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const cents = example.amountInCents ?? 2_500;
  const differences = [
    { kind: "MISSING_HERE", bankInCents: -cents, booksInCents: 0 },
    { kind: "MISSING_AT_BANK", bankInCents: 0, booksInCents: cents },
    { kind: "DIFFERENT_AMOUNT", bankInCents: cents - 1, booksInCents: cents },
    { kind: "DIFFERENT_DATE", bankInCents: cents, booksInCents: cents },
  ] as const;
  return differences.map((difference) => ({
    name: `bank-difference-${difference.kind.toLowerCase().replaceAll("_", "-")}`,
    why: "CHOSEN",
    ...renderBankDifference(
      { ...difference, day: "2026-11-20", url: at(example, `/accounts/reconciliation/${ID}`) },
      setting,
    ),
  }));
}

function capsChanged(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const lifted = {
    beforeInCents: example.amountInCents ?? 100_000,
    afterInCents: null,
    changedBy: stated(example, "Mara"),
    changedAt: AT,
    settingsUrl: at(example, "/settings#money-out"),
  };
  const set = { ...lifted, beforeInCents: null, afterInCents: lifted.beforeInCents };
  return [
    { name: "outgoing-cap-lifted", why: "SECURITY", ...renderOutgoingCapChanged(lifted, setting) },
    { name: "outgoing-cap-set", why: "SECURITY", ...renderOutgoingCapChanged(set, setting) },
  ];
}

function accountsRegistered(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const account = {
    name: stated(example, "Harbor Checking"),
    institutionName: stated(example, "First Harbor"),
    accountNumberLast4: "4321",
    registeredBy: stated(example, "Mara"),
    coolsOffUntil: EXPIRES_AT,
    accountUrl: at(example, `/accounts/${ID}`),
  };
  const calm = { ...account, institutionName: null, coolsOffUntil: null };
  return [
    { name: "account-registered", why: "SECURITY", ...renderAccountRegistered(account, setting) },
    { name: "account-registered-at-once", why: "SECURITY", ...renderAccountRegistered(calm, setting) },
  ];
}

function reviewsDue(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const first = { lastSignedAt: null, reviewUrl: at(example, "/settings/fraud-monitoring") };
  return [
    { name: "fraud-review-due", why: "SECURITY", ...renderFraudReviewDue(first, setting) },
    {
      name: "fraud-review-due-again",
      why: "SECURITY",
      ...renderFraudReviewDue({ ...first, lastSignedAt: AT }, setting),
    },
  ];
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
  return alerts.map((alert, index) => {
    const use = {
      kind: index % 2 === 0 ? ("API_KEY" as const) : ("ASSISTANT" as const),
      name: stated(example, "claude-bookkeeping"),
      alert,
      noticedAt: AT,
      url: at(example, `/settings/api-keys/${ID}`),
    };
    const name = `unusual-${alert.kind.toLowerCase().replace("_", "-")}`;
    return { name, why: "CHOSEN", ...renderKeyUnusual(use, setting) };
  });
}

function people(example: ExampleWords, setting: MessageSetting): ExampleMessage[] {
  const invitation = {
    invitedBy: stated(example, "Mara Okafor"),
    role: "CO_OWNER" as const,
    expiresAt: EXPIRES_AT,
    invitationUrl: at(example, `/invitations/${"a1B2-".repeat(9).slice(0, 43)}`),
  };
  const member = {
    name: stated(example, "Ines Ferreira"),
    email: "ines@northwind.example",
    role: "CO_OWNER" as const,
    invitedBy: stated(example, "Mara Okafor"),
    membersUrl: at(example, "/settings/members"),
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
    { name: "member-joined", why: "SECURITY", ...renderMemberJoined(member, setting) },
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
        email: renderIdentityTold({ outcome, identityUrl }, setting),
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
