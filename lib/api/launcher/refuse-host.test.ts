import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { refuseHost } from "@/lib/api/launcher/refuse-host";
import type { TransportName } from "@/lib/api/launcher/transports";

const LOCAL = "http://localhost:3000";
const PUBLIC = "https://sluice.example.com";
const TRANSPORTS: TransportName[] = ["web", "api", "hooks", "mcp", "sandbox", "oauth"];

function ask(transport: TransportName, appUrl: string, host: string | undefined, url = "/mailbox") {
  const request = new IncomingMessage(new Socket());
  if (host !== undefined) request.headers.host = host;
  request.url = url;
  const response = new ServerResponse(request);
  return { isRefused: refuseHost(transport, request, response, appUrl), status: response.statusCode };
}

describe.each(TRANSPORTS)("the name by which %s is reached", (transport) => {
  it.each([
    [LOCAL, "localhost:3000"],
    [LOCAL, "127.0.0.1:3000"],
    [LOCAL, "[::1]:3000"],
    [LOCAL, "LOCALHOST:8080"],
    [PUBLIC, "sluice.example.com"],
    [PUBLIC, "Sluice.Example.com:443"],
    // Programs of other times than HTTP/1.1; browsers always say it.
    [PUBLIC, undefined],
  ])("at %s may be %s", (appUrl, host) => {
    expect(ask(transport, appUrl, host).isRefused).toBe(false);
  });

  it.each([
    [LOCAL, "evil.example"],
    [LOCAL, "evil.example:3000"],
    [LOCAL, "localhost.evil.example:3000"],
    [LOCAL, "192.168.1.7:3000"],
    [PUBLIC, "evil.example"],
    [PUBLIC, "localhost:3000"],
    [PUBLIC, "203.0.113.9"],
    [PUBLIC, "sluice.example.com.evil.example"],
  ])("at %s may not be %s", (appUrl, host) => {
    expect(ask(transport, appUrl, host)).toEqual({ isRefused: true, status: 421 });
  });

  it("may not be in the address instead", () => {
    expect(ask(transport, LOCAL, "localhost:3000", "http://evil.example/mailbox").isRefused).toBe(true);
    expect(ask(transport, LOCAL, "localhost:3000", "http://localhost@evil.example/mailbox").isRefused).toBe(
      true,
    );
    expect(ask(transport, LOCAL, "localhost:3000", "http://localhost:3000/mailbox").isRefused).toBe(false);
  });
});

it.each<TransportName>(["health", "metrics"])("%s is asked by the address of a container", (transport) => {
  expect(ask(transport, PUBLIC, "10.42.0.7:3000").isRefused).toBe(false);
});
