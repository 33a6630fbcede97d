import { ConnectClients } from "@/components/assistants/connect-clients";
import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import { MAXIMUM_BODY_BYTES, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { APPROVABLE_PERMISSIONS } from "@/lib/contract/permissions";
import type { ReferenceView, ToolView } from "@/lib/contract/views/reference-view";

export const assistants: Guide = {
  slug: "assistants",
  title: "Assistants (MCP)",
  chapter: "Working with it",
  heading: "An assistant proposes, and you decide",
  lede: "Claude, ChatGPT, Cursor and others connect through the Model Context Protocol. They read what you may read, propose what you may propose, and move nothing before a person approves.",
  words:
    "MCP model context protocol agent AI Claude ChatGPT Cursor VS Code Codex Gemini OAuth connector tools prompts resources consent revoke disconnect issueCard addUser connectExternalAccount addBusinessBeneficiary contactSupport resource_metadata",
  Content,
};

const READS = "All accounts, movements and rules, and the audit log.";
const ROLES = [
  [
    "Owner, co-owner",
    READS,
    "Opens accounts and writes rules, which stay inactive until a person activates them. Proposes transfers and rule runs; each waits for a person’s approval, whatever the amount, and the assistant cannot switch that off.",
  ],
  ["Viewer, and any other", READS, "Nothing."],
] as const;

const TROUBLE = [
  [
    "401 with `resource_metadata`",
    "No key or token was sent, or it has expired. The `WWW-Authenticate` header says where to sign in. Connect the assistant again; for a program, check its key.",
  ],
  [
    "Signed in, and 401 again after a while",
    "Access tokens are short-lived, and the client refreshes them. If that fails, the connection was ended, or a refresh token was used twice and Sluice ended it to be safe. Connect again.",
  ],
  [
    "403 that names Host",
    "A proxy changes the Host header, as nginx does by default (set `proxy_set_header Host $host;`), or `APP_URL` is not the address that clients use.",
  ],
  [
    "403 that names origins",
    "A page of another site called from a browser. Only Sluice’s own pages may; call from your server instead.",
  ],
  [
    "“Sluice does not know this assistant”",
    "Many assistants publish their metadata at their vendor’s address, which Sluice fetches first: allow outgoing https. An assistant that registered but never connected is removed: add it again.",
  ],
  [
    "A tool is missing",
    "The list contains only what the key or member may call. Check the table above, then the key’s permissions or the member’s role.",
  ],
  [
    "It signs in although a key is set",
    "Some clients prefer OAuth wherever a server offers it, as Sluice does. Sign in, and remove the key.",
  ],
  [
    "claude.ai or ChatGPT finds nothing",
    "They connect from the internet: `APP_URL` must be a public https address.",
  ],
] as const;

function Content({ reference: { assistants: view } }: { reference: ReferenceView }) {
  const { mcpUrl, tools } = view;
  return (
    <>
      <GuideCode label="The address, for every client" text={mcpUrl} />
      <Chapter title="Connect a client">
        <ConnectClients mcpUrl={mcpUrl} />
      </Chapter>
      <Chapter title="Two ways in">
        <Points
          items={[
            "A person’s assistant signs in by OAuth in the browser; you only paste the address. It acts for the person who connected it, in their role.",
            "A program sends a scoped [API key](/docs/keys-and-permissions) as `Authorization: Bearer …`, with the same effect as on the HTTP API: its permissions, its routes, its caps, and its approvals.",
          ]}
        />
      </Chapter>
      <Chapter title="What an assistant may do">
        <Facts
          caption="What an assistant may do, by the role of the member who connected it"
          head={["Role", "Reads", "Does"]}
          rows={ROLES}
          names="words"
        />
        <Prose text="The role is checked at every call: when a member becomes a viewer, their assistant can only read from the next call on. No assistant can approve, activate a rule, change a member or read a secret: there is no tool for it." />
      </Chapter>
      <Chapter title="Tools">
        <Prose text="Each API operation is a tool with the same name and fields, in one flat object. `idempotencyKey` and `calledReason` replace the two headers. A caller sees only the tools that it may call." />
        <Facts caption="Tools" head={["Tool", "What for", "Needs"]} rows={tools.map(toolRow)} />
        <Prose text="A key may act without approval if an owner allowed it at creation; an assistant never may. Where approval is needed, the answer says so and has an `approvalUrl`: the assistant gives you the link and checks the outcome later. See [approvals](/docs/approvals)." />
      </Chapter>
      <Chapter title="Prompts and resources">
        <Prose text="Clients that show prompts offer common tasks: set aside taxes, pay a card, explain a failed run, summarize the week, list what waits for approval. A resource explains how rules are written, as does [the guide to rules](/docs/rules)." />
      </Chapter>
      <Chapter title="Refusals">
        <Prose text="A refusal is a tool result that the assistant reads: a sentence that says what to do, with the API’s [code](/docs/errors). Only malformed requests are protocol errors." />
        <GuideCode
          label="A refusal"
          text={`{
  "isError": true,
  "content": [{ "type": "text", "text": "Refused (MAXIMUM_AMOUNT_EXCEEDED): …" }],
  "structuredContent": {
    "error": { "code": "MAXIMUM_AMOUNT_EXCEEDED", "message": "…", "details": [] },
    "requestId": "7fq2-m81x-k3tn"
  }
}`}
        />
      </Chapter>
      <Chapter title="Limits and the record">
        <Points
          items={[
            `${REQUESTS_PER_MINUTE} requests per clock minute for each key and each connected assistant, with those of the HTTP API counted in. See [rate limits](/docs/rate-limits).`,
            `A request is at most ${MAXIMUM_BODY_BYTES / 1024} KiB.`,
            "The audit log records every tool call, including refused ones: who, what, and the reason given.",
          ]}
        />
      </Chapter>
      <Chapter title="End it">
        <Points
          items={[
            "Disconnect an assistant under [Settings, Assistants](/settings/assistants), or revoke a key under [Settings, API keys](/settings/api-keys). The next call is refused.",
            "Its waiting proposals are denied.",
            "Removing the server in the client is not enough: the connection here remains.",
          ]}
        />
      </Chapter>
      <Chapter title="Troubleshooting">
        <Facts caption="Troubleshooting" head={["What you see", "What to do"]} rows={TROUBLE} names="words" />
      </Chapter>
    </>
  );
}

const CAN_ASK = APPROVABLE_PERMISSIONS.map(String);

function toolRow({ name, title, permission, isGuide }: ToolView): [string, string, string] {
  if (isGuide) return [name, `${title}. Says what to do on which page; does nothing itself.`, "Nothing."];
  if (!permission) return [name, title, "Nothing."];
  return [
    name,
    title,
    CAN_ASK.includes(permission) ? `\`${permission}\`, and approval` : `\`${permission}\``,
  ];
}
