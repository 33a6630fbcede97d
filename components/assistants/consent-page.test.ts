import { describe, expect, it } from "vitest";
import {
  beforeWords,
  checkedWords,
  knownByWords,
  mayLines,
  neverLines,
} from "@/components/assistants/consent-page";
import { CONSENT, CONSENT_OF_A_VIEWER } from "@/components/examples/assistant-examples";
import { permissionsOfRole } from "@/lib/core/shared/roles";

const titles = (lines: readonly { title: string }[]) => lines.map(({ title }) => title);

describe("what the consent page says", () => {
  it("has a line for whatever an assistant may: nothing is allowed that was not read", () => {
    const may = titles(mayLines(CONSENT));
    const saidBy: Record<string, string> = {
      READ_ACCOUNTS: "Read everything here",
      READ_RULES: "Read everything here",
      READ_TRANSFERS: "Read everything here",
      READ_AUDIT_LOGS: "Read everything here",
      CREATE_ACCOUNTS: "Create pods and rules",
      CREATE_AND_EDIT_RULES: "Create pods and rules",
      TRIGGER_RULES: "Ask to run a rule",
      MANUAL_TRANSFER: "Ask to move money",
    };
    for (const role of ["OWNER", "CO_OWNER"] as const) {
      for (const { type } of permissionsOfRole(role)) expect(may).toContain(saidBy[type]);
    }
    const reads = titles(mayLines(CONSENT_OF_A_VIEWER));
    for (const role of ["VIEWER", "ACCOUNTANT"] as const) {
      for (const { type } of permissionsOfRole(role)) expect(reads).toContain(saidBy[type]);
    }
    expect(reads).toEqual(["Read everything here"]);
  });

  it("tells a viewer that it only reads, and why", () => {
    expect(neverLines(CONSENT_OF_A_VIEWER)[0]).toMatchObject({
      title: "Move money, or ask for it",
      detail: "You are a viewer, so it only reads",
    });
  });

  it("names who may approve", () => {
    const asks = (otherDeciders: string[]) => mayLines({ power: "ASKS", otherDeciders })[1]?.detail;
    expect(asks([])).toBe("Each time it asks, you must approve");
    expect(asks(["Jonas"])).toBe("Each time it asks, you or Jonas must approve");
    expect(asks(["Jonas", "Ines", "Ada", "Tom"])).toBe(
      "Each time it asks, you or one of 4 others must approve",
    );
  });

  it("claims no check that was not made", () => {
    const client = { ...CONSENT.client, isLoopback: false };
    const of = (knownBy: typeof client.knownBy) => {
      const one = { ...client, knownBy, idHost: knownBy === "METADATA_DOCUMENT" ? "claude.ai" : null };
      return `${knownByWords(one)}. ${checkedWords(one)}`;
    };
    expect(of("REGISTRATION")).toContain("Nobody checked who made it.");
    expect(of("REGISTRATION")).not.toMatch(/we checked/);
    expect(of("METADATA_DOCUMENT")).toContain("Published at claude.ai");
    expect(of("OPERATOR")).toContain("Whoever runs this Sluice registered it");
    expect(checkedWords({ ...client, isLoopback: true })).toContain("any program here could ask like this");
  });

  it("says whether it was here before", () => {
    expect(beforeWords(CONSENT)).toBe("First connection");
    expect(beforeWords(CONSENT_OF_A_VIEWER)).toMatch(
      /^Connected before by Mara Okafor on Wed 18\sNov at .*, and still is$/,
    );
  });
});
