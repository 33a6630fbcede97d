import { z } from "zod";
import { RULE_GUIDE_TOPICS, ruleGuide } from "@/lib/api/mcp/rule-guide";
import type { ToolHints } from "@/lib/api/operations/operation";
import { parseSent } from "@/lib/api/operations/parse-sent";
import { refusalOf } from "@/lib/api/operations/request-fields";
import { INVITATION_DAYS } from "@/lib/contract/members";
import type { PermissionType } from "@/lib/contract/permissions";

/** The answer of every guided tool: where a person does it, who may, and how. */
const guidanceSchema = z.strictObject({
  url: z.url().describe("The page of the dashboard. Give it to the person unchanged."),
  whoMay: z.string().describe("Who may do it there."),
  steps: z.array(z.string()).describe("What the person does there, in order."),
});
type Guidance = z.infer<typeof guidanceSchema>;

const ruleGuideSchema = z.strictObject({ topic: z.string(), text: z.string() });
type RuleGuide = z.infer<typeof ruleGuideSchema>;

/** A tool that does nothing itself but points to the page where a person does it (specification, Part 5). */
export interface GuidedTool<Data = Guidance> {
  name: string;
  title: string;
  description: string;
  hints: ToolHints;
  input: z.ZodObject;
  output: z.ZodType;
  /** Who sees it in the list: null, every caller. */
  permission: PermissionType | null;
  /** What a key needs to do what comes before or after; without any of them, its list leaves the tool out. */
  leadsTo?: readonly PermissionType[];
  /** @throws AppError `INVALID_PARAMETERS` for unknown arguments. */
  answer: (sent: unknown, appUrl: string) => { text: string; data: Data };
}

interface GuidedToolRow<Input extends z.ZodObject>
  extends Omit<GuidedTool, "answer" | "input" | "output" | "hints" | "permission"> {
  input: Input;
  /** The task it guides to, for the opening of its text: `add a person`. */
  task: string;
  guide: (input: z.output<Input>, appUrl: string) => Guidance;
}

/** A key that sees no accounts has a task of its own, and helps nobody to set up an organization. */
const SETTING_UP: readonly PermissionType[] = ["READ_ACCOUNTS"];

/** They read only texts of Sluice and change nothing: any caller may use these. */
const GUIDES: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Checks a row's types where it is written, as `operation` does for operations. */
function guidedTool<Input extends z.ZodObject>({ task, guide, ...row }: GuidedToolRow<Input>): GuidedTool {
  return {
    ...row,
    hints: GUIDES,
    output: guidanceSchema,
    permission: null,
    answer: (sent, appUrl) => {
      const guidance = guide(parsed(row.input, sent), appUrl);
      return { text: describeGuidance(task, guidance), data: guidance };
    },
  };
}

function parsed<Input extends z.ZodObject>(input: Input, sent: unknown): z.output<Input> {
  const read = parseSent(input, sent);
  if ("problems" in read) throw refusalOf(read.problems);
  return read.data;
}

function describeGuidance(task: string, { url, whoMay, steps }: Guidance): string {
  return [
    `No tool can ${task}: a person does it in the dashboard. This call changed nothing.`,
    `Next: give the person this address: ${url}`,
    `Who may do it: ${whoMay}`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
  ].join("\n");
}

const MAXIMUM_EMAIL_LENGTH = 254;
/** As made by `newRequestId`. */
const REQUEST_ID = /^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/;

const ROLES = {
  OWNER: "Owner: approves money and says who decides.",
  CO_OWNER: "Co-owner: approves money, manages accounts, rules and keys.",
  ACCOUNTANT: "Accountant: sees the books, changes nothing.",
  VIEWER: "Viewer: sees everything, changes nothing.",
} as const;

/** What a rule may say in full, which the tools that take one only outline. */
export const ruleGuideTool: GuidedTool<RuleGuide> = explainRules();

function explainRules(): GuidedTool<RuleGuide> {
  const input = z.strictObject({
    topic: z
      .enum(RULE_GUIDE_TOPICS, `must be one of ${RULE_GUIDE_TOPICS.join(", ")}`)
      .default("HOW_RULES_RUN")
      .describe("EXAMPLES: ten."),
  });
  return {
    name: "getRuleGuide",
    title: "Learn how to write rules",
    description:
      "Explains rules, with every field and ten examples. Use when createRule's description is not enough, or refused a rule.",
    hints: GUIDES,
    input,
    output: ruleGuideSchema,
    permission: "CREATE_AND_EDIT_RULES",
    answer: (sent) => {
      const { topic } = parsed(input, sent);
      const text = ruleGuide(topic);
      return { text, data: { topic, text } };
    },
  };
}

/**
 * What people ask assistants for and only people may do. The specification's sixth guided tool, `createRule`, is the
 * operation of that name: it writes an inactive rule and points to the page where a person activates it. A caller
 * without `CREATE_AND_EDIT_RULES` does not see it.
 */
