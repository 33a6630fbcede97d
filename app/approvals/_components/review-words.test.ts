import { expect, test } from "vitest";
import { denyRouteWords } from "@/app/approvals/_components/review-words";

test("no more are named to deny than one confirmation covers", () => {
  expect(denyRouteWords(50)).toBe("Deny the 50 on this route");
  expect(denyRouteWords(53)).toBe("Deny the first 50 of 53 on this route");
});
