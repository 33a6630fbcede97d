import type { PermissionInput } from "@/lib/contract/permissions";
import { type Ids, mandateTerms } from "@/lib/testing/api-proof/organization-with-everything";
import { samplePng } from "@/lib/testing/documents";

const PICTURE = samplePng(200).toString("base64");

/**
 * What a key with one permission may do, written by hand from the specification (Part 5, "Permissions") and the
 * docs/behavior/http.md: never derived from the operation table, which could be wrong in the same way.
 */
export interface MatrixRow {
  /** The only permission that allows it; null: every valid key. */
  opens: PermissionInput["type"] | null;
  /** Opens it for what the key proposed itself alone: the request's resource is another key's. None if omitted. */
  own?: PermissionInput["type"];
  /** The answer to any other key. `403 ACCESS_DENIED` if omitted, or `200` where every key may. */
  otherwise?: string;
  /** With all resources, or with the permission at all. */
  all: string;
  /** With a list that contains the requested resource. Null: the permission has no list. */
  listed: string | null;
  /** With a list that contains something else. */
  unlisted: string | null;
  /** The resource that the request names. */
  request: (ids: Ids) => Record<string, unknown>;
}

const DENIED = "403 ACCESS_DENIED";

export const PERMISSION_MATRIX: Readonly<Record<string, MatrixRow>> = {
  // "list account summaries (always all accounts, …); full detail and balance only for listed accounts"
  listAccounts: {
    opens: "READ_ACCOUNTS",
    all: "200",
    listed: "200",
    unlisted: "200",
    request: () => ({}),
  },
  getAccount: {
    opens: "READ_ACCOUNTS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.operating }),
  },
  // Outside the specification: docs/behavior/accounts.md. A list shows its own accounts only.
  listBalances: { opens: "READ_ACCOUNTS", all: "200", listed: "200", unlisted: "200", request: () => ({}) },
  // "entries of { source, target, max_amount? }"
  createTransfer: {
    opens: "MANUAL_TRANSFER",
    all: "202",
    listed: "202",
    unlisted: DENIED,
    request: (ids) => ({
      sourceAccountId: ids.operating,
      destinationAccountId: ids.taxes,
      amountInCents: 100,
    }),
  },
  // Outside the specification: docs/behavior/transfers.md. Only what the key requested; this is another key's.
  cancelTransfer: {
    opens: "MANUAL_TRANSFER",
    all: DENIED,
    listed: DENIED,
    unlisted: DENIED,
    request: (ids) => ({ id: ids.transfer }),
  },
  addTransferDocument: {
    opens: "MANUAL_TRANSFER",
    all: DENIED,
    listed: DENIED,
    unlisted: DENIED,
    request: (ids) => ({ id: ids.proposal, name: "Invoice.png", contentBase64: PICTURE }),
  },
  listTransferDocuments: {
    opens: "READ_TRANSFERS",
    own: "MANUAL_TRANSFER",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.proposal }),
  },
  getTransferDocument: {
    opens: "READ_TRANSFERS",
    own: "MANUAL_TRANSFER",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.proposal, documentId: ids.document }),
  },
  // Outside the specification: docs/behavior/approvals.md, "Batches". Every line needs what one transfer needs.
  createTransferBatch: {
    opens: "MANUAL_TRANSFER",
    all: "202",
    listed: "202",
    unlisted: DENIED,
    request: (ids) => ({
      transfers: [{ sourceAccountId: ids.operating, destinationAccountId: ids.taxes, amountInCents: 100 }],
    }),
  },
  // As one transfer: what others proposed only with all of its accounts. This is a member's.
  getTransferBatch: {
    opens: "READ_TRANSFERS",
    own: "MANUAL_TRANSFER",
    all: "200",
    listed: "200",
    unlisted: "404 TRANSFER_NOT_FOUND",
    request: (ids) => ({ id: ids.batch }),
  },
  // "read transfer history (requests filter by accountId)"
  listTransfers: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ accountId: [ids.operating] }),
  },
  // "READ_TRANSFERS on the source or the destination account"
  getTransfer: {
    opens: "READ_TRANSFERS",
    own: "MANUAL_TRANSFER",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.transfer }),
  },
  // Outside the specification: docs/behavior/approvals.md. Every key sees its own; this is another key's.
  listProposals: { opens: null, all: "200", listed: null, unlisted: null, request: () => ({}) },
  getProposal: {
    opens: "READ_TRANSFERS",
    otherwise: "404 PROPOSAL_NOT_FOUND",
    all: "200",
    listed: "200",
    unlisted: "404 PROPOSAL_NOT_FOUND",
    request: (ids) => ({ id: ids.proposal }),
  },
  // Outside the specification: docs/behavior/mandates.md. A key sees and ends its own alone; this is another key's.
  getMandates: { opens: "MANUAL_TRANSFER", all: "200", listed: "200", unlisted: "200", request: () => ({}) },
  getMandate: {
    opens: "MANUAL_TRANSFER",
    all: "404 MANDATE_NOT_FOUND",
    listed: "404 MANDATE_NOT_FOUND",
    unlisted: "404 MANDATE_NOT_FOUND",
    request: (ids) => ({ id: ids.mandate }),
  },
  proposeMandate: {
    opens: "MANUAL_TRANSFER",
    all: "202",
    listed: "202",
    unlisted: DENIED,
    request: (ids) => ({ terms: mandateTerms(ids), reason: "Estimated tax" }),
  },
  cancelMandate: {
    opens: "MANUAL_TRANSFER",
    all: "404 MANDATE_NOT_FOUND",
    listed: "404 MANDATE_NOT_FOUND",
    unlisted: "404 MANDATE_NOT_FOUND",
    request: (ids) => ({ id: ids.mandate }),
  },
  proposeRuleDeactivation: {
    opens: "CREATE_AND_EDIT_RULES",
    all: "202",
    listed: "202",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.rule }),
  },
  // "create pods and income sources under any beneficiary of the organization"
  createAccount: {
    opens: "CREATE_ACCOUNTS",
    all: "201",
    listed: null,
    unlisted: null,
    request: () => ({ type: "POD", name: "Vacation" }),
  },
  // Outside the specification: docs/behavior/payees.md.
  listPayees: { opens: "READ_ACCOUNTS", all: "200", listed: "200", unlisted: "200", request: () => ({}) },
  proposePayee: {
    opens: "CREATE_ACCOUNTS",
    all: "201",
    listed: null,
    unlisted: null,
    request: () => ({ name: "Harbor Print Shop", kind: "BUSINESS" }),
  },
  // Outside the specification: docs/behavior/keys.md.
  whoami: { opens: null, all: "200", listed: null, unlisted: null, request: () => ({}) },
  // Outside the specification: docs/behavior/policies.md.
  getApprovalPolicy: { opens: null, all: "200", listed: null, unlisted: null, request: () => ({}) },
  // "The beneficiaries listing needs no permission and works for every valid key"
  listBeneficiaries: { opens: null, all: "200", listed: null, unlisted: null, request: () => ({}) },
  listAccountTransfers: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ accountId: ids.operating }),
  },
  // READ_TRANSFERS "also gates external-transaction and card-transaction listing"
  listTransactions: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ accountId: [ids.operating] }),
  },
  getCardTransaction: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.cardTransaction }),
  },
  listExternalTransactions: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ accountId: [ids.checking] }),
  },
  getExternalTransaction: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.externalTransaction }),
  },
  // "read the API key audit log", of the whole organization
  listAuditLog: {
    opens: "READ_AUDIT_LOGS",
    all: "200",
    listed: null,
    unlisted: null,
    request: () => ({}),
  },
  // "READ_TRANSFERS for all accounts"
  getFinancialProfile: {
    opens: "READ_TRANSFERS",
    all: "200",
    listed: DENIED,
    unlisted: DENIED,
    request: () => ({}),
  },
  // "list rules, read details, read execution history"; a key with a list sees only those
  listRules: { opens: "READ_RULES", all: "200", listed: "200", unlisted: "200", request: () => ({}) },
  getRule: {
    opens: "READ_RULES",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.rule }),
  },
  listRuleExecutions: {
    opens: "READ_RULES",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ ruleId: ids.rule }),
  },
  // Outside the specification; a key with a list sees the runs of those alone.
  listAllRuleExecutions: {
    opens: "READ_RULES",
    all: "200",
    listed: "200",
    unlisted: "200",
    request: () => ({}),
  },
  // Outside the specification: docs/behavior/rules.md. Only what the key requested; this is another key's.
  cancelRuleExecution: {
    opens: "TRIGGER_RULES",
    all: DENIED,
    listed: DENIED,
    unlisted: DENIED,
    request: (ids) => ({ ruleId: ids.rule, id: ids.ruleExecution }),
  },
  getRuleExecution: {
    opens: "READ_RULES",
    own: "TRIGGER_RULES",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ ruleId: ids.rule, id: ids.ruleExecution }),
  },
  triggerRule: {
    opens: "TRIGGER_RULES",
    all: "202",
    listed: "202",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.rule }),
  },
  // "the permission must be for all rules. CREATE_AND_EDIT_RULES for a list: only edits of those"
  createRule: {
    opens: "CREATE_AND_EDIT_RULES",
    all: "201",
    listed: DENIED,
    unlisted: DENIED,
    request: (ids) => rule(ids),
  },
  updateRule: {
    opens: "CREATE_AND_EDIT_RULES",
    all: "200",
    listed: "200",
    unlisted: DENIED,
    request: (ids) => ({ id: ids.rule, ...rule(ids) }),
  },
  // Outside the specification: docs/behavior/operation.md. The proof's world has no sandbox, as beside a real provider.
  moveSandboxClock: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: () => ({ to: "2026-02-01T00:00:00Z" }),
  },
  makeSandboxDeposit: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: (ids) => ({ accountId: ids.operating, amountInCents: 100, payerName: "Halden Health" }),
  },
  makeSandboxPurchase: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: (ids) => ({ cardId: ids.card, amountInCents: 100, merchant: "Harbor Cloud" }),
  },
  makeSandboxOutsideTransaction: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: (ids) => ({
      accountId: ids.checking,
      amountInCents: 100,
      direction: "MONEY_OUT",
      partyName: "Juniper",
    }),
  },
  makeSandboxReturn: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: (ids) => ({ transferId: ids.transfer, code: "R02" }),
  },
  decideInSandbox: {
    opens: "CONTROL_SANDBOX",
    all: DENIED,
    listed: null,
    unlisted: null,
    request: (ids) => ({ proposalId: ids.proposal, decision: "DENY" }),
  },
};

