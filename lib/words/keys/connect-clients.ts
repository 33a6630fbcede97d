import { isLoopback } from "@/lib/contract/urls";

/** How to connect an assistant or a program to the MCP server: the steps, and the exact lines to paste. */
export interface ConnectClient {
  id: "claude" | "chatgpt" | "cursor" | "vscode" | "command-line";
  name: string;
  ways: readonly ConnectWay[];
}

export interface ConnectWay {
  title: string;
  /** In order. Plain sentences with `code` and links within this site. */
  steps: readonly string[];
  /** To paste. Never contains a key: programs take theirs from the environment. */
  snippet?: ConnectSnippet;
  /** Opens an application installed on this machine, with the server filled in. */
  link?: { label: string; href: string };
}

export interface ConnectSnippet {
  language: "address" | "json" | "shell";
  /** The file or place it goes into. */
  label: string;
  text: string;
}

/** As clients list it. Letters only: VS Code asks for camelCase. */
const NAME = "sluice";
/** Protocol revisions in the curl lines. */
const STATELESS_REVISION = "2026-07-28";
const HANDSHAKE_REVISION = "2025-11-25";

const MAKE_KEY =
  "Create a key with the permissions that the work needs, under [Settings, API keys](/settings/api-keys/new), and keep it in the environment as `SLUICE_KEY`.";
/** Filled in by the client, not by the shell. */
const KEY_HEADER = `Authorization: Bearer \${SLUICE_KEY}`;
const CONSENT = "Your browser opens a page of Sluice: sign in, read what it may do, and agree.";

/** Whether cloud clients, such as claude.ai and ChatGPT, can reach the address at all. */
export function isReachableFromClouds(mcpUrl: string): boolean {
  const { protocol, hostname } = new URL(mcpUrl);
  return protocol === "https:" && !isLoopback(hostname);
}

/**
 * How to connect each client, in the order of the tabs. Researched in November 2026: terminal lines were run against
 * the product, except the one for VS Code; menus of graphical programs come from their documentation. Both change:
 * check before you edit a line.
 * @param mcpUrl the address of the MCP server, as in `https://sluice.example.com/mcp`
 */
export function describeConnectClients(mcpUrl: string): readonly ConnectClient[] {
  return [
    { id: "claude", name: "Claude", ways: claudeWays(mcpUrl) },
    { id: "chatgpt", name: "ChatGPT", ways: chatGptWays(mcpUrl) },
    { id: "cursor", name: "Cursor", ways: cursorWays(mcpUrl) },
    { id: "vscode", name: "VS Code", ways: vsCodeWays(mcpUrl) },
    { id: "command-line", name: "Command line", ways: commandLineWays(mcpUrl) },
  ];
}

const toJson = (value: unknown) => JSON.stringify(value, null, 2);
const theAddress = (mcpUrl: string): ConnectSnippet => ({
  language: "address",
  label: "The address",
  text: mcpUrl,
});

function claudeWays(mcpUrl: string): ConnectWay[] {
  return [
    {
      title: "claude.ai and Claude Desktop",
      steps: [
        "In Claude, open “Customize”, then “Connectors”. Choose “+”, then “Add custom connector”. In a Team or Enterprise plan, an owner of the plan adds it first.",
        "Name it Sluice, paste the address, and leave client id and secret empty. Choose “Add”, then “Connect”.",
        CONSENT,
      ],
      snippet: theAddress(mcpUrl),
    },
    {
      title: "Claude Code",
      steps: [
        "Run this in your terminal.",
        "In Claude Code, type `/mcp`, choose sluice and authenticate.",
        CONSENT,
      ],
      snippet: {
        language: "shell",
        label: "Terminal",
        text: `claude mcp add --transport http ${NAME} ${mcpUrl}`,
      },
    },
    {
      title: "Claude Code, with an API key",
      steps: [
        MAKE_KEY,
        "Run this in your terminal. The quotes matter: Claude Code stores the variable’s name, and the key stays where it is.",
      ],
      snippet: {
        language: "shell",
        label: "Terminal",
        text: `claude mcp add --transport http ${NAME} ${mcpUrl} \\\n  --header '${KEY_HEADER}'`,
      },
    },
  ];
}

function chatGptWays(mcpUrl: string): ConnectWay[] {
  return [
    {
      title: "ChatGPT on the web",
      steps: [
        "Open `chatgpt.com/plugins`. Choose “+”, then “Add custom MCP server”. A workspace may not allow this for everyone.",
        "Name it Sluice and paste the address as “Server URL”. For authentication choose OAuth, and leave client id and secret empty.",
        "Read the warning, choose “I understand and want to continue”, then “Create as a plugin”.",
        `${CONSENT} ChatGPT always signs in and takes no API key.`,
      ],
      snippet: theAddress(mcpUrl),
    },
  ];
}

