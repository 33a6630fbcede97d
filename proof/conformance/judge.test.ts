import { describe, expect, it } from "vitest";
import { type Check, type ExpectedFailure, judge, unusedOf } from "@/proof/conformance/judge";

const IMAGE: ExpectedFailure = {
  scenario: "image",
  checkId: "image",
  reason: "calls the tool «test_image»",
  evidence: "test_image",
};
const TASKS: ExpectedFailure = {
  scenario: "tasks",
  checkId: null,
  reason: "is an extension",
  evidence: null,
};
const WELL_FORMED = check("wire-schema-valid", "SUCCESS");
const NO_IMAGE = check("image", "FAILURE", "There is no tool test_image.");

function check(id: string, status: Check["status"], message = ""): Check {
  return { id, status, message, found: message };
}

function kindOf(scenario: string, checks: Check[], expected: ExpectedFailure[] = []) {
  return judge([{ scenario, checks }], expected)[0]?.kind;
}

describe("what the suite found", () => {
  it("passes with a successful check, not with well-formed messages alone", () => {
    expect(kindOf("ping", [check("ping", "SUCCESS"), WELL_FORMED])).toBe("PASSED");
    expect(kindOf("ping", [check("session", "INFO"), WELL_FORMED])).toBe("EMPTY");
  });

  it("fails with any failure or warning that has no reason", () => {
    expect(kindOf("ping", [check("ping", "FAILURE")])).toBe("FAILED");
    expect(kindOf("ping", [check("ping", "SUCCESS"), check("should", "WARNING")])).toBe("FAILED");
  });

  it("does not apply if only expected checks fail", () => {
    expect(kindOf("image", [NO_IMAGE, WELL_FORMED], [IMAGE])).toBe("EXPECTED");
    expect(kindOf("image", [NO_IMAGE, check("wire-schema-valid", "FAILURE")], [IMAGE])).toBe("FAILED");
  });

  it("fails if an expected failure happens in another way", () => {
    expect(kindOf("image", [check("image", "FAILURE", "HTTP 500")], [IMAGE])).toBe("FAILED");
  });

  it("counts no chance success of a scenario that does not apply", () => {
    expect(kindOf("tasks", [check("one", "FAILURE"), check("two", "SUCCESS")], [TASKS])).toBe("EXPECTED");
  });

  it("fails if an expected failure now succeeds", () => {
    expect(kindOf("image", [check("image", "SUCCESS")], [IMAGE])).toBe("FAILED");
  });

  it("names expected failures that occur in no run", () => {
    const outcomes = [{ scenario: "image", checks: [NO_IMAGE] }];
    const expected = [IMAGE, TASKS, { ...IMAGE, checkId: "picture" }];
    expect(unusedOf(expected, outcomes)).toEqual(["tasks", "image:picture"]);
  });
});
