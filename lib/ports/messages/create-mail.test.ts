import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createSmtpMail, createUnconfiguredMail } from "@/lib/ports/messages/create-mail";
import { MessageNotSent, type OutgoingMail } from "@/lib/ports/messages/message-ports";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The server's answer to a command instead of its usual one; null: none at all. */
type Script = Partial<Record<"CONNECT" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "END", string | null>>;

const usual: Record<keyof Script, string> = {
  CONNECT: "220 test ESMTP",
  EHLO: "250-test\r\n250 AUTH PLAIN",
  AUTH: "235 welcome",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  END: "250 queued as 7",
};

/** A minimal mail server: one answer per command, and it stores what it receives. */
async function startMailServer(script: Script = {}) {
  const commands: string[] = [];
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const answer = (to: keyof Script) => {
      const line = to in script ? script[to] : usual[to];
      if (line !== null) socket.write(`${line}\r\n`);
    };
    let received = "";
    let inData = false;
    const takeNext = (end: string): string | null => {
      const at = received.indexOf(end);
      if (at < 0) return null;
      const taken = received.slice(0, at);
      received = received.slice(at + end.length);
      return taken;
    };
    const step = (): boolean => {
      if (inData) {
        const message = takeNext("\r\n.\r\n");
        if (message === null) return false;
        messages.push(message);
        inData = false;
        answer("END");
        return true;
      }
      const command = takeNext("\r\n");
      if (command === null) return false;
      commands.push(command);
      const verb = command.slice(0, 4).toUpperCase();
      if (verb === "EHLO" || verb === "AUTH" || verb === "MAIL" || verb === "RCPT") answer(verb);
      else if (verb === "DATA") {
        inData = (script.DATA ?? usual.DATA).startsWith("354");
        answer("DATA");
      } else socket.end("221 bye\r\n");
      return true;
    };
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      received += chunk;
      while (step());
    });
    answer("CONNECT");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { address: `127.0.0.1:${address.port}`, commands, messages, sockets };
}

const from = "Sluice <sluice@northwind.example>";
const mail: OutgoingMail = {
  to: "mara@northwind.example",
  subject: "Move $4,250.00 from Operating to Taxes?",
  text: "The text part",
  html: "<p>The html part</p>",
  messageId: "7c1e5f0e.asked.0199",
};

async function failureOf(sending: Promise<unknown>): Promise<MessageNotSent> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof MessageNotSent) return error;
    throw error;
  }
  throw new Error("was sent");
}

