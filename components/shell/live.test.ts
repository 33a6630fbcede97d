import { expect, test } from "vitest";
import { isOutOfDate } from "@/components/shell/live";

const shown = { waiting: "1", money: "1", webhooks: "1" };
const ID = "0193a5c2-7b1e-7c44-9d10-44d0aa12be99";

test.each([
  ["/", { ...shown, waiting: "2" }, true],
  ["/", { ...shown, webhooks: "2" }, false],
  ["/approvals", { ...shown, waiting: "2" }, true],
  ["/approvals", { ...shown, money: "2" }, false],
  ["/transfers/outside", { ...shown, money: "2" }, true],
  [`/accounts/${ID}`, { ...shown, money: "2" }, true],
  [`/accounts/${ID}/edit`, { ...shown, money: "2" }, false],
  ["/accounts/new", { ...shown, money: "2" }, false],
  ["/transfers/new", { ...shown, money: "2" }, false],
  [`/rules/${ID}/runs/${ID}`, { ...shown, money: "2" }, true],
  [`/settings/webhooks/${ID}`, { ...shown, webhooks: "2" }, true],
  ["/settings/webhooks/new", { ...shown, webhooks: "2" }, false],
  ["/approvals", shown, false],
])("%s is refreshed after its data changed: %#", (path, now, isOut) => {
  expect(isOutOfDate(path, shown, now)).toBe(isOut);
});
