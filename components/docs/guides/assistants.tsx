import { ConnectClients } from "@/components/assistants/connect-clients";
import { Chapter, Facts, type Guide, GuideCode, Points, Prose } from "@/components/docs/guide";

import { MAXIMUM_BODY_BYTES, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { APPROVABLE_PERMISSIONS } from "@/lib/contract/permission-help";
import type { ReferenceView, ToolView } from "@/lib/contract/views/reference-view";

export const assistants: Guide = {
  slug: "assistants",
  title: "Assistants (MCP)",
  chapter: "Working with it",
  heading: "An assistant asks, and you decide",
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
    "Opens accounts, and writes rules, which stay inactive until a person activates them. Proposes transfers and runs of rules: each waits for a person’s approval, whatever the amount and the account, and the assistant cannot switch that off.",
  ],
  ["Viewer, and any other", READS, "Nothing."],
] as const;

const TROUBLE = [
  [
    "401 with `resource_metadata`",
    "No key or token came along, or it has ended. The header `WWW-Authenticate` says where to sign in. Connect the assistant again; for a program, check that the key reaches it.",
  ],
  [
    "Signed in, and 401 again after a while",
    "An access token is short-lived, and the client renews it by itself. If it does not, the connection was ended, or a renewal was used twice and Sluice ended it to be safe. Connect again.",
  ],
  [
    "403 that names Host",
    "A proxy changes the header Host, as nginx does unless told otherwise (`proxy_set_header Host $host;`), or `APP_URL` is not the address that clients use.",
  ],
  [
    "403 that names origins",
    "A page of another site called from a browser. Only Sluice’s own pages may: let your server call instead.",
  ],
  [
    "“Sluice does not know this assistant”",
    "Many assistants describe themselves at an address of their vendor, which Sluice reads before it asks you: let it reach https addresses outside. One that registered and never connected is forgotten: add it again.",
  ],
  [
    "A tool is missing",
    "The list holds what the key or the member may call. See the table above, then the key’s permissions or the member’s role.",
  ],
  [
    "It signs in although a key is set",
    "Some clients prefer signing in wherever a server offers it, as Sluice does. Then sign in, and take the key out.",
  ],
  [
    "claude.ai or ChatGPT finds nothing",
    "They call from the internet: `APP_URL` must be a public https address that reaches Sluice.",
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
            "An assistant of a person signs in: OAuth in the browser, nothing to paste but the address. It acts for whoever connected it, in that person’s role.",
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
        <Prose text="The role is read at every call: who becomes a viewer has an assistant that only reads, from the next call on. No assistant approves, activates a rule, changes a member or reads a secret: there is no tool for it." />
      </Chapter>
      <Chapter title="Tools">
        <Prose text="Each operation of the API is a tool of the same name and with the same fields, in one flat object. `idempotencyKey` and `calledReason` stand for the two headers. A caller sees the tools that it may call, and no others." />
        <Facts caption="Tools" head={["Tool", "What for", "Needs"]} rows={tools.map(toolRow)} />
        <Prose text="A key may do without approval where an owner said so when it was made; an assistant never does. Where approval is needed, the answer says so and carries `approvalUrl`: the assistant hands you the address, and asks later how it went. See [approvals](/docs/approvals)." />
      </Chapter>
      <Chapter title="Prompts and resources">
        <Prose text="Clients that show prompts offer the common jobs: set aside taxes, pay a card, explain why a run failed, sum up the week, see what waits for approval. As a resource an assistant can read how rules are written before it writes one; the same stands in [the guide to rules](/docs/rules)." />
      </Chapter>
      <Chapter title="Refusals">
        <Prose text="What Sluice refuses is an answer that the assistant reads: a sentence that says what to do, with the [code](/docs/errors) of the API. Only what is not the protocol at all is an error of the protocol." />
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
            "Each call of a tool stands in the audit log, refused ones too: who, what, and the reason that it gave.",
          ]}
        />
      </Chapter>
      <Chapter title="End it">
        <Points
          items={[
            "Disconnect an assistant under [Settings, Assistants](/settings/assistants), or revoke a key under [Settings, API keys](/settings/api-keys). The next call is refused.",
            "What it proposed and nobody decided is denied with it.",
            "Removing the server in the client is not enough: that leaves the connection here.",
          ]}
        />
      </Chapter>
      <Chapter title="When it does not work">
        <Facts
          caption="What to do when it does not work"
          head={["What you see", "What to do"]}
          rows={TROUBLE}
          names="words"
        />
      </Chapter>
    </>
  );
}

const CAN_ASK = APPROVABLE_PERMISSIONS.map(String);

function toolRow({ name, title, permission, isGuide }: ToolView): [string, string, string] {
  if (isGuide)
    return [name, `${title}. Says what to do, and at which page; does nothing itself.`, "Nothing."];
  if (!permission) return [name, title, "Nothing."];
  return [
    name,
    title,
    CAN_ASK.includes(permission) ? `\`${permission}\`, and approval` : `\`${permission}\``,
  ];
}
