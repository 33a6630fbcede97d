import type { Guide } from "@/components/docs/guide";
import { approvals } from "@/components/docs/guides/approvals";
import { assistants } from "@/components/docs/guides/assistants";
import { dryRuns } from "@/components/docs/guides/dry-runs";
import { errors } from "@/components/docs/guides/errors";
import { firstRequest } from "@/components/docs/guides/first-request";
import { idempotency } from "@/components/docs/guides/idempotency";
import { keysAndPermissions } from "@/components/docs/guides/keys-and-permissions";
import { pagination } from "@/components/docs/guides/pagination";
import { rateLimits } from "@/components/docs/guides/rate-limits";
import { rules } from "@/components/docs/guides/rules";
import { typescriptClient } from "@/components/docs/guides/typescript-client";
import { webhooks } from "@/components/docs/guides/webhooks";

/** The guides, in reading order. */
export const GUIDES: readonly Guide[] = [
  firstRequest,
  keysAndPermissions,
  approvals,
  rules,
  idempotency,
  errors,
  dryRuns,
  pagination,
  rateLimits,
  typescriptClient,
  webhooks,
  assistants,
];
