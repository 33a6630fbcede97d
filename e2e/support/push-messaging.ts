import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Server as NetServer, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type BrowserContext, chromium } from "@playwright/test";
import { type ReceivedPush, startPushService, type TestPushService } from "@/lib/testing/push/push-service";
import { makeCertificate } from "@/lib/testing/servers/certificate";

/** Where Chromium believes its subscriptions to be: a host for releases, another for other builds. */
const CHROMIUM_ENDPOINTS = "^https://[^/]+/fcm/send/";

export interface PushMessaging {
  /** What servers post to. */
  service: TestPushService;
  /** A Chromium of its own that registers and connects here instead of at Google, with permission to notify. */
  openBrowser(profile: string, appUrl: string): Promise<BrowserContext>;
  close(): Promise<void>;
}

interface Registration {
  /** The application in Chromium: `wp:<origin>#<id>`. */
  subtype: string;
  category: string;
  /** The server's public key. */
  sender: string;
}

/**
 * Chromium's own push messaging, on this machine: checkin and registration over HTTP, and the connection over which it
 * receives messages (MCS: framed protocol buffers over TLS). What a server posts to a subscription here arrives in
 * Chromium as from Google: Chromium decrypts it with the subscription's keys and wakes the service worker.
 */
export async function startPushMessaging(): Promise<PushMessaging> {
  const registrations = new Map<string, Registration>();
  const connections = new Set<Socket>();
  const service = await startPushService((push) => {
    const registration = registrations.get(push.token);
    if (!registration) return;
    for (const socket of connections) socket.write(frame(DATA_MESSAGE, dataMessage(registration, push)));
  });
  const http = await listen(createRegistrar(registrations));
  const mcs = await listen(
    createTlsServer(makeCertificate("localhost"), (socket) => {
      connections.add(socket);
      socket.on("close", () => connections.delete(socket));
      socket.on("error", () => socket.destroy());
      answerMcs(socket);
    }),
  );
  return {
    service,
    openBrowser: (profile, appUrl) =>
      openChromium(profile, appUrl, { httpPort: http.port, mcsPort: mcs.port, origin: service.origin }),
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([http.close(), mcs.close(), service.close()]);
    },
  };
}

async function openChromium(
  profile: string,
  appUrl: string,
  { httpPort, mcsPort, origin }: { httpPort: number; mcsPort: number; origin: string },
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    // Not the headless shell, which has no push messaging.
    ...(process.env.SLUICE_TEST_BROWSER
      ? { executablePath: process.env.SLUICE_TEST_BROWSER }
      : { channel: "chromium" }),
    // Push messaging is a background service.
    ignoreDefaultArgs: ["--disable-background-networking"],
    args: [
      "--no-sandbox",
      "--disable-gpu",
      `--gcm-checkin-url=http://127.0.0.1:${httpPort}/checkin`,
      `--gcm-registration-url=http://127.0.0.1:${httpPort}/register`,
      `--gcm-mcs-endpoint=https://localhost:${mcsPort}`,
      // The connection for messages has a certificate of our own.
      "--ignore-certificate-errors",
    ],
    timezoneId: "America/New_York",
    locale: "en-US",
  });
  await context.grantPermissions(["notifications"], { origin: appUrl });
  await context.addInitScript(
    ([theirs, ours]) => {
      const { get } = Object.getOwnPropertyDescriptor(PushSubscription.prototype, "endpoint") ?? {};
      const endpointOf = (subscription: PushSubscription): string =>
        String(get?.call(subscription)).replace(new RegExp(String(theirs)), String(ours));
      const { toJSON } = PushSubscription.prototype;
      Object.defineProperty(PushSubscription.prototype, "endpoint", {
        get(this: PushSubscription) {
          return endpointOf(this);
        },
      });
      PushSubscription.prototype.toJSON = function (this: PushSubscription) {
        return { ...toJSON.call(this), endpoint: endpointOf(this) };
      };
    },
    [CHROMIUM_ENDPOINTS, `${origin}/push/`],
  );
  return context;
}

