import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { refuseHead } from "@/lib/api/launcher/open-server";

function ask(host: string | undefined, url = "/platform/v1/accounts") {
  const request = new IncomingMessage(new Socket());
  if (host !== undefined) request.headers.host = host;
  request.url = url;
  const response = new ServerResponse(request);
  return { isRefused: refuseHead(request, response), response };
}

it.each(["\xff", "a b", "host:port", "[::1", "a/b:c"])(
  "a request to the host %j gets the reason, with its number",
  (host) => {
    const { isRefused, response } = ask(host);
    expect(isRefused).toBe(true);
    expect(response.statusCode).toBe(400);
    expect(response.getHeader("x-request-id")).toMatch(/^[0-9a-z]{4}-/);
  },
);

it.each(["/platform/v1/rules\\x", "\\", "http://[::1/", "http://"])(
  "a request for the address %j gets the reason, with its number",
  (url) => {
    const { isRefused, response } = ask("localhost:3000", url);
    expect(isRefused).toBe(true);
    expect(response.statusCode).toBe(400);
    expect(response.getHeader("x-request-id")).toMatch(/^[0-9a-z]{4}-/);
  },
);

it.each(["localhost:3000", "sluice.example.com", "[::1]:3000", undefined])(
  "a request to the host %j is left to its transport",
  (host) => {
    expect(ask(host).isRefused).toBe(false);
  },
);

it.each(["/platform/v1/accounts?name=%5C", "/mcp", "/platform/v1/rules?x=\\", "http://localhost:3000/mcp"])(
  "a request for the address %j is left to its transport",
  (url) => {
    expect(ask("localhost:3000", url).isRefused).toBe(false);
  },
);
