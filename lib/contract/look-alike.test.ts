import { expect, it } from "vitest";
import { skeletonOf } from "@/lib/contract/look-alike";

it.each([
  ["Taxes", "Тaxes"],
  ["Taxes", "Tаxеѕ"],
  ["Operating", "Οperating"],
  ["Savings 10", "Savings lO"],
  ["Reserve", "Réserve"],
  ["Payroll", "Pay roll"],
  ["Payroll", "Pay\u200broll"],
  ["ＡＣＭＥ", "acme"],
])("%s and %s look the same", (left, right) => expect(skeletonOf(left)).toBe(skeletonOf(right)));

it.each([
  ["Taxes", "Texas"],
  ["Taxes 2025", "Taxes 2026"],
  ["Рента", "Renta"],
])("%s and %s do not", (left, right) => expect(skeletonOf(left)).not.toBe(skeletonOf(right)));
