import { describe, expect, it } from "vitest";
import { onwardAddress } from "@/app/connect/[uid]/_components/consent-island";

describe("where the browser goes after a consent", () => {
  it.each([
    "https://claude.ai/api/mcp/auth_callback?code=1",
    "http://127.0.0.1:51234/callback?code=1",
    "http://localhost:4102/oauth/authorize/abc",
    "cursor://anysphere.cursor-mcp/oauth/callback?code=1",
    "vscode://vscode.github-authentication/did-authenticate",
  ])("may be %s", (address) => {
    expect(onwardAddress(address)).toBe(address);
  });

  it.each([
    "javascript:alert(document.cookie)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "blob:http://localhost:4102/1",
    "file:///etc/passwd",
    "view-source:https://claude.ai",
    "/settings",
    "",
  ])("is never %j, which would run or show something on our origin", (address) => {
    expect(onwardAddress(address)).toBeNull();
  });
});
