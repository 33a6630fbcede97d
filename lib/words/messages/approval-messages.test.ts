import { describe, expect, test } from "vitest";
import { linksIn, visibleText } from "@/lib/testing/message-examples";
import {
  type DecidedProposal,
  renderApprovalAsked,
  renderApprovalDecided,
  renderApprovalReminder,
  renderApprovalsWaiting,
  type WaitingProposals,
} from "@/lib/words/messages/approval-messages";
import type { MessageSetting } from "@/lib/words/messages/email-layout";
import type { ProposedMove, WaitingProposal } from "@/lib/words/messages/proposal";

const APPROVAL_URL =
  "https://sluice.northwind.example/?approvalTransferId=7c1e5f0e-2b7d-4f6e-9d0a-3f61b2a944d0";

const setting: MessageSetting = {
  organizationName: "Northwind Studio",
  timeZone: "America/New_York",
  isSandboxBank: true,
};

const transfer: Extract<ProposedMove, { kind: "TRANSFER" }> = {
  kind: "TRANSFER",
  amountInCents: 425_000,
  sourceName: "Operating",
  destinationName: "Taxes",
  reversesSettledAt: null,
  sourceBalanceInCents: 1_842_055,
  destinationBalanceInCents: 931_000,
};

const ruleRun: Extract<ProposedMove, { kind: "RULE_RUN" }> = {
  kind: "RULE_RUN",
  ruleName: "Split client payments",
  amountInCents: 360_000,
  sourceName: "Client payments",
  transferCount: 5,
};

const proposal: WaitingProposal = {
  move: transfer,
  askedBy: { name: "claude-bookkeeping", isPerson: false, connectedBy: null },
  trackRecord: { approved: 43, decided: 47 },
  reason: "Q4 estimated tax is $13,560.00 and due 15 December.\nThis closes the gap, e.g. for the payment.",
  aboveCapInCents: null,
  payees: [],
  alsoRuns: [{ ruleName: "Send quarterly tax", movedInCents: 12_500 }],
  // 8:40 AM in New York.
  expiresAt: new Date("2026-11-21T13:40:00Z"),
  approvalUrl: APPROVAL_URL,
};

const decided: DecidedProposal = {
  move: transfer,
  askedBy: { name: "claude-bookkeeping", isPerson: false, connectedBy: null },
  decision: "DENIED",
  decidedBy: "Jonas",
  decidedAt: new Date("2026-11-20T14:05:00Z"),
  denialReason: "Paid already.",
  approvalUrl: APPROVAL_URL,
};

const waiting: WaitingProposals = {
  askedBy: { name: "claude-bookkeeping", isPerson: false, connectedBy: null },
  waitingCount: 7,
  firstExpiresAt: proposal.expiresAt,
  proposals: [
    { move: transfer, payees: [], expiresAt: proposal.expiresAt },
    { move: ruleRun, payees: [], expiresAt: new Date("2026-11-21T14:00:00Z") },
  ],
  approvalsUrl: "https://sluice.northwind.example/approvals",
};

