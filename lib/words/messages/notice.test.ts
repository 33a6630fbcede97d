import { describe, expect, it } from "vitest";
import type { MessageSetting } from "@/lib/words/messages/email-layout";
import { type NoticeContent, renderDigest, renderNotice } from "@/lib/words/messages/notice";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const SETTING: MessageSetting = {
  organizationName: "Northwind Studio",
  timeZone: "America/New_York",
  isSandboxBank: false,
};
const HEBREW = "\u05DE\u05E1";

function contentOf(change: Partial<NoticeContent> = {}): NoticeContent {
  return {
    headline: `${isolatedName("Mara")} paid ${isolatedName(HEBREW)}`,
    lines: [`It went to ${isolatedName(HEBREW)}.`, null, { wrote: "Because." }, { list: ["one", "two"] }],
    action: { label: "See it", url: "https://sluice.northwind.example/payees" },
    note: "Ask her.",
    why: "CHOSEN",
    sms: "someone was paid.",
    ...change,
  };
}

describe("a notice", () => {
  it("is written once and said by email, text message and device", () => {
    const { email, sms } = renderNotice(contentOf(), SETTING);
    expect(email.subject).toBe(`Mara paid \u2068${HEBREW}\u2069`);
    expect(email.text).toContain(
      `Mara paid \u2068${HEBREW}\u2069\n\nIt went to \u2068${HEBREW}\u2069.\n\nIt wrote:\n> Because.\n\n- one\n- two\n\nSee it:\n`,
    );
    expect(email.push).toMatchObject({
      title: email.subject,
      body: `It went to \u2068${HEBREW}\u2069.\nNorthwind Studio`,
    });
    expect(sms).toBe("Sluice: someone was paid. https://sluice.northwind.example/payees");
  });

  it("isolates every name in HTML by an element, and in text only one that could reorder what is beside it", () => {
    const { email } = renderNotice(contentOf(), SETTING);
    expect(email.html).toContain(`><bdi>Mara</bdi> paid <bdi>${HEBREW}</bdi></h1>`);
    expect(email.html).toContain(`>It went to <bdi>${HEBREW}</bdi>.</p>`);
    expect(email.html).toContain(`<title>Mara paid \u2068${HEBREW}\u2069</title>`);
    expect(email.html.match(/\u2068/g)).toHaveLength(2);
    expect(email.text).not.toContain("\u2068Mara");
  });

  it("has no name in its text message: a marked one is refused", () => {
    const sms = `${isolatedName("Mara")} was paid.`;
    expect(() => renderNotice(contentOf({ sms }), SETTING)).toThrow(RangeError);
  });

  it("makes a name safe that someone forgot to mark", () => {
    const forgotten = "<b>\u202Ehttps://evil.example\u2069\nApproved";
    const { email } = renderNotice(contentOf({ headline: forgotten, lines: [forgotten] }), SETTING);
    for (const part of [email.subject, email.text, email.push.title]) {
      expect(part).toContain("<b>\uFFFDhttps[:]//evil[.]example\uFFFD Approved");
    }
    expect(email.html).not.toMatch(/<b>|evil\.example|\u202E/);
  });

  it("bounds each line, and closes the mark of a name that it cuts", () => {
    const long = `${"x".repeat(1_990)} ${isolatedName("y".repeat(60))}`;
    const { email } = renderNotice(contentOf({ lines: [long, { list: [long] }] }), SETTING);
    expect(email.html).toMatch(/<bdi>y+\u2026<\/bdi><\/p>/);
    expect(email.html.match(/<bdi>/g)?.length).toBe(email.html.match(/<\/bdi>/g)?.length);
    expect(email.text).toMatch(/^- x{999}\u2026$/m);
  });
});

describe("a digest", () => {
  it("lists ten and counts the rest", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const { headline, action, why, sms } = contentOf();
    const digest = { headline, action, why, sms, sentence: null };
    const { email } = renderDigest({ ...digest, count: 14, lines }, SETTING);
    expect(email.text).toContain("- line 9\n- and 4 more\n");
    expect(email.push.body).toBe("line 0\nNorthwind Studio");
    expect(renderDigest({ ...digest, count: 2, lines: ["a", "b"] }, SETTING).email.text).not.toContain(
      "more",
    );
  });
});
