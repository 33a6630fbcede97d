import { describe, expect, it } from "vitest";
import { membersTitle, withoutFactor } from "@/app/settings/members/_components/members-page";
import type { MemberRole } from "@/lib/contract/members";
import type { MemberRowView } from "@/lib/views/members/list-members";

const people = (...roles: MemberRole[]) => roles.map((role) => ({ role, isYou: false }));

describe("the title of the members page", () => {
  it("counts only members who may decide", () => {
    expect(membersTitle(people("OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"))).toBe("Two people can approve");
    expect(membersTitle(people("OWNER", "VIEWER"))).toBe("One person can approve");
    expect(membersTitle(people(...Array.from({ length: 12 }, () => "CO_OWNER" as const)))).toBe(
      "12 people can approve",
    );
  });

  it("tells a sole decider so", () => {
    expect(membersTitle([{ role: "OWNER", isYou: true }])).toBe("Only you can approve");
  });
});

const member = (
  name: string,
  security: Partial<NonNullable<MemberRowView["security"]>> | null = {},
  isYou = false,
) => ({
  name,
  isYou,
  security: security && { passkeyCount: 0, hasAuthenticator: false, lastSeenAt: null, ...security },
});

describe("the members without a second factor", () => {
  it("is a member with neither a passkey nor an app", () => {
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

  it("are counted from the fourth on", () => {
    expect(withoutFactor(["A", "B", "C", "D", "E"].map((name) => member(name)))).toBe(
      "5 members have neither: A, B, C and 2 more.",
    );
  });

  it("are hidden from readers who cannot see how members sign in", () => {
    expect(withoutFactor([member("Mara", null), member("Tomas", null)])).toBe("");
  });
});
