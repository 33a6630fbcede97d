import type { Guide } from "@/app/docs/_components/guide";
import Approvals from "@/app/docs/_components/guides/approvals.mdx";
import Assistants from "@/app/docs/_components/guides/assistants.mdx";
import DryRuns from "@/app/docs/_components/guides/dry-runs.mdx";
import Errors from "@/app/docs/_components/guides/errors.mdx";
import FirstAgent from "@/app/docs/_components/guides/first-agent.mdx";
import FirstRequest from "@/app/docs/_components/guides/first-request.mdx";
import GeneratedClients from "@/app/docs/_components/guides/generated-clients.mdx";
import Idempotency from "@/app/docs/_components/guides/idempotency.mdx";
import KeysAndPermissions from "@/app/docs/_components/guides/keys-and-permissions.mdx";
import Pagination from "@/app/docs/_components/guides/pagination.mdx";
import RateLimits from "@/app/docs/_components/guides/rate-limits.mdx";
import Rules from "@/app/docs/_components/guides/rules.mdx";
import Sandbox from "@/app/docs/_components/guides/sandbox.mdx";
import TypescriptClient from "@/app/docs/_components/guides/typescript-client.mdx";
import Webhooks from "@/app/docs/_components/guides/webhooks.mdx";
import { ERROR_STATUS } from "@/lib/contract/error";
import {
  DATE_WINDOW_DAYS,
  DEFAULT_PAGE_SIZE,
  MAXIMUM_PAGE_SIZE,
  REQUESTS_PER_MINUTE,
} from "@/lib/contract/limits";
import { EVENT_HELP, EVENT_ID_HEADER, SIGNATURE_HEADER } from "@/lib/contract/webhooks";

const namesOf = (table: object) => Object.keys(table).join(" ");