function rule(ids: Ids): Record<string, unknown> {
  return {
    name: "Set aside",
    trigger: { type: "MANUAL", accountId: ids.operating },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: ids.operating,
            destinationAccountId: ids.taxes,
            group: 0,
            amountInCents: 100,
          },
        ],
      },
    ],
  };
}

/** A key's only permission, in one of the three reaches of the matrix; null if it has no list. */
export function permissionOf(
  type: PermissionInput["type"],
  reach: "all" | "listed" | "unlisted",
  ids: Ids,
): PermissionInput | null {
  const accounts = { all: "ALL" as const, listed: [ids.operating, ids.checking], unlisted: [ids.income] }[
    reach
  ];
  const rules = { all: "ALL" as const, listed: [ids.rule], unlisted: [ids.otherRule] }[reach];
  const approval = { required: false };
  const entries = {
    all: [{ source: "ANY" as const, target: "ANY" as const }],
    listed: [{ source: ids.operating, target: ids.taxes }],
    // The way back is another route.
    unlisted: [{ source: ids.taxes, target: ids.operating }],
  }[reach];
  switch (type) {
    case "READ_ACCOUNTS":
    case "READ_TRANSFERS":
      return { type, accounts };
    case "READ_RULES":
    case "CREATE_AND_EDIT_RULES":
      return { type, rules };
    case "TRIGGER_RULES":
      return { type, rules, approval };
    case "MANUAL_TRANSFER":
      // A key that needs no approval may ask for no mandate.
      return { type, entries, approval: { required: true } };
    case "CREATE_ACCOUNTS":
    case "READ_AUDIT_LOGS":
    case "CONTROL_SANDBOX":
      return reach === "all" ? { type } : null;
  }
}
