import { describe, expect, it } from "vitest";
import { withoutFactor } from "@/components/members/members-page";
import type { MemberRowView } from "@/lib/contract/views/members-view";

const member = (
  name: string,
  security: Partial<NonNullable<MemberRowView["security"]>> | null = {},
  isYou = false,
) => ({
  name,
  isYou,
  security: security && { passkeyCount: 0, hasAuthenticator: false, lastSeenAt: null, ...security },
});

describe("who is named as having no second factor", () => {
  it("is whoever has neither a passkey nor an app", () => {
    expect(
      withoutFactor([member("Mara", { passkeyCount: 1 }), member("Ines", { hasAuthenticator: true })]),
    ).toBe("");
    expect(withoutFactor([member("Mara", { passkeyCount: 1 }), member("Tomas")])).toBe(
      "1 member has neither: Tomas.",
    );
    expect(withoutFactor([member("Mara", {}, true), member("Tomas")])).toBe(
      "2 members have neither: you and Tomas.",
    );
  });

  it("is counted from the fourth on", () => {
    expect(withoutFactor(["A", "B", "C", "D", "E"].map((name) => member(name)))).toBe(
      "5 members have neither: A, B, C and 2 more.",
    );
  });

  it("is nobody's to read who is not shown how members sign in", () => {
    expect(withoutFactor([member("Mara", null), member("Tomas", null)])).toBe("");
  });
});
