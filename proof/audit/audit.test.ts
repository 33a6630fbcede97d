import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { judgeAdvisories, judgeLockFile } from "@/proof/audit/audit";

const URL_OF_ADVISORY = "https://github.com/advisories/GHSA-0000-0000-0000";
const found = (severity: string) =>
  JSON.stringify({
    vulnerabilities: {
      hono: { severity, via: [{ title: "Lets strangers in", url: URL_OF_ADVISORY, severity }] },
      outer: { severity, via: ["hono"] },
    },
  });
const accepted = (until: string) => [
  {
    advisory: URL_OF_ADVISORY,
    package: "hono",
    reason: "The affected part is not used here.",
    until,
  },
];
const TODAY = "2026-11-22";

describe("known advisories", () => {
  it.each(["moderate", "high", "critical"])(
    "of severity %s fail until someone accepts them with a reason",
    (severity) => {
      expect(judgeAdvisories(found(severity), [], TODAY)).toMatchObject({ kind: "FOUND" });
      expect(judgeAdvisories(found(severity), accepted("2027-01-31"), TODAY)).toEqual({
        kind: "CLEAR",
        accepted: 1,
      });
    },
  );

  it("of lower severity are ignored", () => {
    expect(judgeAdvisories(found("low"), [], TODAY)).toEqual({ kind: "CLEAR", accepted: 0 });
  });

  it("that were accepted fail again after their date, and when they no longer exist", () => {
    expect(judgeAdvisories(found("high"), accepted("2026-11-21"), TODAY)).toMatchObject({ kind: "FOUND" });
    expect(judgeAdvisories('{"vulnerabilities":{}}', accepted("2027-01-31"), TODAY)).toMatchObject({
      kind: "FOUND",
    });
  });

  it.each(["", "not json", '{"message":"405 Method Not Allowed - POST https://x.example"}'])(
    "that could not be fetched count neither as found nor as none: %s",
    (printed) => {
      const verdict = judgeAdvisories(printed, [], TODAY);
      expect(verdict.kind).toBe("NOT_ASKED");
      expect(JSON.stringify(verdict)).not.toContain("example");
    },
  );
});

describe("the lock file", () => {
  const lock = (facts: object) => ({ packages: { "": {}, "node_modules/x": facts } });
  const good = { integrity: "sha512-x", license: "MIT" };

  it("of this project is in order", () => {
    expect(judgeLockFile(JSON.parse(readFileSync(projectPath("package-lock.json"), "utf8")))).toEqual([]);
  });

  it.each([
    ["no hash", { license: "MIT" }],
    ["a weak hash", { ...good, integrity: "sha1-x" }],
    ["an address", { ...good, resolved: "https://packages.example/x.tgz" }],
    ["a script that runs when it is installed", { ...good, hasInstallScript: true }],
    ["a license that is not on the list", { ...good, license: "SSPL-1.0" }],
    ["no licence", { integrity: "sha512-x" }],
  ])("with %s is not", (_, facts) => {
    expect(judgeLockFile(lock(good))).toEqual([]);
    expect(judgeLockFile(lock(facts))).toHaveLength(1);
  });
});
