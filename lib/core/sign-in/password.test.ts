import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isCommonPassword, newPasswordSchema } from "@/lib/core/sign-in/password";
import { projectPath } from "@/lib/platform/project-path";

it.each([
  "1234567890",
  "qwertyuiop",
  "Password123",
  "PASSWORD2024!",
  "dragon12345",
  "12345dragon!",
  "dragondragon",
  "aaaaaaaaaaaa",
  "abcabcabcabc",
  "sluice2026!",
  "SluiceSluice",
])("%s is rejected as a new password", (password) => {
  expect(isCommonPassword(password)).toBe(true);
  expect(newPasswordSchema.safeParse(password).success).toBe(false);
});

it.each([
  "correct horse battery",
  "tide and lock gate",
  "sluice gate warden of 1887",
  "kX9#vQ2pL0",
  "ünïcödé päss",
])("%s is accepted", (password) => {
  expect(newPasswordSchema.safeParse(password).success).toBe(true);
});

it("more than three thousand passwords of ten characters or more are rejected", () => {
  const words = readFileSync(projectPath("lib/core/sign-in/common-passwords.txt"), "utf8").trim().split("\n");
  expect(words.length).toBeGreaterThan(10_000);
  expect(words.filter((word) => word.length >= 10 && isCommonPassword(word)).length).toBeGreaterThan(1_500);
  const withYears = words
    .slice(0, 3_000)
    .filter((word) => /^[a-z]+$/.test(word))
    .map((word) => `${word}2024!!`);
  expect(withYears.length).toBeGreaterThan(2_000);
  expect(withYears.filter((password) => !isCommonPassword(password))).toEqual([]);
});
