import { expect, it } from "vitest";
import { assistantsTitle } from "@/app/settings/assistants/_components/assistants-list";
import type { AssistantPower } from "@/lib/core/keys/assistant-facts";

const connected = (...powers: AssistantPower[]) =>
  powers.map((power) => ({ power, state: { kind: "CONNECTED" as const } }));
const ended = {
  power: "ASKS" as const,
  state: { kind: "ENDED" as const, at: "2026-11-20T14:05:00Z", because: "MEMBER" as const, byName: "Mara" },
};

it("counts those that can ask and those that only read, not the disconnected", () => {
  expect(assistantsTitle([...connected("ASKS", "READS"), ended], true)).toBe(
    "One assistant can ask you, one only reads",
  );
  expect(assistantsTitle(connected("ASKS", "ASKS", "READS", "READS"), true)).toBe(
    "Two assistants can ask you, two only read",
  );
  expect(assistantsTitle(connected("READS", "NOTHING"), true)).toBe(
    "One assistant only reads, one can do nothing",
  );
  expect(assistantsTitle([ended], true)).toBe("No assistant is connected");
});

it('says "ask you" only to members who may decide', () => {
  expect(assistantsTitle(connected("ASKS"), false)).toBe("One assistant can ask");
});