describe("asking for approval", () => {
  const { email, sms } = renderApprovalAsked(proposal, setting);

  test("the subject is the question", () => {
    expect(email.subject).toBe("Move $4,250.00 from Operating to Taxes?");
    expect(renderApprovalAsked({ ...proposal, move: ruleRun }, setting).email.subject).toBe(
      "Run Split client payments: move $3,600.00 from Client payments in 5 transfers?",
    );
    const one = { ...proposal, move: { ...ruleRun, transferCount: 1 } };
    expect(renderApprovalAsked(one, setting).email.subject).toMatch(/in 1 transfer\?$/);
  });

  test("the text part alone says everything needed to decide", () => {
    expect(email.text).toBe(
      `Sluice, Northwind Studio
Sandbox bank: no real money

Move $4,250.00 from Operating to Taxes?

claude-bookkeeping asks. It had 43 of 47 proposals approved. It wrote:
> Q4 estimated tax is $13,560.00 and due 15 December.
> This closes the gap, e.g. for the payment.

If you approve, the rule Send quarterly tax also runs and moves $125.00, based on current balances.

Review and decide:
${APPROVAL_URL}

Open until Sat, Nov 21, 8:40 AM EST. Without a decision it is denied and nothing moves. You confirm with your passkey or password; this email alone cannot approve anything.

Sent to the owner and co-owners of Northwind Studio.
`,
    );
  });

  test("a first payment, and the first since a change, is marked in email, SMS and notification", () => {
    const paying = (novelty: "FIRST" | "CHANGED", isOwn = false) =>
      renderApprovalAsked(
        { ...proposal, payees: [{ name: "Harbor Print Shop", isOwn, novelty, accountNumberLast4: "4321" }] },
        setting,
      );
    const first = paying("FIRST");
    const mark = "First payment to Harbor Print Shop, account ending in 4321.";
    expect(first.email.text).toContain(`\n${mark}\n`);
    expect(first.email.html).toContain(mark);
    expect(first.email.push.body).toContain(mark);
    expect(first.sms).toContain(" New payee.");
    const changed = paying("CHANGED");
    expect(changed.email.text).toContain(
      "First payment to Harbor Print Shop since it changed, account ending in 4321.",
    );
    expect(changed.sms).toContain(" Changed payee.");
    expect(paying("FIRST", true).sms).toContain(" Newly registered account.");
    expect(`${email.text}${email.html}${email.push.body}${sms}`).not.toMatch(/first payment|payee/i);
  });

  test("the HTML part says the same, and the reason is in quotation marks", () => {
    const text = visibleText(email);
    expect(text).toContain("$4,250 .00");
    expect(text).toContain("$18,420.55 now");
    expect(text).toContain("$9,310.00 now");
    expect(text).toContain("\u201CQ4 estimated tax is $13,560.00 and due 15 December. This closes");
    expect(text).toContain("payment.\u201D");
    expect(text).toContain(
      "If you approve, the rule Send quarterly tax also runs and moves $125.00, based on current balances.",
    );
    expect(text).toContain("Open until Sat, Nov 21, 8:40 AM EST.");
  });

  test("the only link is the one to decide, and nothing is loaded from anywhere", () => {
    expect(linksIn(email)).toEqual([APPROVAL_URL]);
    expect(email.html).not.toMatch(/<(img|script|link|iframe|form|svg)|\bsrc=|url\(|@import/i);
  });

  test("it reads in the dark", () => {
    expect(email.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(email.html).toContain("prefers-color-scheme:dark");
  });

  test("what is unknown is left out, not invented", () => {
    const bare = renderApprovalAsked(
      {
        ...proposal,
        move: { ...transfer, sourceBalanceInCents: null, destinationBalanceInCents: null },
        trackRecord: null,
        reason: null,
        alsoRuns: [],
      },
      setting,
    ).email;
    expect(bare.text).toContain("claude-bookkeeping asks. It gave no reason.");
    expect(visibleText(bare)).toContain("asks. It gave no reason.");
    for (const part of [bare.text, bare.html]) {
      expect(part).not.toMatch(/ now|null|undefined|If you approve|proposals approved/);
    }
  });

  test("the SMS is amount, deadline and link", () => {
    expect(sms).toBe(`Sluice: $4,250.00 waits for your approval until Sat 8:40 AM EST. ${APPROVAL_URL}`);
  });

  test("the deadline is in the organization's time zone", () => {
    const berlin = renderApprovalAsked(proposal, { ...setting, timeZone: "Europe/Berlin" });
    expect(berlin.email.text).toContain("Open until Sat, Nov 21, 2:40 PM GMT+1.");
    expect(berlin.sms).toContain("until Sat 2:40 PM GMT+1.");
    const kiritimati = renderApprovalAsked(proposal, { ...setting, timeZone: "Pacific/Kiritimati" });
    expect(kiritimati.email.text).toContain("Open until Sun, Nov 22, 3:40 AM GMT+14.");
    const midnight = { ...proposal, expiresAt: new Date("2026-11-21T05:00:00Z") };
    expect(renderApprovalAsked(midnight, setting).sms).toContain("until Sat 12:00 AM EST.");
  });

  test("a link that is not to the web is not sent", () => {
    const hostile = { ...proposal, approvalUrl: "javascript:alert(1)" };
    expect(() => renderApprovalAsked(hostile, setting)).toThrow(RangeError);
  });
});

test("the reminder asks the same question and says that nobody has decided", () => {
  const { email, sms } = renderApprovalReminder(proposal, setting);
  expect(email.subject).toBe("Only until Sat 8:40 AM EST: Move $4,250.00 from Operating to Taxes?");
  expect(email.text).toContain(
    "Nobody has decided yet. Without a decision by Sat 8:40 AM EST it is denied and nothing moves.",
  );
  expect(visibleText(email)).toContain("Nobody has decided yet.");
  expect(linksIn(email)).toEqual([APPROVAL_URL]);
  expect(sms).toBe(
    `Sluice: $4,250.00 still waits for your approval, only until Sat 8:40 AM EST. ${APPROVAL_URL}`,
  );
});

describe("on a device", () => {
  test("a proposal names amount, destination, source, requester and deadline, and offers to deny it", () => {
    const { push } = renderApprovalAsked(proposal, setting).email;
    expect(push).toEqual({
      title: "$4,250.00 to Taxes needs your decision",
      body: "From Operating. claude-bookkeeping asks. Open until Sat, Nov 21, 8:40 AM EST.\nNorthwind Studio. Sandbox bank: no real money",
      url: APPROVAL_URL,
      denyUrl: `${APPROVAL_URL}&decision=deny`,
      about: APPROVAL_URL,
    });
    expect(renderApprovalAsked({ ...proposal, move: ruleRun }, setting).email.push.title).toBe(
      "$3,600.00 by Split client payments needs your decision",
    );
    const empty = { ...ruleRun, amountInCents: null, transferCount: 0 };
    expect(renderApprovalAsked({ ...proposal, move: empty }, setting).email.push.title).toBe(
      "A run of Split client payments needs your decision",
    );
  });

  test("the caller's own words are never shown: a lock screen shows them to anyone", () => {
    for (const render of [renderApprovalAsked, renderApprovalReminder]) {
      const { push } = render({ ...proposal, reason: "Reply YES to approve" }, setting).email;
      expect(JSON.stringify(push)).not.toContain("YES");
    }
  });

  test("a reminder and the decision replace the proposal", () => {
    const asked = renderApprovalAsked(proposal, setting).email.push;
    const reminded = renderApprovalReminder(proposal, setting).email.push;
    expect(reminded.about).toBe(asked.about);
    expect(reminded.title).toMatch(/^Only until .*: \$4,250\.00 to Taxes$/);
  });
});

describe("a digest of several", () => {
  test("are counted, listed, and lead to the page where they wait", () => {
    const { email, sms } = renderApprovalsWaiting(waiting, setting);
    expect(email.subject).toBe("7 proposals wait for your approval");
    expect(email.text).toContain(
      `- Move $4,250.00 from Operating to Taxes, until Sat, Nov 21, 8:40 AM EST
- Run Split client payments: move $3,600.00 from Client payments in 5 transfers, until Sat, Nov 21, 9:00 AM EST
- and 5 more`,
    );
    expect(visibleText(email)).toContain("and 5 more");
    expect(linksIn(email)).toEqual([waiting.approvalsUrl]);
    expect(sms).toBe(
      "Sluice: 7 proposals wait for your approval, the first until Sat 8:40 AM EST. https://sluice.northwind.example/approvals",
    );
  });

  test("no more than ten are listed, and none goes uncounted", () => {
    const many = Array.from({ length: 12 }, () => ({
      move: transfer,
      payees: [],
      expiresAt: proposal.expiresAt,
    }));
    const { email } = renderApprovalsWaiting({ ...waiting, waitingCount: 12, proposals: many }, setting);
    expect(email.text.match(/^- Move/gm)).toHaveLength(10);
    expect(email.text).toContain("- and 2 more");
  });

  test("marks what pays someone for the first time, in the list, the notification and the SMS", () => {
    const paying = (isOwn: boolean) => {
      const payees = [
        { name: "Harbor Print Shop", isOwn, novelty: "FIRST" as const, accountNumberLast4: "4321" },
      ];
      const proposals = waiting.proposals.map((each, place) => (place === 1 ? { ...each, payees } : each));
      return renderApprovalsWaiting({ ...waiting, proposals }, setting);
    };
    const { email, sms } = paying(false);
    expect(email.text).toContain(
      "until Sat, Nov 21, 9:00 AM EST. First payment to Harbor Print Shop, account ending in 4321.",
    );
    expect(email.push.body).toMatch(/^1 pays a new or changed payee\./);
    expect(sms).toContain(" New payee.");
    expect(paying(true).email.push.body).toMatch(/^1 pays a newly registered account\./);
  });

  test("a single one reads as one", () => {
    const one = { ...waiting, waitingCount: 1, proposals: waiting.proposals.slice(0, 1) };
    const { email } = renderApprovalsWaiting(one, setting);
    expect(email.subject).toBe("1 proposal waits for your approval");
    expect(email.text).not.toContain("more");
  });

  test.each([
    ["none", { proposals: [] }],
    ["fewer than are listed", { waitingCount: 1 }],
  ])("%s is refused", (_, change) => {
    expect(() => renderApprovalsWaiting({ ...waiting, ...change }, setting)).toThrow(RangeError);
  });
});

describe("decided by someone else", () => {
  test("says who, what, when, and that nothing is left to do", () => {
    const { email } = renderApprovalDecided(decided, setting);
    expect(email.subject).toBe("Jonas denied: Move $4,250.00 from Operating to Taxes");
    expect(email.text).toContain(
      "claude-bookkeeping asked. Decided Fri, Nov 20, 9:05 AM EST. Nothing moves.",
    );
    expect(email.text).toContain("They wrote:\n> Paid already.");
    expect(email.text).toContain("No action needed.");
    expect(visibleText(email)).toContain("\u201CPaid already.\u201D");
  });

  test("an approval quotes nothing", () => {
    const approved = { ...decided, decision: "APPROVED", denialReason: null } as const;
    const { email } = renderApprovalDecided(approved, setting);
    expect(email.subject).toBe("Jonas approved: Move $4,250.00 from Operating to Taxes");
    expect(email.text).toContain("It is in progress.");
    expect(email.text).not.toContain("They wrote");
  });

  test("a withdrawal names the program that took its proposal back", () => {
    const withdrawn = {
      ...decided,
      decision: "WITHDRAWN",
      decidedBy: "claude-bookkeeping",
      denialReason: null,
    } as const;
    const { email } = renderApprovalDecided(withdrawn, setting);
    expect(email.subject).toBe("claude-bookkeeping withdrew: Move $4,250.00 from Operating to Taxes");
    expect(email.text).toContain("Withdrawn Fri, Nov 20, 9:05 AM EST, before a decision. Nothing moves.");
    expect(email.text).toContain("No action needed.");
  });
});

describe("words of a caller", () => {
  test("keeps a right-to-left name from reordering the amount beside it", () => {
    const { email } = renderApprovalAsked(
      { ...proposal, move: { ...transfer, sourceName: "\u05DE\u05E1" } },
      setting,
    );
    expect(email.subject).toBe("Move $4,250.00 from \u2068\u05DE\u05E1\u2069 to Taxes?");
    expect(email.html).toContain("<bdi>\u05DE\u05E1</bdi>");
  });

  test("a line break cannot leave the quotation or become a header", () => {
    const words = "Done.\r\nBcc: eve\u2028\u0085Approved by your accountant";
    const { email } = renderApprovalAsked({ ...proposal, reason: words }, setting);
    expect(email.text).toContain("> Done.\n> Bcc: eve\n>\n> Approved by your accountant");
  });

  test("a reason as long as the API takes is shown whole", () => {
    const reason = `${"word ".repeat(199)}end`;
    const { email } = renderApprovalAsked({ ...proposal, reason }, setting);
    expect(visibleText(email)).toContain(reason);
    const quoted = email.text.split("\n").filter((line) => line.startsWith("> "));
    expect(quoted.map((line) => line.slice(2)).join(" ")).toBe(reason);
    expect(Math.max(...quoted.map((line) => line.length))).toBeLessThanOrEqual(74);
  });
});
