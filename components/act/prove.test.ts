import { expect, it, vi } from "vitest";
import { type Proof, proveWith, type TypedRequest } from "@/components/act/prove";
import type { ConfirmationRequest } from "@/lib/contract/confirmation/decision";

const DONE = { kind: "DONE" } as const;

function presenceThat(request: ConfirmationRequest) {
  return {
    beginPresence: vi.fn(async () => ({ kind: "BEGUN" as const, request })),
    confirmPresence: vi.fn(async (): Promise<Proof> => DONE),
  };
}

/** A dialog in which the member types this. */
const typing = (text: string, code: string) => vi.fn(({ confirm }: TypedRequest) => confirm(text, code));

it("asks for nothing shortly after a sign-in", async () => {
  const presence = presenceThat({ kind: "NONE" });
  const dialog = typing("", "");
  expect(await proveWith(presence, undefined, dialog)).toEqual(DONE);
  expect(dialog).not.toHaveBeenCalled();
  expect(presence.confirmPresence).not.toHaveBeenCalled();
});

it("sends the code of an app only where one is asked for", async () => {
  const withCode = presenceThat({ kind: "PASSWORD", withCode: true });
  await proveWith(withCode, undefined, typing("secret", "123456"));
  expect(withCode.confirmPresence).toHaveBeenCalledWith({
    kind: "PASSWORD",
    password: "secret",
    code: "123456",
  });

  const without = presenceThat({ kind: "PASSWORD", withCode: false });
  await proveWith(without, undefined, typing("secret", "123456"));
  expect(without.confirmPresence).toHaveBeenCalledWith({ kind: "PASSWORD", password: "secret" });
});

it("takes a recovery code in place of a passkey, without asking for the passkey", async () => {
  const presence = presenceThat({ kind: "PASSKEY", options: { challenge: "ZXhhbXBsZQ" } });
  expect(await proveWith(presence, "RECOVERY_CODE", typing("abcd-efgh", ""))).toEqual(DONE);
  expect(presence.beginPresence).not.toHaveBeenCalled();
  expect(presence.confirmPresence).toHaveBeenCalledWith({ kind: "RECOVERY_CODE", code: "abcd-efgh" });
});

it("says that nothing was changed when no answer comes, at either step", async () => {
  const lost = { kind: "REFUSED", message: "Sluice did not answer. Nothing was changed. Try again." };
  const unreachable = presenceThat({ kind: "NONE" });
  unreachable.beginPresence.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await proveWith(unreachable, undefined, typing("", ""))).toEqual(lost);

  const cut = presenceThat({ kind: "PASSWORD", withCode: false });
  cut.confirmPresence.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await proveWith(cut, undefined, typing("secret", ""))).toEqual(lost);
});
