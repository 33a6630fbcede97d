/**
 * Goal: no other place lets more through. Method: every statement that writes a limit or makes a key is in a file of this
 * list, and each of these has its cases in sign-asked-change.test.ts.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

const WRITES =
  /(?<!select )\b(?:floor_in_cents|new_pod_floor_in_cents|outgoing_cap_in_cents|daily_cap_in_cents|payee_cool_off_hours|approval_required) = \$|"new_pod_floor_in_cents"|insert into api_keys|insert into rule_hooks|update api_keys k set daily_cap_in_cents/;

const FILES: Readonly<Record<string, string>> = {
  "lib/core/keys/connect-assistant.ts": "an assistant, whose every request waits for approval",
  "lib/core/keys/create-api-key.ts": "a key, and one that was asked for",
  "lib/core/ledger/edit-account.ts": "the floor of an account",
  "lib/core/organizations/change-organization.ts": "the floor of new pods, through set-new-pod-floor.ts",
  "lib/core/payees/set-cool-off.ts": "the cool-off of payees",
  "lib/core/rules/rule-hooks.ts": "a webhook's secret and its approval",
  "lib/core/transfers/outgoing-cap.ts": "the cap on money out",
  "lib/db/functions/keys/set_key_cap.sql": "the cap of a key, through set-key-cap.ts",
};

it("is loosened only where signatures are asked for", () => {
  const root = projectPath("lib");
  const written = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => `lib/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.(?:ts|sql)$/.test(path) && !path.endsWith(".test.ts"))
    .filter((path) => !/^lib\/(?:testing|db\/migrations)\/|^lib\/db\/schema\.sql$/.test(path))
    .filter((path) => WRITES.test(readFileSync(join(root, path.slice("lib/".length)), "utf8")));
  expect(written.sort()).toEqual(Object.keys(FILES).sort());
});
