import { expect, it } from "vitest";
import { findMisspelt } from "@/lib/platform/find-misspelt";

it.each([
  ["SLUICE_BACKUP_KEPT", "SLUICE_BACKUPS_KEPT"],
  ["SLUICE_DATADIR", "SLUICE_DATA_DIR"],
  ["SLUICE_SECERT_FILE", "SLUICE_SECRET_FILE"],
  ["SLUICE_DRAIN_SECOND", "SLUICE_DRAIN_SECONDS"],
])("%s is named with the nearest that there is, %s, and its value never", (name, nearest) => {
  const [line, ...others] = findMisspelt({ [name]: "hunter2", PATH: "/bin" });
  expect(line).toBe(`${name} is set, and Sluice has no such variable. Did you mean ${nearest}?`);
  expect(others).toEqual([]);
});

it("a name that is near to none is named alone; ours, and those of other programs, are not named", () => {
  expect(findMisspelt({ SLUICE_FRONTEND_COLOR_SCHEME: "dark" })).toEqual([
    "SLUICE_FRONTEND_COLOR_SCHEME is set, and Sluice has no such variable.",
  ]);
  expect(
    findMisspelt({ SLUICE_ROLES: "web", SLUICE_SECRET_FILE: "/x", SLUICE_KEY: "k", DATABASE_URI: "x" }),
  ).toEqual([]);
});

it("names no more than anybody reads", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`SLUICE_UNKNOWN_${index}`, "1"]));
  expect(findMisspelt(many)).toHaveLength(10);
});