export const guidedTools: readonly GuidedTool[] = [
  guidedTool({
    name: "connectExternalAccount",
    leadsTo: SETTING_UP,
    title: "Connect an account at another bank",
    description:
      "Says where a person connects an account at another bank.\n\nUse when Sluice should see, pay or draw from one. Not to open one here (createAccount). First: listAccounts.",
    task: "connect an account at another bank",
    input: z.strictObject({}),
    guide: (_, appUrl) => ({
      url: `${appUrl}/accounts/connect`,
      whoMay: "Owners and co-owners.",
      steps: [
        "Call listAccounts with type EXTERNAL_ACCOUNT first: the account may be connected already.",
        "Open the page, search for the bank or card by name, and choose it. If the page says that nothing can be connected here, follow its instructions.",
        "Choose the accounts to connect, and press Connect. Never give a bank's password to an assistant, and never enter it anywhere but on the bank's own page.",
        "Then call listAccounts again: the connected accounts appear at once, and their transactions arrive within minutes.",
      ],
    }),
  }),
  guidedTool({
    name: "issueCard",
    leadsTo: SETTING_UP,
    title: "Issue a card",
    description:
      "Says where a person issues a card that spends from a pod.\n\nUse when one is wanted. Not for card spending (listTransactions).",
    task: "issue a card",
    input: z.strictObject({}),
    guide: (_, appUrl) => ({
      url: `${appUrl}/cards/new`,
      whoMay: "Owners and co-owners. Every member can freeze a card.",
      steps: [
        "Decide with the person which pod the card spends from (listAccounts has them), who carries it, and how much it may spend in a month. Its purchases need no approval.",
        "Open the page. If it says that no cards are offered here, there are none at this bank. Otherwise fill in Name, Spends from, Cardholder, and Monthly limit (in dollars; leave it empty for no limit).",
        "Press Issue card, and confirm with a passkey or password. The card can be used at once.",
        `All cards are at ${appUrl}/cards, where they can be frozen and closed. listTransactions lists what they spend.`,
      ],
    }),
  }),
  guidedTool({
    name: "addUser",
    leadsTo: SETTING_UP,
    title: "Add a person to the organization",
    description:
      "Says where a person invites others.\n\nUse when someone else should see or approve. Not for a business.",
    task: "add a person",
    input: z.strictObject({
      email: z
        .email("must be an email address")
        .max(MAXIMUM_EMAIL_LENGTH, `must be at most ${MAXIMUM_EMAIL_LENGTH} characters`)
        .optional()
        .describe("If known."),
      role: z
        .enum(["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"], "must be OWNER, CO_OWNER, ACCOUNTANT or VIEWER")
        .optional()
        .describe("If known."),
    }),
    guide: ({ email, role }, appUrl) => ({
      url: `${appUrl}/settings/members`,
      whoMay: whoInvites(role),
      steps: [
        `Open the page. Under Invite someone, enter ${email ?? "their email address"}.`,
        role
          ? `Choose the role ${ROLES[role]}`
          : `Choose the smallest role that is enough. ${Object.values(ROLES).join(" ")}`,
        `Press Send invitation. The link in the email works once and for ${INVITATION_DAYS} days.`,
      ],
    }),
  }),
  guidedTool({
    name: "addBusinessBeneficiary",
    leadsTo: ["CREATE_ACCOUNTS"],
    title: "Add a business that can own accounts",
    description:
      "Says where a person adds a business that can own accounts.\n\nUse when listBeneficiaries lacks an owner. Not for a person (addUser). Next: createAccount.",
    task: "add a beneficiary",
    input: z.strictObject({}),
    guide: (_, appUrl) => ({
      url: `${appUrl}/settings/beneficiaries`,
      whoMay: "Owners and co-owners.",
      steps: [
        "Open the page. Under Add a beneficiary, choose Business, enter its legal name, and press Add beneficiary.",
        "Then call listBeneficiaries: its id is the beneficiaryId for createAccount.",
      ],
    }),
  }),
  guidedTool({
    name: "contactSupport",
    title: "Reach a person who can help",
    description:
      "Says whom to ask for help.\n\nUse when money is missing, or a call fails repeatedly. Not for a refusal that says what to do.",
    task: "reach a person for you",
    input: z.strictObject({
      requestId: z
        .string()
        .regex(REQUEST_ID, "must be a request id as in answers, e.g. 7fq2-m81x-k03d")
        .optional()
        .describe("Of the call that failed."),
    }),
    guide: ({ requestId }, appUrl) => ({
      url: requestId ? `${appUrl}/help?request=${requestId}` : `${appUrl}/help`,
      whoMay: "Every member.",
      steps: [
        "Open the page: it explains how to write to the operator of this Sluice, or to the owners of the organization.",
        requestId
          ? `Quote the request id ${requestId}.`
          : "Quote the request id of the call that went wrong: every answer has one.",
        "Say what should have happened, what happened instead, and when. Never send a key, a password or a full account number.",
      ],
    }),
  }),
];

/** Owners invite anyone; co-owners only roles that decide nothing. */
function whoInvites(role: keyof typeof ROLES | undefined): string {
  if (role === "OWNER" || role === "CO_OWNER") return "Owners only, for this role.";
  const all = "Owners and co-owners";
  return role ? `${all}.` : `${all}; only owners can invite an owner or co-owner.`;
}
