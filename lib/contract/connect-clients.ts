import { isLoopback } from "@/lib/contract/urls";

/** How an assistant or a program is connected to the MCP server: what to do, and the exact lines to paste. */
export interface ConnectClient {
  id: "claude" | "chatgpt" | "cursor" | "vscode" | "command-line";
  name: string;
  ways: readonly ConnectWay[];
}

export interface ConnectWay {
  title: string;
  /** In order. Plain sentences with `code` and links within this site. */
  steps: readonly string[];
  /** To paste. Never holds a key: programs take theirs from the environment. */
  snippet?: ConnectSnippet;
  /** Opens an application that is installed on this machine, with the server filled in. */
  link?: { label: string; href: string };
}

export interface ConnectSnippet {
  language: "address" | "json" | "shell";
  /** Where it goes. */
  label: string;
  text: string;
}

/** As the clients list it. Letters alone: VS Code asks for camelCase. */
const NAME = "sluice";
/** The revisions of the protocol that the lines for curl speak. */
const STATELESS_REVISION = "2026-07-28";
const HANDSHAKE_REVISION = "2025-11-25";

const MAKE_KEY =
  "Make a key with the permissions that the work needs, under [Settings, API keys](/settings/api-keys/new), and keep it in the environment as `SLUICE_KEY`.";
/** Filled in by the client, not by the shell. */
const KEY_HEADER = `Authorization: Bearer \${SLUICE_KEY}`;
const CONSENT = "Your browser opens a page of Sluice: sign in, read what it may do, and agree.";

/** Whether clients that run in somebody's cloud, such as claude.ai and ChatGPT, can reach the address at all. */
export function isReachableFromClouds(mcpUrl: string): boolean {
  const { protocol, hostname } = new URL(mcpUrl);
  return protocol === "https:" && !isLoopback(hostname);
}

/**
 * How each client is connected, in the order of the tabs. What is written here was looked up in November 2026. Lines of the
 * terminal were run against the product, but for the one of VS Code; menus of programs with windows were read about, and
 * not seen. Both move: look again before you change a line.
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
        "Open `chatgpt.com/plugins`. Choose “+”, then “Add custom MCP server”. A workspace may not let everybody do that.",
        "Name it Sluice and paste the address as “Server URL”. As authentication choose OAuth, and leave client id and secret empty.",
        "Read the warning, choose “I understand and want to continue”, then “Create as a plugin”.",
        `${CONSENT} There is no place for an API key: ChatGPT always signs in.`,
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
        "Put this into `.cursor/mcp.json` in the project, or into `~/.cursor/mcp.json` for all projects.",
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
        "Put this into the same file, and start Cursor from an environment that has the key.",
        "Cursor may ask you to sign in all the same, because Sluice offers it. Then sign in instead of using a key.",
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
      steps: ["This adds it for all your projects. The quotes are those of macOS and Linux.", CONSENT],
      snippet: { language: "shell", label: "Terminal", text: `code --add-mcp '${named}'` },
    },
    {
      title: "In a file",
      steps: [
        "Put this into `.vscode/mcp.json` in the project, and choose “Start” above the entry.",
        CONSENT,
      ],
      snippet: { language: "json", label: ".vscode/mcp.json", text: toJson({ servers: { [NAME]: server } }) },
    },
    {
      title: "With an API key",
      steps: [
        "Make a key with the permissions that the work needs, under [Settings, API keys](/settings/api-keys/new).",
        "Put this into the same file. VS Code asks for the key when it first starts the server, and stores it for itself.",
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
        "The lines below with `SLUICE_KEY` need it. It is read anew at every call: revoke it and they stop.",
      ],
      snippet: { language: "shell", label: "Terminal", text: `export SLUICE_KEY='<API_KEY>'` },
    },
    {
      title: `curl, revision ${STATELESS_REVISION}`,
      steps: ["One request, without a handshake: each one says its revision, its method and its tool."],
      snippet: { language: "shell", label: "Terminal", text: statelessCall(mcpUrl) },
    },
    {
      title: "curl, earlier revisions",
      steps: ["They begin with `initialize`. There is no session to keep: send what follows the same way."],
      snippet: { language: "shell", label: "Terminal", text: handshake(mcpUrl) },
    },
    {
      title: "MCP Inspector",
      steps: [
        "Lists the tools that your key may call. Leave out `--header` and what follows, and it signs in through your browser. It needs Node 22.19 or newer.",
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
        `Adds the server and signs in through your browser; \`codex mcp login ${NAME}\` does that again. To use a key instead, add \`--bearer-token-env-var SLUICE_KEY\`.`,
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
