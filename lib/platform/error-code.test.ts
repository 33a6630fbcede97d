import { expect, it, vi } from "vitest";
import { MalformedMessage } from "@/lib/api/mcp/protocol-error";
import { AppError } from "@/lib/contract/error";
import { toConnectingProblem } from "@/lib/core/connections/begin-connecting";
import { IdentityUnavailable } from "@/lib/ports/identity/identity-port";

/** As in the product, where the launcher's bundle and Next's hold a copy each. */
async function otherCopies() {
  vi.resetModules();
  return {
    ...(await import("@/lib/ports/aggregator/aggregator-port")),
    OtherAppError: (await import("@/lib/contract/error")).AppError,
    OtherIdentityUnavailable: (await import("@/lib/ports/identity/identity-port")).IdentityUnavailable,
  };
}

it("a page recognizes an adapter's refusal although it holds another copy of the class", async () => {
  const other = await otherCopies();
  expect(other.OtherIdentityUnavailable).not.toBe(IdentityUnavailable);
  expect(new other.OtherIdentityUnavailable("gone")).toBeInstanceOf(IdentityUnavailable);
  for (const error of [
    new other.AggregatorUnavailable("INSTITUTION_DOWN", "down"),
    new other.ConnectingRefused("INVALID_PUBLIC_TOKEN", "void"),
    new other.SignInNeeded("ITEM_LOGIN_REQUIRED", "again"),
    new other.UnknownInstitution("ins_1"),
  ]) {
    expect(toConnectingProblem(error), error.name).toMatchObject({ code: "INVALID_PARAMETERS" });
  }
});

it("a refusal by the sandbox or by the authorization server reaches the reader instead of counting as a fault", async () => {
  const { OtherAppError } = await otherCopies();
  expect(OtherAppError).not.toBe(AppError);
  expect(new OtherAppError("ACCESS_DENIED", "Not yours.")).toBeInstanceOf(AppError);
  expect(new OtherAppError("ACCESS_DENIED", "Not yours.")).not.toBeInstanceOf(MalformedMessage);
  expect(new MalformedMessage(-32_700, "No JSON.")).toBeInstanceOf(AppError);
});

it("no other error is mistaken for it", () => {
  const fault = new TypeError("an internal error");
  expect(fault).not.toBeInstanceOf(IdentityUnavailable);
  expect(toConnectingProblem(fault)).toBe(fault);
  expect(toConnectingProblem("ConnectingRefused")).toBe("ConnectingRefused");
});
