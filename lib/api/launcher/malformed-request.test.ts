import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  answerMalformedRequests,
  refuseWithoutHost,
  toOriginForm,
} from "@/lib/api/launcher/malformed-request";
import { createLog } from "@/lib/platform/log";
import { portOf } from "@/lib/testing/servers/raw-server";

/**
 * Requests that Node answers before any handler, over real sockets: they are answered like others, with a number that can
 * be looked up. A target in absolute form is an ordinary request.
 */
let server: Server;
let port: number;
let isHeld: (() => void) | null;

beforeEach(async () => {
  const log = createLog("silent");
  isHeld = null;
  server = createServer({ requireHostHeader: false }, (request, response) => {
    if (refuseWithoutHost(request, response, log)) return;
    toOriginForm(request);
    const answer = () => response.end(`${request.headers.host} ${request.url}`);
    if (request.url === "/slow") isHeld = answer;
    else answer();
  });
  answerMalformedRequests(server, log, (response) => response.setHeader("X-Frame-Options", "DENY"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = portOf(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that the server answers until it closes the connection. */
function ask(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const HOST = "Host: localhost:3000\r\nConnection: close\r\n";

it.each([
  ["no HTTP", "nonsense\r\n\r\n", 400],
  ["a broken header", `GET / HTTP/1.1\r\n${HOST}bad header\r\n\r\n`, 400],
  ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
  [
    "a body in an unknown encoding",
    `POST /slow HTTP/1.1\r\n${HOST}Transfer-Encoding: x\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["an expectation", `POST / HTTP/1.1\r\n${HOST}Expect: magic\r\nContent-Length: 0\r\n\r\n`, 417],
  ["too many headers", `GET / HTTP/1.1\r\n${HOST}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
])("a request with %s is answered with a request id", async (_what, request, status) => {
  const answer = await ask(request);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/\r\nX-Request-Id: [0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/);
  expect(head).toMatch(/\r\nConnection: close/i);
  expect(body).toContain('"code":"INVALID_PARAMETERS"');
});

it("an answer that is due is not replaced by that to a malformed request behind it", async () => {
  const answer = await ask(`GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n`);
  expect(isHeld).not.toBeNull();
  expect(answer).toBe("");
});

it.each([
  ["http://localhost:3000/platform/v1/accounts?page=1", "localhost:3000 /platform/v1/accounts?page=1"],
  ["HTTPS://Sluice.example/", "Sluice.example /"],
  ["http://sluice.example", "sluice.example /"],
  ["http://sluice.example?x=1", "sluice.example /?x=1"],
  // Not absolute forms of this server: left to be refused.
  ["http://user@sluice.example/", "other.example http://user@sluice.example/"],
  ["http:///x", "other.example http:///x"],
  ["ftp://sluice.example/", "other.example ftp://sluice.example/"],
])("the target %s is read as %s, whatever Host says", async (target, read) => {
  const answer = await ask(`GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`);
  expect(answer.split("\r\n\r\n")[1]).toContain(read);
});
