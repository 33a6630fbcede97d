import { expect, it, test } from "vitest";
import { accountTypeSchema, externalAccountTypeSchema } from "@/lib/contract/account";
import { ERROR_STATUS } from "@/lib/contract/error";
import * as limits from "@/lib/contract/limits";
import { permissionSchema } from "@/lib/contract/permissions";
import { ruleExecutionStatusSchema, triggerDetailsSchema } from "@/lib/contract/rules/execution";
import { ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import {
  cardTransactionSchema,
  cardTransactionSubtypeSchema,
  cardTypeSchema,
  externalTransactionStatusSchema,
  flowDirectionSchema,
  spendingCategorySchema,
} from "@/lib/contract/transactions";
import { executionModeSchema, transferStatusSchema } from "@/lib/contract/transfer";

/**
 * The names that go over the wire, copied by hand from the specification (and, where it is silent, from the decisions
 * page): a client was written against those, not against our enums.
 */
test.each<[string, readonly string[], string]>([
  ["AccountType", accountTypeSchema.options, "POD, INCOME_SOURCE, EXTERNAL_ACCOUNT"],
  ["externalAccountType", externalAccountTypeSchema.options, "DEPOSITORY, INVESTMENT, LIABILITY"],
  ["cardType", cardTypeSchema.options, "DEBIT_CARD, OMNI_CARD"],
  ["direction of card and external transactions", flowDirectionSchema.options, "MONEY_IN, MONEY_OUT"],
  ["subtype of card transactions", cardTransactionSubtypeSchema.options, "PURCHASE, REFUND, PAYOUT"],
  ["status of card transactions", cardTransactionSchema.shape.status.options, "COMPLETE"],
  ["status of external transactions", externalTransactionStatusSchema.options, "PENDING, COMPLETE"],
  [
    "status of transfers",
    transferStatusSchema.options,
    "PROCESSING, COMPLETE, APPROVAL_PENDING, APPROVAL_DENIED, FAILED, CANCELLED, RETURNED",
  ],
  [
    "RuleExecutionStatus",
    ruleExecutionStatusSchema.options,
    "IN_PROGRESS, EXECUTED, PARTIAL, FAILED, APPROVAL_PENDING, APPROVAL_DENIED",
  ],
  ["executionMode", executionModeSchema.options, "LIVE, SIMULATION"],
  [
    "types of a rule's trigger",
    ruleTriggerSchema.options.map((option) => option.shape.type.value),
    "MANUAL, SCHEDULED, ON_FUNDS_TRANSFERRED",
  ],
  [
    "TriggerDetails",
    triggerDetailsSchema.options.map((option) => option.shape.type.value),
    "MANUAL, SERVICE_API, SCHEDULED, ON_FUNDS_TRANSFERRED, REMOTE_API",
  ],
  [
    "permissions",
    // Of sandboxes alone, beyond the specification.
    permissionSchema.options
      .map((option) => option.shape.type.value)
      .filter((type) => type !== "CONTROL_SANDBOX"),
    "READ_ACCOUNTS, CREATE_ACCOUNTS, READ_RULES, TRIGGER_RULES, CREATE_AND_EDIT_RULES, READ_TRANSFERS, MANUAL_TRANSFER, READ_AUDIT_LOGS",
  ],
  [
    "categories",
    spendingCategorySchema.options,
    "HOUSING_AND_UTILITIES, FOOD_AND_DRINK, TRANSPORTATION, SHOPPING, HEALTH_AND_PERSONAL_CARE, ENTERTAINMENT_AND_TRAVEL, DEBT_AND_FEES, OTHER",
  ],
])("%s are named as in the specification", (_what, names, specified) => {
  expect([...names].sort()).toEqual(specified.split(", ").sort());
});

it("errors have the specification's codes and statuses, and our own", () => {
  expect(ERROR_STATUS).toEqual({
    INVALID_PARAMETERS: 400,
    TRANSFER_SOURCE_NOT_FOUND: 400,
    TRANSFER_DESTINATION_NOT_FOUND: 400,
    IDEMPOTENCY_KEY_MISMATCH: 400,
    UNAUTHORIZED: 401,
    ACCESS_DENIED: 403,
    MAXIMUM_AMOUNT_EXCEEDED: 403,
    RULE_DEACTIVATED: 403,
    INVALID_RULE: 403,
    ACCOUNT_NOT_FOUND: 404,
    RULE_NOT_FOUND: 404,
    RULE_EXECUTION_NOT_FOUND: 404,
    TRANSFER_NOT_FOUND: 404,
    PROPOSAL_NOT_FOUND: 404,
    CARD_TRANSACTION_NOT_FOUND: 404,
    EXTERNAL_TRANSACTION_NOT_FOUND: 404,
    TRANSFER_IN_PROGRESS: 409,
    RULE_EXECUTION_IN_PROGRESS: 409,
    RATE_LIMIT_EXCEEDED: 429,
    UNEXPECTED_ERROR: 500,
    // Decisions page, "HTTP".
    RULE_VERSION_CONFLICT: 409,
    PAYLOAD_TOO_LARGE: 413,
    // docs/behavior/transfers.md, docs/behavior/approvals.md.
    REPEATS_DENIAL: 403,
    TOO_LATE_TO_CANCEL: 409,
    INVALID_DOCUMENT: 400,
    DOCUMENT_NOT_FOUND: 404,
    MANDATE_NOT_FOUND: 404,
    TRANSFER_NOT_WAITING: 409,
    TOO_MANY_DOCUMENTS: 409,
  });
});

it("limits are the specification's (Part 8)", () => {
  expect(limits).toMatchObject({
    REQUESTS_PER_MINUTE: 100,
    DEFAULT_PAGE_SIZE: 10,
    MAXIMUM_PAGE_SIZE: 100,
    MINIMUM_TRANSFER_IN_CENTS: 100,
    MAXIMUM_DESCRIPTION_LENGTH: 10,
    MAXIMUM_REASON_FOR_APPROVAL_LENGTH: 1_000,
    MAXIMUM_CALLED_REASON_LENGTH: 500,
    MAXIMUM_BODY_BYTES: 65_536,
    IDEMPOTENCY_RETENTION_MS: 86_400_000,
    DATE_WINDOW_MS: 7_776_000_000,
    APPROVAL_EXPIRY_MS: 86_400_000,
  });
});
