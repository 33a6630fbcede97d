import { describe, expect, it } from "vitest";
import type { ExpectedFailure } from "@/tools/conformance/expected-failures";
import { judge, unusedOf } from "@/tools/conformance/judge";
import type { Check } from "@/tools/conformance/outcomes";

const WELL_FORMED: Check = { id: "wire-schema-valid", status: "SUCCESS" };
const IMAGE: ExpectedFailure = { scenario: "image", checkId: "image", reason: "calls a tool of the example" };
const TASKS: ExpectedFailure = { scenario: "tasks", checkId: null, reason: "is an extension" };

function kindOf(scenario: string, checks: Check[], expected: ExpectedFailure[] = []) {
  return judge([{ scenario, checks }], expected)[0]?.kind;
}

describe("what the suite found", () => {
  it("passes with a check that succeeded, not with well-formed messages alone", () => {
    expect(kindOf("ping", [{ id: "ping", status: "SUCCESS" }, WELL_FORMED])).toBe("PASSED");
    expect(kindOf("ping", [{ id: "session", status: "INFO" }, WELL_FORMED])).toBe("EMPTY");
  });

  it("fails with any failure or warning that has no reason", () => {
    expect(kindOf("ping", [{ id: "ping", status: "FAILURE" }])).toBe("FAILED");
    expect(
      kindOf("ping", [
        { id: "ping", status: "SUCCESS" },
        { id: "should", status: "WARNING" },
      ]),
    ).toBe("FAILED");
  });

  it("is not ours where what fails is expected to, and nothing else does", () => {
    const failed: Check = { id: "image", status: "FAILURE" };
    expect(kindOf("image", [failed, WELL_FORMED], [IMAGE])).toBe("EXPECTED");
    expect(kindOf("image", [failed, { ...WELL_FORMED, status: "FAILURE" }], [IMAGE])).toBe("FAILED");
  });

  it("counts no chance success where a whole scenario is not ours", () => {
    const checks: Check[] = [
      { id: "one", status: "FAILURE" },
      { id: "two", status: "SUCCESS" },
    ];
    expect(kindOf("tasks", checks, [TASKS])).toBe("EXPECTED");
  });

  it("fails where an expected failure has come to succeed", () => {
    expect(kindOf("image", [{ id: "image", status: "SUCCESS" }], [IMAGE])).toBe("FAILED");
  });

  it("names expected failures that no run has a use for", () => {
    const outcomes = [{ scenario: "image", checks: [{ id: "image", status: "FAILURE" } as const] }];
    expect(unusedOf([IMAGE, TASKS, { ...IMAGE, checkId: "picture" }], outcomes)).toEqual([
      "tasks",
      "image:picture",
    ]);
  });
});
