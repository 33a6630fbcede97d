import { beforeEach, describe, expect, it, vi } from "vitest";
import { forgetLink, keepLink, readKeptLink } from "@/app/connections/link-cookie";
import type { MemberRole } from "@/lib/contract/members";
import { resumeLink } from "@/lib/core/connections/begin-connecting";
import type { Context, MemberActor } from "@/lib/core/shared/context";

interface Kept {
  value: string;
  options: Record<string, unknown>;
}

const jar = vi.hoisted(() => new Map<string, Kept>());
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => jar.get(name),
    set: (name: string, value: string, options: Record<string, unknown>) => jar.set(name, { value, options }),
  }),
}));
vi.mock("@/lib/next/runtime", () => ({
  getRuntime: () => ({ services: { appUrl: "https://sluice.example" } }),
}));

const MARA = "019a785d-bee8-73bf-865b-3de0645292b6";
const JONAS = "019a785d-bee8-73bf-865b-3de0645292b7";
const NORTHWIND = "019a785d-bee8-73bf-865b-3de0645292c1";
const ELSEWHERE = "019a785d-bee8-73bf-865b-3de0645292c2";
const LINK = {
  linkToken: "link-production-1",
  organizationId: NORTHWIND,
  memberId: MARA,
  connectionId: null,
};

function contextOf(
  memberId: string,
  organizationId: string,
  role: MemberRole = "OWNER",
): Context<MemberActor> {
  const now = new Date("2026-11-20T15:00:00Z");
  return {
    organizationId,
    actor: {
      kind: "MEMBER",
      id: memberId,
      name: "Mara",
      email: "mara@northwind.example",
      role,
      sessionId: memberId,
      authenticatedAt: now,
    },
    now,
    requestId: "7fq2-m81x-k03d",
    calledReason: null,
  };
}

beforeEach(() => jar.clear());

describe("the cookie of a pending bank connection", () => {
  it("is HttpOnly, limited to one path and TLS, expires after half an hour, and is deleted after use", async () => {
    await keepLink(LINK);
    const [name, kept] = [...jar.entries()][0] ?? [];
    expect(name).toBe("__Secure-sluice-link");
    expect(kept?.options).toEqual({
      httpOnly: true,
      sameSite: "lax",
      secure: true,
      path: "/accounts/connect/return",
      maxAge: 1_800,
    });
    expect(await readKeptLink()).toEqual(LINK);
    await forgetLink();
    expect(jar.get("__Secure-sluice-link")).toMatchObject({ value: "", options: { maxAge: 0 } });
    expect(await readKeptLink()).toBeNull();
  });

  it.each(["", "x", "bnVsbA", Buffer.from('{"linkToken":""}').toString("base64url")])(
    "is ignored if it is %j",
    async (value) => {
      jar.set("__Secure-sluice-link", { value, options: {} });
      expect(await readKeptLink()).toBeNull();
    },
  );

  it("reopens the dialog only for the member and organization that began it", () => {
    expect(resumeLink(contextOf(MARA, NORTHWIND), LINK)).toEqual({
      linkToken: "link-production-1",
      connectionId: null,
    });
    const over = expect.objectContaining({ code: "INVALID_PARAMETERS" });
    for (const [context, kept] of [
      [contextOf(JONAS, NORTHWIND), LINK],
      [contextOf(MARA, ELSEWHERE), LINK],
      [contextOf(MARA, NORTHWIND), null],
    ] as const) {
      expect(() => resumeLink(context, kept)).toThrow(over);
    }
    expect(() => resumeLink(contextOf(MARA, NORTHWIND, "VIEWER"), LINK)).toThrow(
      expect.objectContaining({ code: "ACCESS_DENIED" }),
    );
  });
});