/** The guides, in reading order. Their texts are in `guides/`. */
export const GUIDES: readonly Guide[] = [
  {
    slug: "first-request",
    title: "First request",
    chapter: "Start",
    heading: "From a key to your first transfer",
    lede: "Three calls: list the accounts, rehearse a transfer, propose it. Nothing moves until a person approves.",
    words: "quickstart start curl authorization bearer envelope requestId cents",
    Content: FirstRequest,
  },
  {
    slug: "keys-and-permissions",
    title: "Keys and permissions",
    chapter: "Start",
    heading: "A key may do what its permissions say, and nothing else",
    lede: "Every request carries a key. Its permissions are read for each request: a revoked key is refused at once.",
    words:
      "authorization bearer 401 403 ACCESS_DENIED MAXIMUM_AMOUNT_EXCEEDED max_amount approval least privilege",
    Content: KeysAndPermissions,
  },
  {
    slug: "approvals",
    title: "Approvals",
    chapter: "Start",
    heading: "Programs propose, people approve",
    lede: "A permission that moves money can require approval, and does unless an owner said otherwise. The call then succeeds and registers a proposal; nothing moves until an owner or co-owner approves it.",
    words:
      "APPROVAL_PENDING APPROVAL_DENIED approvalUrl reasonForApproval owner co-owner 24 hours expiry mandate mandateId",
    Content: Approvals,
  },
  {
    slug: "rules",
    title: "Rules",
    chapter: "Start",
    heading: "Write a rule, and let a person activate it",
    lede: "A rule has a trigger, conditions and actions. A program can write and try it; only a version that an owner or co-owner activated in the dashboard runs live.",
    words:
      "trigger conditions actions steps groups limits activationUrl version ON_FUNDS_TRANSFERRED SCHEDULED MANUAL execution hook",
    Content: Rules,
  },
  {
    slug: "idempotency",
    title: "Idempotency",
    chapter: "Start",
    heading: "A retry never moves money twice",
    lede: "Give each write a key that you choose. If the answer is lost, send the same request with the same key: it happens once, and you get the first answer.",
    words:
      "idempotency-key Idempotent-Replayed IDEMPOTENCY_KEY_MISMATCH TRANSFER_IN_PROGRESS retry timeout 24 hours",
    Content: Idempotency,
  },
  {
    slug: "errors",
    title: "Errors",
    chapter: "Start",
    heading: "Every refusal says what to do",
    lede: "`code` is for programs and never changes; `message` is for people and says what would be right.",
    words: `status codes 400 401 403 404 409 413 429 500 ${namesOf(ERROR_STATUS)}`,
    Content: Errors,
  },
  {
    slug: "dry-runs",
    title: "Dry runs",
    chapter: "Working with it",
    heading: "Rehearse before you move money",
    lede: "With `simulation: true`, a call takes the live path up to the booking and stops. It moves nothing, holds nothing, asks nobody, and reports the outcome of the live call.",
    words: "simulation SIMULATION executionMode test sandbox",
    Content: DryRuns,
  },
  {
    slug: "sandbox",
    title: "Tests in a sandbox",
    chapter: "Working with it",
    heading: "Drive a sandbox from your own tests",
    lede: "A key with `CONTROL_SANDBOX` moves the clock, makes money arrive and come back, and decides as a test person. Only where nothing is real.",
    words: "sandbox CONTROL_SANDBOX clock deposit purchase return decision byTestPerson test ci",
    Content: Sandbox,
  },
  {
    slug: "pagination",
    title: "Pagination and windows",
    chapter: "Working with it",
    heading: `Lists come in pages, and some in a window of ${DATE_WINDOW_DAYS} days`,
    lede: `Request \`page\` (from 1) and \`pageSize\` (default ${DEFAULT_PAGE_SIZE}, at most ${MAXIMUM_PAGE_SIZE}). Continue while \`hasNextPage\` is true.`,
    words: "page pageSize hasNextPage items window from to truncated 90 days freshness poll",
    Content: Pagination,
  },
  {
    slug: "rate-limits",
    title: "Rate limits",
    chapter: "Working with it",
    heading: `Each key has ${REQUESTS_PER_MINUTE} requests per clock minute`,
    lede: "Every request with a valid key counts, including refused ones and replays. The window is a clock minute; then the count starts again.",
    words: "RATE_LIMIT_EXCEEDED 429 Retry-After RateLimit RateLimit-Policy backoff jitter",
    Content: RateLimits,
  },
  {
    slug: "typescript-client",
    title: "TypeScript client",
    chapter: "Working with it",
    heading: "A client that retries without moving money twice",
    lede: "`@sluice/client` is in `clients/typescript` of Sluice's source: types generated from the OpenAPI document, no dependencies, Node 20 or newer.",
    words:
      "@sluice/client createWebhookReceiver verifyWebhook SluiceError waitForTransfer eachItem types npm openapi",
    Content: TypescriptClient,
  },
  {
    slug: "generated-clients",
    title: "Generated clients",
    chapter: "Working with it",
    heading: "Clients in other languages, from the document",
    lede: "Generators read the OpenAPI document and write types, or a whole client. These were tried.",
    words:
      "openapi generator openapi-typescript orval openapi-python-client datamodel-codegen oapi-codegen ogen openapi-generator python go java rust sdk",
    Content: GeneratedClients,
  },
  {
    slug: "webhooks",
    title: "Webhooks",
    chapter: "Working with it",
    heading: "Get notified when something changes",
    lede: "Sluice sends a signed request to your endpoints when a transfer, a card transaction or a transaction of a connected account changes. It says which one; you fetch its state.",
    words: `events receiver endpoint signing secret hmac retries duplicates ${EVENT_ID_HEADER} ${SIGNATURE_HEADER} ${namesOf(EVENT_HELP)} WEBHOOK_ALLOW_PRIVATE verifyWebhook createWebhookReceiver`,
    Content: Webhooks,
  },
  {
    slug: "assistants",
    title: "Assistants (MCP)",
    chapter: "Working with it",
    heading: "An assistant proposes, and you decide",
    lede: "Claude, ChatGPT, Cursor and others connect through the Model Context Protocol. They read what you may read, propose what you may propose, and move nothing before a person approves.",
    words:
      "MCP model context protocol agent AI Claude ChatGPT Cursor VS Code Codex Gemini OAuth connector tools prompts resources consent revoke disconnect issueCard addUser connectExternalAccount addBusinessBeneficiary contactSupport resource_metadata",
    Content: Assistants,
  },
  {
    slug: "first-agent",
    title: "Your first agent in code",
    chapter: "Working with it",
    heading: "Your first agent in code",
    lede: "Twenty lines with the AI SDK or OpenAI Agents: the agent rehearses a transfer, proposes it, and says where a person decides.",
    words: "agent AI SDK Vercel OpenAI Agents MCP createMCPClient MCPServerStreamableHttp TypeScript example",
    Content: FirstAgent,
  },
];
