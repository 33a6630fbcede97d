import { describe, expect, it } from "vitest";
import {
  problemInSentence,
  problemInShort,
  problemInWords,
  remedyOf,
} from "@/app/settings/webhooks/_components/problem-in-words";
import { deliveryProblemSchema } from "@/lib/contract/webhooks";

const outcome = (
  problem: (typeof deliveryProblemSchema.options)[number] | null,
  statusCode: number | null,
) => ({
  problem,
  statusCode,
});

describe("a failure says what the receiver did", () => {
  it.each([
    [outcome("STATUS", 503), "Answered 503"],
    [outcome("REDIRECT", 301), "Answered with a redirect, which is not followed"],
    [outcome("TIMEOUT", null), "Timed out after 10\u00a0s"],
    [outcome("DNS", null), "Host not found"],
    [outcome("ADDRESS", null), "Leads to a private address"],
    [outcome("CONNECTION", null), "Could not connect"],
    [outcome("TLS", null), "No secure connection"],
    [outcome("PROTOCOL", null), "Did not answer in HTTP"],
    [outcome("SECRET", null), "Could not be signed"],
    [outcome(null, 204), "Answered 204"],
  ])("%o reads %s", (given, words) => {
    expect(problemInWords(given)).toBe(words);
  });

  it("words each problem differently in every form", () => {
    for (const report of [problemInWords, problemInShort, problemInSentence, remedyOf]) {
      const reported = deliveryProblemSchema.options.map((problem) => report(outcome(problem, null)));
      expect(new Set(reported).size).toBe(deliveryProblemSchema.options.length);
    }
  });

  it("points the receiver's operator to the likely cause", () => {
    expect(remedyOf(outcome("STATUS", 401))).toContain("signature");
    expect(remedyOf(outcome("STATUS", 404))).toContain("path");
    expect(remedyOf(outcome("STATUS", 503))).toContain("log");
    expect(remedyOf(outcome("STATUS", 418))).toContain("2xx");
  });

  it("keeps a status beside a redirect", () => {
    expect(problemInShort(outcome("REDIRECT", 308))).toBe("308 redirect");
  });
});
