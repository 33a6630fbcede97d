import { describe, expect, it } from "vitest";
import {
  beforeWords,
  checkedWords,
  knownByWords,
  mayLines,
  neverLines,
} from "@/app/connect/[uid]/_components/consent-page";
import { CONSENT, CONSENT_OF_A_VIEWER } from "@/app/design/_components/assistant-examples";
import { permissionsOfRole } from "@/lib/core/shared/roles";

const titles = (lines: readonly { title: string }[]) => lines.map(({ title }) => title);

describe("what the consent page says", () => {
  it("has a line for every permission, so that nothing is allowed unread", () => {
    const may = titles(mayLines(CONSENT));
    const textBy: Record<string, string> = {
      READ_ACCOUNTS: "Read everything here",
      READ_RULES: "Read everything here",
      READ_TRANSFERS: "Read everything here",
      READ_AUDIT_LOGS: "Read everything here",
      CREATE_ACCOUNTS: "Create pods and rules",
      CREATE_AND_EDIT_RULES: "Create pods and rules",
      TRIGGER_RULES: "Propose to run a rule",
      MANUAL_TRANSFER: "Propose to move money",
    };
    for (const role of ["OWNER", "CO_OWNER"] as const) {
      for (const { type } of permissionsOfRole(role)) expect(may).toContain(textBy[type]);
    }
    const reads = titles(mayLines(CONSENT_OF_A_VIEWER));
    for (const role of ["VIEWER", "ACCOUNTANT"] as const) {
      for (const { type } of permissionsOfRole(role)) expect(reads).toContain(textBy[type]);
    }
    expect(reads).toEqual(["Read everything here"]);
  });

  it("tells a viewer that it only reads, and why", () => {
    expect(neverLines(CONSENT_OF_A_VIEWER)[0]).toMatchObject({
      title: "Move money or propose to",
      detail: "You are a viewer, so it only reads",
    });
  });

  it("names who may approve", () => {
    const asks = (otherDeciders: string[]) => mayLines({ power: "ASKS", otherDeciders })[1]?.detail;
    expect(asks([])).toBe("You approve each proposal");
    expect(asks(["Jonas"])).toBe("You or Jonas approve each proposal");
    expect(asks(["Jonas", "Ines", "Ada", "Tom"])).toBe("You or one of 4 others approve each proposal");
  });

  it("claims no verification that did not happen", () => {
    const client = { ...CONSENT.client, isLoopback: false };
    const of = (knownBy: typeof client.knownBy) => {
      const one = { ...client, knownBy, idHost: knownBy === "METADATA_DOCUMENT" ? "claude.ai" : null };
      return `${knownByWords(one)}. ${checkedWords(one)}`;
    };
    expect(of("REGISTRATION")).toContain("Its maker is unverified.");
    expect(of("REGISTRATION")).not.toMatch(/We verified/);
    expect(of("METADATA_DOCUMENT")).toContain("Published at claude.ai");
    expect(of("OPERATOR")).toContain("The operator of this Sluice registered it");
    expect(checkedWords({ ...client, isLoopback: true })).toContain("any program could send this request");
  });

  it("says whether it was here before", () => {
    expect(beforeWords(CONSENT)).toBe("First connection");
    expect(beforeWords(CONSENT_OF_A_VIEWER)).toMatch(
      /^Connected before by Mara Okafor on Wed, Nov\s18 at .*, and still is$/,
    );
  });
});