/** Gives each browser an identity, and each subscription a token. */
function createRegistrar(registrations: Map<string, Registration>): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/checkin") {
        response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end(checkinAnswer());
        return;
      }
      const fields = new URLSearchParams(Buffer.concat(chunks).toString());
      const token = randomBytes(24).toString("base64url");
      registrations.set(token, {
        subtype: fields.get("X-subtype") ?? "",
        category: fields.get("app") ?? "",
        sender: fields.get("sender") ?? "",
      });
      response.writeHead(200, { "Content-Type": "text/plain" }).end(`token=${token}`);
    });
  });
}

const MCS_VERSION = 41;
const HEARTBEAT_PING = 0;
const HEARTBEAT_ACK = 1;
const LOGIN_REQUEST = 2;
const LOGIN_RESPONSE = 3;
const DATA_MESSAGE = 8;

/** Accepts the login and answers heartbeats; needs nothing else of what Chromium sends. */
function answerMcs(socket: Socket): void {
  let pending = Buffer.alloc(0);
  let isGreeted = false;
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    if (!isGreeted && pending.length > 0) {
      isGreeted = true;
      pending = pending.subarray(1);
      socket.write(Buffer.from([MCS_VERSION]));
    }
    for (let next = readFrame(pending); next !== null; next = readFrame(pending)) {
      pending = pending.subarray(next.length);
      if (next.tag === LOGIN_REQUEST) socket.write(frame(LOGIN_RESPONSE, text(1, "chromium")));
      if (next.tag === HEARTBEAT_PING) socket.write(frame(HEARTBEAT_ACK, Buffer.alloc(0)));
    }
  });
}

/** Null until it has arrived whole. */
function readFrame(bytes: Buffer): { tag: number; length: number } | null {
  let size = 0;
  for (let at = 1; at < bytes.length && at < 6; at += 1) {
    const byte = bytes.readUInt8(at);
    size |= (byte & 0x7f) << (7 * (at - 1));
    if ((byte & 0x80) !== 0) continue;
    const length = at + 1 + size;
    return bytes.length >= length ? { tag: bytes.readUInt8(0), length } : null;
  }
  return null;
}

const frame = (tag: number, message: Buffer) =>
  Buffer.concat([Buffer.from([tag]), varint(message.length), message]);

/** `DataMessageStanza` of Chromium's google_apis/gcm/protocol/mcs.proto. */
function dataMessage({ subtype, category, sender }: Registration, { body }: ReceivedPush): Buffer {
  return Buffer.concat([
    text(2, randomUUID()),
    text(3, sender),
    text(5, category),
    field(7, Buffer.concat([text(1, "subtype"), text(2, subtype)])),
    field(7, Buffer.concat([text(1, "content-encoding"), text(2, "aes128gcm")])),
    text(9, randomUUID()),
    field(21, body),
  ]);
}

/** `AndroidCheckinResponse` of checkin.proto: accepted, with an identity. */
function checkinAnswer(): Buffer {
  return Buffer.concat([
    number(1, 1),
    fixed64(7, randomBytes(8)),
    fixed64(8, randomBytes(8)),
    number(9, 1),
    text(12, "1"),
  ]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
  }
  return Buffer.from(bytes);
}

const number = (id: number, value: number) => Buffer.concat([varint(id * 8), varint(value)]);
const fixed64 = (id: number, value: Buffer) => Buffer.concat([varint(id * 8 + 1), value]);
const field = (id: number, value: Buffer) => Buffer.concat([varint(id * 8 + 2), varint(value.length), value]);
const text = (id: number, value: string) => field(id, Buffer.from(value));

async function listen(server: NetServer): Promise<{ port: number; close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        if ("closeAllConnections" in server && typeof server.closeAllConnections === "function") {
          server.closeAllConnections();
        }
        server.close(() => resolve());
      }),
  };
}
