import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { PageFacts } from "@/e2e/pages/page-facts";

/** A page with example addresses. */
export interface PageExample {
  /** Its file, such as `app/rules/[id]/page.tsx`. */
  page: string;
  /** The viewer of the page: a signed-in owner, or nobody. */
  as: "MEMBER" | "NOBODY";
  /** The response status, if not 200. */
  status?: number;
  /** What a viewer gets: the page, or a 404. */
  viewer?: "SEES" | "NOT_FOUND";
  /** Names of buttons that a viewer may use here, though they change something. */
  viewerMay?: RegExp;
  /** The first is the page's usual state: the one that is measured. */
  views: (facts: PageFacts) => readonly PageView[];
}

export interface PageView {
  /** Path with its query; null if this organization has nothing to show there. */
  at: string | null;
  /** The design's picture that it should match, without `.png`. */
  mock?: string;
  /** Added to the page's own name for its pictures. */
  name?: string;
}

/** `/rules/…/runs`, or null without the id. */
const of = (id: string | null, path: (id: string) => string | null): string | null =>
  id === null ? null : path(id);

/** Every page of the dashboard. An unlisted page fails the proofs. */
export const PAGE_EXAMPLES: readonly PageExample[] = [
  {
    page: "app/overview/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/", mock: "overview", name: "overview" }],
  },
  {
    page: "app/page.tsx",
    as: "MEMBER",
    views: ({ waitingTransferId, waitingRunId }) => [
      {
        at: of(waitingTransferId, (id) => `/?approvalTransferId=${id}`),
        mock: "approve",
        name: "approve",
      },
      {
        at: of(waitingRunId, (id) => `/?approvalTransferId=${id}`),
        mock: "approve-run",
        name: "approve-run",
      },
    ],
  },
  {
    page: "app/approvals/page.tsx",
    as: "MEMBER",
    views: () => [
      { at: "/approvals", mock: "approvals" },
      { at: "/approvals?decided=denied", name: "approvals-denied" },
    ],
  },
  {
    page: "app/approvals/review/page.tsx",
    as: "MEMBER",
    viewer: "NOT_FOUND",
    views: ({ waitingTransferId }) => [
      { at: of(waitingTransferId, (id) => `/approvals/review?at=${id}`), mock: "review" },
      { at: "/approvals/review?at=end", mock: "review-end", name: "review-end" },
    ],
  },
  { page: "app/accounts/page.tsx", as: "MEMBER", views: () => [{ at: "/accounts", mock: "accounts" }] },
  { page: "app/accounts/new/page.tsx", as: "MEMBER", views: () => [{ at: "/accounts/new" }] },
  {
    page: "app/accounts/connect/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/accounts/connect", mock: "connect-bank" }],
  },
  // No one is at their bank; the state while someone is comes from Plaid.
  {
    page: "app/accounts/connect/return/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/accounts/connect/return" }],
  },
  {
    page: "app/accounts/connect/[institutionId]/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/accounts/connect/sbx_meridian" }],
  },
  {
    page: "app/accounts/[id]/page.tsx",
    as: "MEMBER",
    views: ({ accountId, outsideAccountId }) => [
      { at: of(accountId, (id) => `/accounts/${id}`), mock: "account" },
      { at: of(outsideAccountId, (id) => `/accounts/${id}`), name: "account-outside" },
    ],
  },
  {
    page: "app/accounts/[id]/edit/page.tsx",
    as: "MEMBER",
    views: ({ accountId }) => [{ at: of(accountId, (id) => `/accounts/${id}/edit`) }],
  },
  {
    page: "app/accounts/[id]/close/page.tsx",
    as: "MEMBER",
    views: ({ accountId }) => [{ at: of(accountId, (id) => `/accounts/${id}/close`) }],
  },
  {
    page: "app/accounts/[id]/register/page.tsx",
    as: "MEMBER",
    // The demo's bank requires no registration; e2e/apart/increase.spec.ts checks the page.
    views: () => [],
  },
  {
    page: "app/accounts/[id]/statement/page.tsx",
    as: "MEMBER",
    views: ({ accountId }) => [{ at: of(accountId, (id) => `/accounts/${id}/statement`) }],
  },
  {
    page: "app/payee/[token]/page.tsx",
    as: "NOBODY",
    views: () => [{ at: `/payee/${"x".repeat(43)}`, name: "payee-link-over" }],
  },
  {
    page: "app/settings/approvals/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/approvals", mock: "policies", name: "policies" }],
  },
  {
    page: "app/settings/approvals/edit/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/approvals/edit", mock: "policy-edit", name: "policy-edit" }],
  },
  {
    page: "app/settings/approvals/publish/page.tsx",
    as: "MEMBER",
    // The demo publishes nothing; e2e/apart/policies.spec.ts checks the page.
    views: () => [],
  },
  {
    page: "app/settings/approvals/changes/[id]/page.tsx",
    as: "MEMBER",
    // In the demo nothing waits for others; e2e/apart/signatures.spec.ts checks the page.
    views: () => [],
  },
  {
    page: "app/accounts/reconciliation/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/accounts/reconciliation" }],
  },
  {
    page: "app/accounts/reconciliation/[id]/page.tsx",
    as: "MEMBER",
    views: ({ differenceId }) => [{ at: of(differenceId, (id) => `/accounts/reconciliation/${id}`) }],
  },
  { page: "app/payees/page.tsx", as: "MEMBER", views: () => [{ at: "/payees" }] },
  { page: "app/payees/new/page.tsx", as: "MEMBER", views: () => [{ at: "/payees/new" }] },
  { page: "app/payees/import/page.tsx", as: "MEMBER", views: () => [{ at: "/payees/import" }] },
  {
    page: "app/payees/[id]/page.tsx",
    as: "MEMBER",
    views: ({ payeeId }) => [{ at: of(payeeId, (id) => `/payees/${id}`) }],
  },
  { page: "app/transfers/page.tsx", as: "MEMBER", views: () => [{ at: "/transfers", mock: "transfers" }] },
  {
    page: "app/transfers/cards/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/transfers/cards", mock: "transfers-card" }],
  },
  {
    page: "app/transfers/outside/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/transfers/outside", mock: "transfers-outside" }],
  },
  {
    page: "app/transfers/cards/[id]/page.tsx",
    as: "MEMBER",
    views: ({ cardTransactionId }) => [{ at: of(cardTransactionId, (id) => `/transfers/cards/${id}`) }],
  },
  {
    page: "app/transfers/outside/[id]/page.tsx",
    as: "MEMBER",
    views: ({ externalTransactionId }) => [
      { at: of(externalTransactionId, (id) => `/transfers/outside/${id}`) },
    ],
  },
  {
    page: "app/transfers/new/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/transfers/new", mock: "transfer-new" }],
  },
  {
    page: "app/transfers/batch/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/transfers/batch", mock: "batch" }],
  },
  {
    page: "app/transfers/[id]/page.tsx",
    as: "MEMBER",
    views: ({ settledTransferId }) => [
      { at: of(settledTransferId, (id) => `/transfers/${id}`), mock: "transfer" },
    ],
  },
  {
    page: "app/transfers/[id]/receipt/page.tsx",
    as: "MEMBER",
    views: ({ settledTransferId }) => [{ at: of(settledTransferId, (id) => `/transfers/${id}/receipt`) }],
  },
  {
    page: "app/transfers/[id]/move-back/page.tsx",
    as: "MEMBER",
    viewer: "NOT_FOUND",
    views: ({ settledTransferId }) => [{ at: of(settledTransferId, (id) => `/transfers/${id}/move-back`) }],
  },
  { page: "app/rules/page.tsx", as: "MEMBER", views: () => [{ at: "/rules", mock: "rules" }] },
  {
    page: "app/rules/new/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/rules/new", mock: "rule-templates" }],
  },
  {
    page: "app/rules/new/edit/page.tsx",
    as: "MEMBER",
    views: () => [
      { at: "/rules/new/edit?template=profit-first", mock: "rule-edit" },
      { at: "/rules/new/edit", name: "rule-new-blank" },
      { at: "/rules/new/edit?template=pay-off-card", name: "rule-new-pay-off-card" },
    ],
  },
  {
    page: "app/rules/[id]/page.tsx",
    as: "MEMBER",
    views: ({ ruleId, waitingRuleId }) => [
      { at: of(ruleId, (id) => `/rules/${id}`), mock: "rule" },
      { at: of(waitingRuleId, (id) => `/rules/${id}`), name: "rule-waiting" },
    ],
  },
  {
    page: "app/rules/[id]/edit/page.tsx",
    as: "MEMBER",
    views: ({ ruleId }) => [{ at: of(ruleId, (id) => `/rules/${id}/edit`), mock: "rule-edit" }],
  },
  {
    page: "app/rules/[id]/hook/page.tsx",
    as: "MEMBER",
    views: ({ ruleId }) => [{ at: of(ruleId, (id) => `/rules/${id}/hook`) }],
  },
  {
    page: "app/rules/[id]/paused/page.tsx",
    as: "MEMBER",
    views: ({ ruleId }) => [{ at: of(ruleId, (id) => `/rules/${id}/paused`) }],
  },
  {
    page: "app/rules/[id]/run/page.tsx",
    as: "MEMBER",
    viewer: "NOT_FOUND",
    views: ({ ruleId }) => [{ at: of(ruleId, (id) => `/rules/${id}/run`) }],
  },
  {
    page: "app/rules/[id]/runs/page.tsx",
    as: "MEMBER",
    views: ({ ruleId }) => [{ at: of(ruleId, (id) => `/rules/${id}/runs`) }],
  },
  {
    page: "app/rules/[id]/runs/[runId]/page.tsx",
    as: "MEMBER",
    // It computes the run again, and changes nothing.
    viewerMay: /^Replay$/,
    views: ({ ruleId, runId }) => [
      { at: of(ruleId, (rule) => of(runId, (run) => `/rules/${rule}/runs/${run}`)), mock: "run" },
    ],
  },
  {
    page: "app/cards/page.tsx",
    as: "MEMBER",
    // Any cardholder, and anyone who notices misuse, can stop a card at once.
    viewerMay: /^Freeze /,
    views: () => [{ at: "/cards", mock: "cards" }],
  },
  { page: "app/cards/new/page.tsx", as: "MEMBER", views: () => [{ at: "/cards/new" }] },
  { page: "app/profile/page.tsx", as: "MEMBER", views: () => [{ at: "/profile", mock: "profile" }] },
  { page: "app/gates/page.tsx", as: "MEMBER", views: () => [{ at: "/gates", mock: "gates-closed" }] },
  { page: "app/audit/page.tsx", as: "MEMBER", views: () => [{ at: "/audit", mock: "audit" }] },
  { page: "app/audit/activity/page.tsx", as: "MEMBER", views: () => [{ at: "/audit/activity" }] },
  {
    page: "app/connections/[id]/page.tsx",
    as: "MEMBER",
    views: ({ connectionId }) => [{ at: of(connectionId, (id) => `/connections/${id}`), mock: "connection" }],
  },
  { page: "app/settings/page.tsx", as: "MEMBER", views: () => [{ at: "/settings", mock: "settings" }] },
  {
    page: "app/settings/security/page.tsx",
    as: "MEMBER",
    // Their own passkeys, codes, sessions and password.
    viewerMay: /./,
    views: () => [{ at: "/settings/security", name: "settings-security" }],
  },
  {
    page: "app/settings/notifications/page.tsx",
    as: "MEMBER",
    // Their own number and choices.
    viewerMay: /./,
    views: () => [{ at: "/settings/notifications" }],
  },
  {
    page: "app/settings/members/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/members", mock: "members" }],
  },
  {
    page: "app/settings/beneficiaries/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/beneficiaries" }],
  },
  {
    page: "app/settings/year-end/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/year-end", mock: "year-end" }],
  },
  {
    page: "app/settings/fraud-monitoring/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/fraud-monitoring" }],
  },
  {
    page: "app/settings/fraud-monitoring/[id]/page.tsx",
    as: "MEMBER",
    views: ({ fraudReviewId }) => [{ at: of(fraudReviewId, (id) => `/settings/fraud-monitoring/${id}`) }],
  },
  {
    page: "app/settings/api-keys/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/api-keys", mock: "keys" }],
  },
  {
    page: "app/settings/api-keys/new/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/api-keys/new", mock: "key-new" }],
  },
  {
    page: "app/settings/api-keys/[id]/page.tsx",
    as: "MEMBER",
    views: ({ keyId }) => [{ at: of(keyId, (id) => `/settings/api-keys/${id}`), mock: "key" }],
  },
  {
    page: "app/settings/api-keys/[id]/mandates/page.tsx",
    as: "MEMBER",
    views: ({ keyId }) => [{ at: of(keyId, (id) => `/settings/api-keys/${id}/mandates`) }],
  },
  {
    page: "app/settings/api-keys/[id]/mandates/new/page.tsx",
    as: "MEMBER",
    views: ({ keyId }) => [{ at: of(keyId, (id) => `/settings/api-keys/${id}/mandates/new`) }],
  },
  {
    page: "app/mandates/[id]/page.tsx",
    as: "MEMBER",
    views: ({ waitingMandateId, usedMandateId }) => [
      { at: of(waitingMandateId, (id) => `/mandates/${id}`), mock: "mandate-new", name: "mandate-new" },
      { at: of(usedMandateId, (id) => `/mandates/${id}`), mock: "mandate", name: "mandate" },
    ],
  },
  {
    page: "app/mandates/[id]/narrow/page.tsx",
    as: "MEMBER",
    viewer: "NOT_FOUND",
    views: ({ waitingMandateId }) => [{ at: of(waitingMandateId, (id) => `/mandates/${id}/narrow`) }],
  },
  {
    page: "app/settings/assistants/page.tsx",
    as: "MEMBER",
    // Assistants that they connected.
    viewerMay: /^Disconnect /,
    views: () => [{ at: "/settings/assistants", mock: "assistants" }],
  },
  {
    page: "app/settings/webhooks/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/webhooks", mock: "webhooks" }],
  },
  {
    page: "app/settings/webhooks/new/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/settings/webhooks/new" }],
  },
  {
    page: "app/settings/webhooks/[id]/page.tsx",
    as: "MEMBER",
    views: ({ endpointId }) => [{ at: of(endpointId, (id) => `/settings/webhooks/${id}`) }],
  },
  { page: "app/sandbox/page.tsx", as: "MEMBER", views: () => [{ at: "/sandbox", mock: "sandbox" }] },
  { page: "app/help/page.tsx", as: "MEMBER", views: () => [{ at: "/help" }] },
  {
    page: "app/connect/[uid]/page.tsx",
    as: "MEMBER",
    // A finished request; an open one begins at an assistant (e2e/access/assistants.spec.ts).
    views: () => [{ at: `/connect/${"x".repeat(43)}` }],
  },
  { page: "app/docs/page.tsx", as: "MEMBER", views: () => [{ at: "/docs", mock: "docs" }] },
  {
    page: "app/docs/[slug]/page.tsx",
    as: "MEMBER",
    // With their own key and its permissions; a dry run moves nothing.
    viewerMay: /^Send as a dry run$/,
    views: () => [
      { at: "/docs/createTransfer" },
      { at: "/docs/errors", name: "docs-errors" },
      { at: "/docs/assistants", name: "docs-assistants" },
    ],
  },
  { page: "app/mailbox/page.tsx", as: "NOBODY", views: () => [{ at: "/mailbox", mock: "mailbox" }] },
  { page: "app/sign-in/page.tsx", as: "NOBODY", views: () => [{ at: "/sign-in", mock: "signin" }] },
  // Closed, since this server has an owner; its other states are in e2e/apart/onboarding.spec.ts.
  { page: "app/sign-up/page.tsx", as: "NOBODY", views: () => [{ at: "/sign-up" }] },
  { page: "app/sign-up/organization/page.tsx", as: "NOBODY", views: () => [{ at: "/sign-up/organization" }] },
  {
    page: "app/forgot/page.tsx",
    as: "NOBODY",
    views: () => [{ at: "/forgot" }, { at: "/forgot?sent", name: "forgot-sent" }],
  },
  // An expired link; a valid one is in e2e/apart/onboarding.spec.ts.
  { page: "app/reset/[token]/page.tsx", as: "NOBODY", views: () => [{ at: `/reset/${"x".repeat(43)}` }] },
  { page: "app/reset/done/page.tsx", as: "NOBODY", views: () => [{ at: "/reset/done" }] },
  // Redirects members without a second factor; those with one are in e2e/second-factor.spec.ts.
  { page: "app/second-factor/page.tsx", as: "MEMBER", views: () => [{ at: "/second-factor" }] },
  { page: "app/welcome/page.tsx", as: "MEMBER", views: () => [{ at: "/welcome" }] },
  {
    page: "app/welcome/identity/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/welcome/identity", mock: "onboarding" }],
  },
  { page: "app/welcome/bank/page.tsx", as: "MEMBER", views: () => [{ at: "/welcome/bank" }] },
  {
    page: "app/welcome/pods/page.tsx",
    as: "MEMBER",
    views: () => [{ at: "/welcome/pods", mock: "onboarding-pods" }],
  },
  { page: "app/welcome/rule/page.tsx", as: "MEMBER", views: () => [{ at: "/welcome/rule" }] },
  { page: "app/welcome/key/page.tsx", as: "MEMBER", views: () => [{ at: "/welcome/key" }] },
  {
    page: "app/invitations/[token]/page.tsx",
    as: "NOBODY",
    // An expired link; a valid one is in e2e/apart/members.spec.ts.
    views: () => [{ at: `/invitations/${"x".repeat(43)}` }],
  },
  {
    page: "app/not-found.tsx",
    as: "MEMBER",
    status: 404,
    views: () => [{ at: "/nothing-here", mock: "not-found" }],
  },
  // Exists only in development; its states have their own proof (e2e/look/design.spec.ts).
  { page: "app/design/page.tsx", as: "NOBODY", views: () => [] },
];

const NAMES = ["page.tsx", "not-found.tsx"];

/** Every page of the dashboard, according to the file system: `app/rules/[id]/page.tsx`. */
function findPages(root: string): string[] {
  return readdirSync(join(root, "app"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && NAMES.includes(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * The examples of existing pages.
 * @throws Error for a page without an example, with where to add it
 */
export function examplesOf(root: string): readonly PageExample[] {
  const pages = findPages(root);
  const known = new Set(PAGE_EXAMPLES.map(({ page }) => page));
  const missing = pages.filter((page) => !known.has(page));
  if (missing.length > 0) {
    throw new Error(
      `No proof looks at ${missing.join(", ")}: add its example addresses to PAGE_EXAMPLES in e2e/pages/page-examples.ts.`,
    );
  }
  return PAGE_EXAMPLES.filter(({ page }) => pages.includes(page));
}
