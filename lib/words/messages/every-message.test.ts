import { describe, expect, test } from "vitest";
import { everyMessage, linksIn, visibleText } from "@/lib/testing/message-examples";
import { gsmLength, MAX_SMS_LENGTH } from "@/lib/words/messages/compose-sms";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/email-layout";

describe("every message", () => {
  const messagesWith = (words: string, setting: Partial<MessageSetting> = {}) =>
    everyMessage({ words, setting });
  const partsOf = ({ email }: { email: RenderedEmail }) => [email.subject, email.text, email.html];

  test("says that no real money moves, until a bank is configured", () => {
    for (const { email } of messagesWith("Operating")) {
      expect(email.text).toContain("Sandbox bank: no real money");
      expect(visibleText(email)).toContain("Sandbox bank: no real money");
    }
    for (const { email } of messagesWith("Operating", { isSandboxBank: false })) {
      expect(email.text + email.html).not.toMatch(/sandbox/i);
    }
  });

  test.each([
    `<script>alert(1)</script>`,
    `<img src=x onerror=alert(1)>`,
    `"><a href="x">Approve here</a>`,
    `' onmouseover='alert(1)`,
    `</title></style><h1>`,
    `&lt;b&gt;`,
  ])("shows markup %j as text", (words) => {
    const tagsOf = (email: RenderedEmail) => email.html.match(/<[^>]*>/g);
    const tame = messagesWith("Operating").map(({ email }) => tagsOf(email));
    const hostile = messagesWith(words);
    expect(hostile.map(({ email }) => tagsOf(email))).toEqual(tame);
    for (const { email } of hostile) expect(visibleText(email)).toContain(words.replace(/\s+/g, " "));
  });

  test.each([
    ["https://evil.example/approve", "https[:]//evil[.]example/approve"],
    ["HTTP:\\\\evil.example", "HTTP[:]\\\\evil[.]example"],
    ["www.evil.example", "www[.]evil[.]example"],
    ["pay bob@evil.co.uk now", "pay bob@evil[.]co[.]uk now"],
    ["ev\u0456l.\u0440\u0444", "ev\u0456l[.]\u0440\u0444"],
    ["evil.xn--p1ai", "evil[.]xn--p1ai"],
    ["evil\u3002com or evil\uFF0Ecom", "evil[.]com or evil[.]com"],
    ["mailto:bob tel:+15550100", "mailto[:]bob tel[:]+15550100"],
  ])("makes no link of %j", (words, shown) => {
    for (const message of messagesWith(words)) {
      for (const part of partsOf(message)) expect(part).not.toContain(words);
      expect(message.email.text).toContain(shown);
      expect(visibleText(message.email)).toContain(shown);
      expect(linksIn(message.email)).toHaveLength(1);
    }
  });

  test("leaves amounts, abbreviations and ends of sentences alone", () => {
    const words = "Pay $13,560.00 (v2.5), e.g. by 9 a.m. Then stop. OK?";
    for (const { email } of messagesWith(words)) expect(email.text).toContain(words);
  });

  test.each([
    "\u202E",
    "\u2066",
    "\u2069",
    "\u200F",
    "\u200B",
    "\uFEFF",
    "\u0000",
    "\u001B",
    "\u{E0041}",
    "\uD800",
  ])("shows the invisible character %j instead of obeying or dropping it", (character) => {
    for (const message of messagesWith(`a${character}b`)) {
      for (const part of partsOf(message)) {
        expect(part).not.toContain(`a${character}`);
      }
      expect(message.email.text).toContain("a\uFFFDb");
      expect(message.email.html).toContain("a\uFFFDb");
    }
  });

  test("a word without end neither widens the page nor runs on", () => {
    const word = "x".repeat(50_000);
    for (const { email } of messagesWith(word)) {
      expect(email.subject.length).toBeLessThan(400);
      expect(email.html.length).toBeLessThan(20_000);
      expect(email.text).toContain("xxx\u2026");
      expect(email.html).toMatch(/<h1 style="overflow-wrap:anywhere/);
    }
  });

  test("an SMS holds nothing that a caller wrote, in plain ASCII and at most two segments", () => {
    const [tame, hostile] = [
      messagesWith("Operating"),
      messagesWith("<b>\u202Ehttps://evil.example \u{1F4B8}"),
    ];
    expect(hostile.map(({ sms }) => sms)).toEqual(tame.map(({ sms }) => sms));
    for (const { sms } of hostile) {
      if (sms === undefined) continue;
      expect(sms).toMatch(/^[\x20-\x7E]+$/);
      expect(gsmLength(sms)).toBeLessThanOrEqual(MAX_SMS_LENGTH);
    }
  });

  test("a notification fits into what push services carry, on visible lines, and opens this server only", () => {
    for (const words of [
      "Operating",
      "\u{1F4B8}".repeat(50_000),
      `a\u202Eb\u0000c\u2028d" \\ https://evil.example`,
    ]) {
      for (const { name, email } of messagesWith(words)) {
        const { title, body, url, denyUrl } = email.push;
        expect(Buffer.byteLength(JSON.stringify(email.push)), name).toBeLessThan(3_500);
        expect(`${title} ${body.replaceAll("\n", " ")}`, name).not.toMatch(/[\p{Cc}\u202E\u2028]|https?:/u);
        expect(linksIn(email), name).toEqual([url.replaceAll("&", "&amp;")]);
        if (denyUrl !== null) expect(new URL(denyUrl).origin, name).toBe(new URL(url).origin);
      }
    }
  });

  test("no subject can begin a header of its own", () => {
    for (const { email } of messagesWith("Done.\r\nBcc: eve\u2028\u0085Approved")) {
      expect(email.subject).not.toMatch(/[\r\n\u2028\u0085]/);
    }
  });

  test("someone else's words stay on their line, so that they cannot pass for ours", () => {
    const words = "Done.\n\nReview and decide:\nApproved by your accountant";
    for (const { name, email } of messagesWith(words)) {
      const ours = email.text.split("\n").filter((line) => !line.startsWith("> "));
      expect(ours.join("\n"), name).not.toMatch(/^(Review and decide:\nApproved|Approved by)/m);
    }
  });

  test("has one link, loads nothing, and reads in the dark", () => {
    for (const { name, email } of everyMessage()) {
      expect(linksIn(email), name).toHaveLength(1);
      expect(email.text.match(/https?:/g), name).toHaveLength(1);
      expect(email.html, name).not.toMatch(/<(img|script|link|iframe|form|svg)|\bsrc=|url\(|@import/i);
      expect(email.html, name).toContain("prefers-color-scheme:dark");
    }
  });

  test.each([
    ["DECIDES", "Sent to the owner and co-owners of Northwind Studio."],
    ["CHOSEN", "You can switch these off under Settings, Notifications."],
    ["SECURITY", "Sent to the owner and co-owners of Northwind Studio, who always get this."],
    ["OWN_SIGN_IN", "Sent to you alone, as a member of Northwind Studio. You always get this."],
  ])("says why one gets it, and where it can be switched off if it can: %s", (why, footer) => {
    const messages = everyMessage().filter((message) => message.why === why);
    expect(messages.length).toBeGreaterThan(0);
    for (const { name, email } of messages) {
      expect(email.text, name).toContain(footer);
      expect(visibleText(email).replaceAll(" .", ".").replaceAll(" ,", ","), name).toContain(footer);
      if (why !== "CHOSEN") expect(email.text, name).not.toContain("switch these off");
    }
  });

  test("an SMS stays within two segments with the largest amount and the longest address", () => {
    const amountInCents = Number.MAX_SAFE_INTEGER;
    const addresses = [
      "https://sluice.northwind.example",
      `https://${"a".repeat(63)}.${"b".repeat(180)}.example`,
    ];
    for (const appUrl of addresses) {
      for (const { name, sms } of everyMessage({ amountInCents, appUrl })) {
        if (sms === undefined) continue;
        expect(sms, name).toMatch(/^Sluice: [\x20-\x7E]+$/);
        expect(gsmLength(sms) ?? Number.NaN, name).toBeLessThanOrEqual(MAX_SMS_LENGTH);
        if (appUrl === addresses[0]) expect(sms, name).toContain(appUrl);
      }
    }
  });
});
