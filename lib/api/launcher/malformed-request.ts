import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isHost } from "@/lib/api/launcher/refuse-host";
import { hasCode } from "@/lib/platform/error-code";
import { newRequestId } from "@/lib/platform/ids";
import type { Log } from "@/lib/platform/log";

/**
 * Requests that Node itself answers, before any handler: malformed ones, too large heads, late ones, and expectations
 * that it does not know. They get a request id like any other, and a line in the log.
 */

interface OwnAnswer {
  status: 400 | 408 | 417 | 431;
  phrase: string;
  message: string;
}

const MALFORMED: OwnAnswer = {
  status: 400,
  phrase: "Bad Request",
  message: "The request is not valid HTTP/1.1.",
};
const NO_HOST: OwnAnswer = { ...MALFORMED, message: "Host: is required with HTTP/1.1." };
const TIMED_OUT: OwnAnswer = {
  status: 408,
  phrase: "Request Timeout",
  message: "The request took too long to arrive.",
};
const TOO_LARGE: OwnAnswer = {
  status: 431,
  phrase: "Request Header Fields Too Large",
  message: "The address and the headers together must be at most 16 KiB.",
};
const UNKNOWN_EXPECTATION: OwnAnswer = {
  status: 417,
  phrase: "Expectation Failed",
  message: "Expect: must be 100-continue or left out.",
};

/** @param prepare sets the headers of every answer */
export function answerMalformedRequests(
  server: Server,
  log: Log,
  prepare: (response: ServerResponse) => void,
): void {
  const underWay = new WeakMap<object, ServerResponse>();
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    underWay.set(request.socket, response);
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    prepare(response);
    answer(response, UNKNOWN_EXPECTATION, log);
  });
  server.on("clientError", (error: Error, socket: Socket) => {
    const response = underWay.get(socket);
    if (isOfAnother(response) || !socket.writable || hasCode(error, "ECONNRESET")) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    const own = answerTo(error);
    logAnswer(log, own, requestId);
    const body = bodyOf(own);
    const head = [
      `HTTP/1.1 ${own.status} ${own.phrase}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}

/**
 * Whether an answer is due that this one must not replace, because the client would take it for that: to a request that
 * arrived whole, or begun already. A request whose own body is malformed has its handler running, and gets this one.
 */
function isOfAnother(response: ServerResponse | undefined): boolean {
  if (response === undefined || response.writableFinished) return false;
  return response.req.complete || response.headersSent;
}

/**
 * Node would refuse HTTP/1.1 without `Host` by itself, with an empty answer; the server is therefore opened without
 * `requireHostHeader`.
 * @returns whether the request was refused
 */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse, log: Log): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== "1.1") return false;
  answer(response, NO_HOST, log);
  return true;
}

function answerTo(error: Error): OwnAnswer {
  if (hasCode(error, "HPE_HEADER_OVERFLOW")) return TOO_LARGE;
  return hasCode(error, "ERR_HTTP_REQUEST_TIMEOUT") ? TIMED_OUT : MALFORMED;
}

function answer(response: ServerResponse, own: OwnAnswer, log: Log): void {
  const requestId = newRequestId();
  logAnswer(log, own, requestId);
  response.writeHead(own.status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    Connection: "close",
  });
  response.end(bodyOf(own));
}

const bodyOf = ({ message }: OwnAnswer) => JSON.stringify({ error: { code: "INVALID_PARAMETERS", message } });

function logAnswer(log: Log, { status }: OwnAnswer, requestId: string): void {
  log.info({ requestId, status, transport: "none" }, "malformed request");
}

/**
 * A request target in absolute form (`GET http://host/path`) counts like the path, with its authority in place of
 * `Host` (RFC 9112, section 3.2.2). An address that is none stays, to be refused.
 */
export function toOriginForm(request: IncomingMessage): void {
  const match = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? "");
  const [, authority = "", rest = ""] = match ?? [];
  if (!isHost(authority)) return;
  request.headers.host = authority;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}