function cursorWays(mcpUrl: string): ConnectWay[] {
  const server = { url: mcpUrl };
  const withKey = { ...server, headers: { Authorization: `Bearer \${env:SLUICE_KEY}` } };
  const config = encodeURIComponent(btoa(JSON.stringify(server)));
  return [
    {
      title: "One click",
      steps: ["Cursor opens and asks whether to add the server.", CONSENT],
      link: {
        label: "Add to Cursor",
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${config}`,
      },
    },
    {
      title: "In a file",
      steps: [
        "Put this in `.cursor/mcp.json` in the project, or in `~/.cursor/mcp.json` for all projects.",
        "Restart Cursor and connect sluice where it lists its MCP servers.",
        CONSENT,
      ],
      snippet: {
        language: "json",
        label: ".cursor/mcp.json",
        text: toJson({ mcpServers: { [NAME]: server } }),
      },
    },
    {
      title: "With an API key",
      steps: [
        MAKE_KEY,
        "Put this in the same file, and start Cursor from an environment that has the key.",
        "Cursor may ask you to sign in anyway, because Sluice offers it. Then sign in instead of using a key.",
      ],
      snippet: {
        language: "json",
        label: ".cursor/mcp.json",
        text: toJson({ mcpServers: { [NAME]: withKey } }),
      },
    },
  ];
}

function vsCodeWays(mcpUrl: string): ConnectWay[] {
  const server = { type: "http", url: mcpUrl };
  const named = JSON.stringify({ name: NAME, ...server });
  const keyInput = { type: "promptString", id: "sluice-key", description: "Sluice API key", password: true };
  const withKey = { ...server, headers: { Authorization: `Bearer \${input:sluice-key}` } };
  return [
    {
      title: "One click",
      steps: ["VS Code opens and shows the server. Choose “Install”.", CONSENT],
      link: { label: "Add to VS Code", href: `vscode:mcp/install?${encodeURIComponent(named)}` },
    },
    {
      title: "From a terminal",
      steps: ["This adds it for all your projects. The quotes work on macOS and Linux.", CONSENT],
      snippet: { language: "shell", label: "Terminal", text: `code --add-mcp '${named}'` },
    },
    {
      title: "In a file",
      steps: ["Put this in `.vscode/mcp.json` in the project, and choose “Start” above the entry.", CONSENT],
      snippet: { language: "json", label: ".vscode/mcp.json", text: toJson({ servers: { [NAME]: server } }) },
    },
    {
      title: "With an API key",
      steps: [
        "Create a key with the permissions that the work needs, under [Settings, API keys](/settings/api-keys/new).",
        "Put this in the same file. VS Code asks for the key when it first starts the server, and stores it itself.",
      ],
      snippet: {
        language: "json",
        label: ".vscode/mcp.json",
        text: toJson({ inputs: [keyInput], servers: { [NAME]: withKey } }),
      },
    },
  ];
}

function commandLineWays(mcpUrl: string): ConnectWay[] {
  return [
    {
      title: "A key for programs",
      steps: [
        MAKE_KEY,
        "The lines below with `SLUICE_KEY` need it. The key is read at every call: revoke it and they stop working.",
      ],
      snippet: { language: "shell", label: "Terminal", text: `export SLUICE_KEY='<API_KEY>'` },
    },
    {
      title: `curl, revision ${STATELESS_REVISION}`,
      steps: ["One request, without a handshake: each one names its revision, method and tool."],
      snippet: { language: "shell", label: "Terminal", text: statelessCall(mcpUrl) },
    },
    {
      title: "curl, earlier revisions",
      steps: ["They begin with `initialize`. There is no session to keep: send later requests the same way."],
      snippet: { language: "shell", label: "Terminal", text: handshake(mcpUrl) },
    },
    {
      title: "MCP Inspector",
      steps: [
        "Lists the tools that your key may call. Without `--header` and what follows, it signs in through your browser. Needs Node 22.19 or newer.",
      ],
      snippet: {
        language: "shell",
        label: "Terminal",
        text: `npx @modelcontextprotocol/inspector --cli ${mcpUrl} --transport http \\\n  --method tools/list --header "Authorization: Bearer $SLUICE_KEY"`,
      },
    },
    {
      title: "Codex CLI",
      steps: [
        `Adds the server and signs in through your browser; \`codex mcp login ${NAME}\` signs in again. To use a key instead, add \`--bearer-token-env-var SLUICE_KEY\`.`,
      ],
      snippet: { language: "shell", label: "Terminal", text: `codex mcp add ${NAME} --url ${mcpUrl}` },
    },
    {
      title: "Gemini CLI",
      steps: [
        `Adds the server. In Gemini CLI, type \`/mcp auth ${NAME}\` to sign in through your browser. To use a key instead, add \`--header '${KEY_HEADER}'\`.`,
      ],
      snippet: {
        language: "shell",
        label: "Terminal",
        text: `gemini mcp add --scope user --transport http ${NAME} ${mcpUrl}`,
      },
    },
  ];
}

function statelessCall(mcpUrl: string): string {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "listAccounts",
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": STATELESS_REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = [
    `MCP-Protocol-Version: ${STATELESS_REVISION}`,
    "Mcp-Method: tools/call",
    "Mcp-Name: listAccounts",
  ];
  return curl(mcpUrl, headers, body);
}

function handshake(mcpUrl: string): string {
  const params = {
    protocolVersion: HANDSHAKE_REVISION,
    capabilities: {},
    clientInfo: { name: "curl", version: "1.0" },
  };
  return curl(mcpUrl, [], { jsonrpc: "2.0", id: 1, method: "initialize", params });
}

function curl(mcpUrl: string, headers: readonly string[], body: object): string {
  const lines = [
    `curl -s ${mcpUrl}`,
    `-H "Authorization: Bearer $SLUICE_KEY"`,
    ...["Content-Type: application/json", "Accept: application/json, text/event-stream", ...headers].map(
      (header) => `-H "${header}"`,
    ),
    `-d '${toJson(body)}'`,
  ];
  return lines.join(" \\\n  ");
}