describe("email over SMTP", () => {
  test("delivers both parts to the one recipient, under the given id", async () => {
    const server = await startMailServer();
    const sent = await createSmtpMail({ url: `smtp://${server.address}`, from }).send(mail);
    expect(sent).toEqual({ providerId: "<7c1e5f0e.asked.0199@northwind.example>" });
    expect(server.commands).toContain("RCPT TO:<mara@northwind.example>");
    expect(server.commands.filter((command) => command.startsWith("RCPT"))).toHaveLength(1);

    expect(server.messages).toHaveLength(1);
    const message = server.messages[0] ?? "";
    expect(message).toContain("Message-ID: <7c1e5f0e.asked.0199@northwind.example>");
    expect(message).toContain("Subject: Move $4,250.00 from Operating to Taxes?");
    expect(message).toContain("From: Sluice <sluice@northwind.example>");
    expect(message).toContain("Auto-Submitted: auto-generated");
    expect(message).toContain("The text part");
    expect(message).toContain("<p>The html part</p>");
  });

  test("signs in with the address's user and password", async () => {
    const server = await startMailServer();
    await createSmtpMail({ url: `smtp://mara:s%40cret@${server.address}`, from }).send(mail);
    const credentials = Buffer.from("\u0000mara\u0000s@cret").toString("base64");
    expect(server.commands).toContain(`AUTH PLAIN ${credentials}`);
  });

  test.each([
    ["an unknown recipient", { RCPT: "550 5.1.1 no such user" }, "PERMANENT", "550"],
    ["a full mailbox", { RCPT: "452 4.2.2 mailbox full" }, "TEMPORARY", "452"],
    ["greylisting", { RCPT: "450 4.7.1 try again later" }, "TEMPORARY", "450"],
    ["a refused sender", { MAIL: "550 5.7.1 sender refused" }, "TEMPORARY", "550"],
    ["a server that wants a login first", { MAIL: "530 5.7.0 authentication required" }, "TEMPORARY", "530"],
    ["a refused message", { END: "554 5.6.0 content refused" }, "PERMANENT", "554"],
    ["a server without room", { END: "451 4.3.0 no room" }, "TEMPORARY", "451"],
    ["commands out of order", { MAIL: "503 bad sequence" }, "TEMPORARY", "503"],
    ["a server that is closing", { CONNECT: "421 4.3.2 closing" }, "TEMPORARY", "421"],
  ] as const)("%s", async (_, script, kind, code) => {
    const server = await startMailServer(script);
    const failure = await failureOf(createSmtpMail({ url: `smtp://${server.address}`, from }).send(mail));
    expect(failure).toMatchObject({ kind, code });
  });

  test("a refused password is temporary, and is not repeated in the error", async () => {
    const server = await startMailServer({ AUTH: "535 5.7.8 authentication failed" });
    const url = `smtp://mara:very-secret@${server.address}`;
    const failure = await failureOf(createSmtpMail({ url, from }).send(mail));
    expect(failure).toMatchObject({ kind: "TEMPORARY", code: "535" });
    expect(failure.message).not.toContain("very-secret");
  });

  test("no password goes to another machine without TLS", async () => {
    const server = await startMailServer();
    // Reaches this machine under another name.
    const url = `smtp://mara:very-secret@${server.address.replace("127.0.0.1", "0.0.0.0")}`;
    const failure = await failureOf(createSmtpMail({ url, from }).send(mail));
    expect(failure.kind).toBe("TEMPORARY");
    expect(server.commands.some((command) => command.startsWith("EHLO"))).toBe(true);
    expect(server.commands.filter((command) => /^(AUTH|MAIL)/.test(command))).toEqual([]);
  });

  test("a server that accepts the message and never answers times out, and its connection is closed", async () => {
    const server = await startMailServer({ END: null });
    const smtp = createSmtpMail({ url: `smtp://${server.address}`, from, sendTimeoutMs: 300 });
    expect((await failureOf(smtp.send(mail))).kind).toBe("TEMPORARY");
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test("an unreachable server is temporary", async () => {
    const failure = await failureOf(createSmtpMail({ url: "smtp://127.0.0.1:1", from }).send(mail));
    expect(failure).toMatchObject({ kind: "TEMPORARY" });
  });

  test.each([
    "mara@northwind.example, eve@evil.example",
    "mara@northwind.example\r\nBcc: eve@evil.example",
    "Mara <mara@northwind.example>",
    "mara",
    "",
  ])("%j is not one recipient, and nothing is sent", async (to) => {
    const server = await startMailServer();
    const failure = await failureOf(
      createSmtpMail({ url: `smtp://${server.address}`, from }).send({ ...mail, to }),
    );
    expect(failure.kind).toBe("PERMANENT");
    expect(server.commands).toEqual([]);
  });

  test("a line break in the subject does not become a header", async () => {
    const server = await startMailServer();
    const subject = "Move?\r\nBcc: eve@evil.example\r\n\r\nbody";
    await createSmtpMail({ url: `smtp://${server.address}`, from }).send({ ...mail, subject });
    expect(server.commands.filter((command) => command.startsWith("RCPT"))).toHaveLength(1);
    expect(server.messages[0]).not.toMatch(/^Bcc:/im);
  });
});

test("without a mail server an email fails for good and says what to set", async () => {
  const failure = await failureOf(createUnconfiguredMail().send(mail));
  expect(failure).toMatchObject({ kind: "PERMANENT", code: "UNCONFIGURED" });
  expect(failure.message).toContain("SMTP_URL");
});
