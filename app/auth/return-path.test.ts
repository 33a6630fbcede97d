import { describe, expect, it } from "vitest";
import { returnPath, signInHref } from "./return-path";

describe("after signing in", () => {
  it.each([
    "/?approvalTransferId=019bc299-8680-7676-ac65-97b16e0cd306",
    "/settings/security",
    "/accounts?page=2#top",
    "/?q=https%3A%2F%2Fevil.example",
  ])("one comes back to %s", (path) => {
    expect(returnPath(path)).toBe(path);
    const href = new URL(signInHref(path), "http://localhost:4330");
    expect(returnPath(href.searchParams.get("next"))).toBe(path);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http:evil.example",
    "@evil.example",
    "evil.example",
    "",
    "/sign-in?next=/",
    "/api/auth/signout",
    `/${"a".repeat(2_000)}`,
    undefined,
    ["/a", "/b"],
    { toString: () => "/a" },
  ])("%j leads nowhere but home", (target) => {
    expect(returnPath(target)).toBe("/");
  });
});
