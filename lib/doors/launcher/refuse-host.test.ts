import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { refuseHost } from "@/lib/doors/launcher/refuse-host";

function ask(host: string | undefined) {
  const request = new IncomingMessage(new Socket());
  if (host !== undefined) request.headers.host = host;
  const response = new ServerResponse(request);
  return { isRefused: refuseHost(request, response), response };
}

it.each(["\xff", "a b", "host:port", "[::1", "a/b:c"])(
  "a request to the host %j is told what is wrong, with its number",
  (host) => {
    const { isRefused, response } = ask(host);
    expect(isRefused).toBe(true);
    expect(response.statusCode).toBe(400);
    expect(response.getHeader("x-request-id")).toMatch(/^[0-9a-z]{4}-/);
  },
);

it.each(["localhost:3000", "sluice.example.com", "[::1]:3000", undefined])(
  "a request to the host %j is left to its door",
  (host) => {
    expect(ask(host).isRefused).toBe(false);
  },
);
