import { describe, expect, it } from "vitest";
import {
  type ConnectWay,
  describeConnectClients,
  isReachableFromClouds,
} from "@/lib/words/keys/connect-clients";

const MCP_URL = "https://sluice.northwind.example/mcp";
const clients = describeConnectClients(MCP_URL);
const ways = clients.flatMap(({ name, ways }) => ways.map((way) => [`${name}: ${way.title}`, way] as const));
const snippetsOf = (language: string) =>
  ways.flatMap(([name, { snippet }]) =>
    snippet?.language === language ? [[name, snippet.text] as const] : [],
  );
const linkOf = (id: string) =>
  clients.find((client) => client.id === id)?.ways.find(({ link }) => link)?.link?.href ?? "";

describe("the lines to paste", () => {
  it("are there for every client that the page names, each with something to paste or to press", () => {
    expect(clients.map(({ name }) => name)).toEqual([
      "Claude",
      "ChatGPT",
      "Cursor",
      "VS Code",
      "Command line",
    ]);
    expect(ways.filter(([, { snippet, link }]) => !snippet && !link)).toEqual([]);
    expect(ways.filter(([, { steps }]) => steps.length === 0)).toEqual([]);
  });

  it.each(ways)("hold this server's address, so that nobody fills one in by hand: %s", (_, way) => {
    if (way.snippet?.text.startsWith("export ")) return;
    expect(decodedText(way)).toContain(MCP_URL);
  });

  it.each(ways)("hold no key: one in a page would end up in a repository: %s", (_, way) => {
    expect(decodedText(way)).not.toMatch(/sluice_[A-Za-z0-9]/);
  });

  it.each(snippetsOf("json"))("are JSON that parses, with the server under its name: %s", (_, text) => {
    const { mcpServers, servers } = JSON.parse(text);
    expect((mcpServers ?? servers).sluice).toMatchObject({ url: MCP_URL });
  });

  it.each(snippetsOf("shell").filter(([, text]) => text.startsWith("curl")))(
    "are requests whose body parses and whose headers say what the body says: %s",
    (_, text) => {
      const { method, params } = JSON.parse(/-d '([^']+)'$/.exec(text)?.[1] ?? "");
      const headers = Object.fromEntries(
        [...text.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, k, v]) => [k, v]),
      );
      expect(headers).toMatchObject({
        Authorization: "Bearer $SLUICE_KEY",
        "Content-Type": "application/json",
      });
      if (method === "initialize") return;
      expect(headers["Mcp-Method"]).toBe(method);
      expect(headers["Mcp-Name"]).toBe(params.name);
      expect(params._meta["io.modelcontextprotocol/protocolVersion"]).toBe(headers["MCP-Protocol-Version"]);
    },
  );

  it.each(snippetsOf("shell"))("leave no quote open, which would keep a terminal waiting: %s", (_, text) => {
    const outside = text.replace(/'[^']*'|"[^"]*"/g, "");
    expect(outside).not.toMatch(/['"]/);
  });

  it("put what to replace between angle brackets, once and nowhere else", () => {
    const placeholders = ways.flatMap(([, { snippet }]) => snippet?.text.match(/<[^>]+>/g) ?? []);
    expect(placeholders).toEqual(["<API_KEY>"]);
  });
});

describe("a link that opens an application", () => {
  it("hands Cursor the server that the file would hold", () => {
    const link = new URL(linkOf("cursor"));
    expect(`${link.protocol}//${link.host}${link.pathname}`).toBe(
      "cursor://anysphere.cursor-deeplink/mcp/install",
    );
    expect(link.searchParams.get("name")).toBe("sluice");
    expect(JSON.parse(atob(link.searchParams.get("config") ?? ""))).toEqual({ url: MCP_URL });
  });

  it("hands VS Code the server that the command would add", () => {
    const [start, sent = ""] = linkOf("vscode").split("?");
    expect(start).toBe("vscode:mcp/install");
    const server = { name: "sluice", type: "http", url: MCP_URL };
    expect(JSON.parse(decodeURIComponent(sent))).toEqual(server);
    const added = snippetsOf("shell").find(([, text]) => text.startsWith("code "))?.[1] ?? "";
    expect(JSON.parse(/'(.*)'/.exec(added)?.[1] ?? "")).toEqual(server);
  });
});

it.each([
  ["http://localhost:3000/mcp", false],
  ["http://127.0.0.1:3000/mcp", false],
  ["http://[::1]:3000/mcp", false],
  ["https://localhost/mcp", false],
  ["http://sluice.lan/mcp", false],
  [MCP_URL, true],
])("says before anyone tries whether a cloud can reach %s: %s", (mcpUrl, expected) => {
  expect(isReachableFromClouds(mcpUrl)).toBe(expected);
});

/** All that a way hands over, with what is encoded in a link in the clear. */
function decodedText({ snippet, link, steps }: ConnectWay): string {
  const config = new URL(link?.href ?? "none:").searchParams.get("config");
  return [snippet?.text, decodeURIComponent(link?.href ?? ""), config && atob(config), ...steps].join("\n");
}
