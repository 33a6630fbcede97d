import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createTwilioSms, createUnconfiguredSms } from "@/lib/ports/messages/create-sms";
import { MessageNotSent } from "@/lib/ports/messages/message-ports";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  body: URLSearchParams;
}

/** A stand-in for api.twilio.com on this machine; `answer` writes its response. */
async function startTwilio(answer: (response: ServerResponse) => void) {
  const seen: SeenRequest[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      const { authorization, "content-type": contentType } = headers;
      seen.push({ method, url, authorization, contentType, body: new URLSearchParams(body) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { baseUrl: `http://127.0.0.1:${address.port}`, seen };
}

function json(status: number, body: unknown) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

const account = { accountSid: "AC123", authToken: "token-of-the-account", from: "+12125550100" };
const sms = { to: "+12125550131", text: "Sluice: $4,250.00 waits & more" };

async function failureOf(sending: Promise<unknown>): Promise<MessageNotSent> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MessageNotSent) return error;
    throw error;
  }
  throw new Error("was sent");
}

describe("SMS through Twilio", () => {
  test("posts a form with basic authentication and returns the message's sid", async () => {
    const { baseUrl, seen } = await startTwilio(json(201, { sid: "SM42", status: "queued" }));
    expect(await createTwilioSms({ ...account, baseUrl }).send(sms)).toEqual({ providerId: "SM42" });

    const request = seen[0];
    expect(seen).toHaveLength(1);
    expect(request?.method).toBe("POST");
    expect(request?.url).toBe("/2010-04-01/Accounts/AC123/Messages.json");
    expect(request?.authorization).toBe(
      `Basic ${Buffer.from("AC123:token-of-the-account").toString("base64")}`,
    );
    expect(request?.contentType).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(request?.body ?? [])).toEqual({
      To: "+12125550131",
      From: "+12125550100",
      Body: "Sluice: $4,250.00 waits & more",
    });
  });

  test("a messaging service as the sender is named as one", async () => {
    const { baseUrl, seen } = await startTwilio(json(201, { sid: "SM42" }));
    await createTwilioSms({ ...account, from: "MG7", baseUrl }).send(sms);
    expect(seen[0]?.body.get("MessagingServiceSid")).toBe("MG7");
    expect(seen[0]?.body.has("From")).toBe(false);
  });

  test.each([
    [400, { code: 21211, message: "Invalid 'To' Phone Number" }, "PERMANENT", "21211"],
    [400, { code: 21610, message: "Attempt to send to unsubscribed recipient" }, "PERMANENT", "21610"],
    [400, { code: 21606, message: "The 'From' phone number is not yours" }, "TEMPORARY", "21606"],
    [400, { code: 21408, message: "Permission for the region is not enabled" }, "TEMPORARY", "21408"],
    [400, { code: 21611, message: "The queue of the 'From' number is full" }, "TEMPORARY", "21611"],
    [400, "no JSON", "PERMANENT", "400"],
    [401, { code: 20003, message: "Authenticate" }, "TEMPORARY", "20003"],
    [404, { code: 20404, message: "Not found" }, "TEMPORARY", "20404"],
    [429, { code: 20429, message: "Too many requests" }, "TEMPORARY", "20429"],
    [500, {}, "TEMPORARY", "500"],
    [503, "unavailable", "TEMPORARY", "503"],
  ] as const)("status %d with %j is %s", async (status, body, kind, code) => {
    const { baseUrl } = await startTwilio(json(status, body));
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl }).send(sms));
    expect(failure).toMatchObject({ kind, code });
    expect(failure.message).not.toContain(account.authToken);
    expect(failure.message).not.toContain(sms.text);
  });

  test("an error page that is not JSON is judged by its status", async () => {
    const { baseUrl } = await startTwilio((response) => response.writeHead(502).end("<h1>Bad gateway</h1>"));
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl }).send(sms));
    expect(failure).toMatchObject({ kind: "TEMPORARY", code: "502" });
  });

  test("an accepted message is not reported as lost because the rest of the response is", async () => {
    const { baseUrl } = await startTwilio((response) => {
      response.writeHead(201, { "content-length": "100" });
      response.write('{"sid":');
      response.socket?.destroySoon();
    });
    expect(await createTwilioSms({ ...account, baseUrl }).send(sms)).toEqual({ providerId: null });
  });

  test("an endless response is cut off, not read", async () => {
    let written = 0;
    const { baseUrl } = await startTwilio((response) => {
      response.writeHead(500);
      const pour = () => {
        while (!response.destroyed && written < 50_000_000) {
          written += 65_536;
          if (!response.write("x".repeat(65_536))) return;
        }
      };
      response.on("drain", pour);
      pour();
    });
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl }).send(sms));
    expect(failure).toMatchObject({ kind: "TEMPORARY", code: "500" });
    expect(written).toBeLessThan(20_000_000);
  });

  test("a server that never answers times out", async () => {
    const { baseUrl, seen } = await startTwilio(() => undefined);
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl, timeoutMs: 200 }).send(sms));
    expect(failure).toMatchObject({ kind: "TEMPORARY", code: "ETIMEDOUT" });
    expect(seen).toHaveLength(1);
  });

  test("a redirect is not followed", async () => {
    const elsewhere = await startTwilio(json(201, { sid: "stolen" }));
    const { baseUrl } = await startTwilio((response) => {
      response.writeHead(307, { location: elsewhere.baseUrl }).end();
    });
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl }).send(sms));
    expect(failure.kind).toBe("TEMPORARY");
    expect(elsewhere.seen).toEqual([]);
  });

  test("an unreachable server is temporary", async () => {
    const failure = await failureOf(createTwilioSms({ ...account, baseUrl: "http://127.0.0.1:1" }).send(sms));
    expect(failure.kind).toBe("TEMPORARY");
  });
});

test("without a provider an SMS fails for good and says what to set", async () => {
  const failure = await failureOf(createUnconfiguredSms().send(sms));
  expect(failure).toMatchObject({ kind: "PERMANENT", code: "UNCONFIGURED" });
  expect(failure.message).toContain("TWILIO_ACCOUNT_SID");
});
