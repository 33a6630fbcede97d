import { expect, test } from "vitest";
import { parseTheme, themeAttribute } from "@/lib/contract/browser/setting";

test.each([
  ["LIGHT", "LIGHT", "light"],
  ["DARK", "DARK", "dark"],
  ["SYSTEM", "SYSTEM", undefined],
  [undefined, "SYSTEM", undefined],
  ['"><script>', "SYSTEM", undefined],
])("the cookie %s renders as %s", (value, theme, attribute) => {
  expect(parseTheme(value)).toBe(theme);
  expect(themeAttribute(parseTheme(value))).toBe(attribute);
});
