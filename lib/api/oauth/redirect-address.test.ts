import { describe, expect, it } from "vitest";
import { judgeRedirect } from "@/lib/api/oauth/redirect-address";
import { UNSAFE_SCHEMES } from "@/lib/contract/urls";

describe("where a code may be sent", () => {
  it("is never an address that a browser runs or reads, not even when the operator registers it", () => {
    for (const scheme of UNSAFE_SCHEMES) {
      expect([scheme, judgeRedirect(`${scheme}//x`, true)]).toEqual([
        scheme,
        expect.stringMatching(/scheme|absolute/),
      ]);
    }
  });

  it("is a program by a scheme that nobody knows only when the operator registers it", () => {
    expect(judgeRedirect("our-tool://callback", true)).toBeNull();
    expect(judgeRedirect("our-tool://callback", false)).not.toBeNull();
    expect(judgeRedirect("com.example.tool:/callback", false)).toBeNull();
  });

  it.each(["io.github.user.tool", "com.example-tools.app", "de.example", "app.warp.desktop"])(
    "is a program by a domain's name reversed, as %s",
    (scheme) => expect(judgeRedirect(`${scheme}:/callback`, false)).toBeNull(),
  );

  it.each([
    "vbscript.x",
    "javascript.x",
    "ms-settings.x",
    "ms-appinstaller.x",
    "microsoft.windows.camera",
    "windows.internal",
    "x-apple.systempreferences",
    "x.y",
    "com.",
    "com",
    "com.-x",
    "com..x",
    "com.x+y",
  ])("is not by %s, for which a dot is all that speaks", (scheme) => {
    expect(judgeRedirect(`${scheme}:/callback`, false)).toMatch(/reversed domain name|absolute/);
  });

  it("is plain http only on the person's own machine, whatever the client", () => {
    for (const isTrusted of [true, false]) {
      expect(judgeRedirect("http://127.0.0.1:3118/callback", isTrusted)).toBeNull();
      expect(judgeRedirect("http://client.example/callback", isTrusted)).not.toBeNull();
    }
  });
});
