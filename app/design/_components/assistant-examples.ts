import { TIME } from "@/app/design/_components/approval-examples";
import type { AssistantsView, AssistantView } from "@/lib/views/assistants/list-assistants";
import type { ConsentView } from "@/lib/views/assistants/read-consent";

const CLAUDE: AssistantView = {
  id: "1",
  name: "Claude",
  host: "claude.ai",
  connectedByName: "Mara Okafor",
  isOwn: true,
  memberRole: "OWNER",
  power: "ASKS",
  connectedAt: "2026-11-20T16:26:00Z",
  lastUsedAt: "2026-11-20T16:27:00Z",
  approvedCount: 0,
  decidedCount: 0,
  recent: [],
  state: { kind: "CONNECTED" },
  canDisconnect: true,
  lookAlike: null,
};

const LEDGERLY: AssistantView = {
  ...CLAUDE,
  id: "2",
  name: "Ledgerly",
  host: "app.ledgerly.example",
  connectedByName: "Tomas Lind",
  isOwn: false,
  memberRole: "VIEWER",
  power: "READS",
  connectedAt: "2026-10-02T12:00:00Z",
  lastUsedAt: "2026-11-19T09:00:00Z",
};

export const ASSISTANTS: AssistantsView = {
  assistants: [CLAUDE, LEDGERLY],
  endedCount: 1,
  showsEnded: false,
  toggleEndedHref: "/design?show=assistants",
  mcpUrl: "https://sluice.northwind.studio/mcp",
  viewer: { role: "OWNER", canDecide: true },
  time: TIME,
};

export const NO_ASSISTANTS: AssistantsView = { ...ASSISTANTS, assistants: [], endedCount: 0 };

export const CONSENT: ConsentView = {
  shown: "",
  uid: "example",
  client: {
    name: "Claude",
    redirectHost: "claude.ai",
    isLoopback: false,
    knownBy: "METADATA_DOCUMENT",
    idHost: "claude.ai",
    askedAt: "2026-11-20T16:26:00Z",
    keepsAccess: true,
  },
  lookAlike: null,
  before: null,
  organization: { id: "1", name: "Northwind Studio", accountCount: 7, ruleCount: 6 },
  otherOrganizations: [],
  member: { name: "Mara Okafor", role: "OWNER" },
  power: "ASKS",
  otherDeciders: ["Jonas"],
  time: TIME,
};

/** A viewer of two organizations, and a self-registered command line. */
export const CONSENT_OF_A_VIEWER: ConsentView = {
  ...CONSENT,
  client: {
    ...CONSENT.client,
    name: "A very long name that some program gave itself, 60 long",
    redirectHost: "127.0.0.1:51234",
    isLoopback: true,
    knownBy: "REGISTRATION",
    idHost: null,
    keepsAccess: false,
  },
  before: { byName: "Mara Okafor", isByViewer: false, at: "2026-11-18T09:00:00Z", isConnected: true },
  otherOrganizations: [{ id: "2", name: "Lind Accounting" }],
  member: { name: "Tomas Lind", role: "VIEWER" },
  power: "READS",
  otherDeciders: ["Mara", "Jonas"],
};
