import { describe, expect, it } from "vitest";
import { membersTitle } from "@/components/members/members-page";
import type { MemberRole } from "@/lib/contract/views/people";

const people = (...roles: MemberRole[]) => roles.map((role) => ({ role, isYou: false }));

describe("the title of the members page", () => {
  it("counts those who decide, and nobody else", () => {
    expect(membersTitle(people("OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"))).toBe("Two people can approve");
    expect(membersTitle(people("OWNER", "VIEWER"))).toBe("One person can approve");
    expect(membersTitle(people(...Array.from({ length: 12 }, () => "CO_OWNER" as const)))).toBe(
      "12 people can approve",
    );
  });

  it("tells somebody alone that it is they", () => {
    expect(membersTitle([{ role: "OWNER", isYou: true }])).toBe("Only you can approve");
  });
});
