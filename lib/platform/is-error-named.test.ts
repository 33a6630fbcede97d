import { expect, it, vi } from "vitest";
import { toConnectingProblem } from "@/lib/core/connections/to-connecting-problem";
import { IdentityUnavailable } from "@/lib/ports/identity/identity-port";

/** As in the product, where the launcher's bundle and Next's hold a copy each. */
async function otherCopies() {
  vi.resetModules();
  return {
    ...(await import("@/lib/ports/aggregator/aggregator-port")),
    OtherIdentityUnavailable: (await import("@/lib/ports/identity/identity-port")).IdentityUnavailable,
  };
}

it("an adapter's refusal is understood by a page that holds another copy of its class", async () => {
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

it("no other error is taken for it", () => {
  const fault = new TypeError("a fault of ours");
  expect(fault).not.toBeInstanceOf(IdentityUnavailable);
  expect(toConnectingProblem(fault)).toBe(fault);
  expect(toConnectingProblem("ConnectingRefused")).toBe("ConnectingRefused");
});
