import type { DemoDescription } from "@/lib/contract/demo";

/**
 * Signs in as a member of the demo through next-auth's own protocol, for measurements without a browser.
 * @returns the `Cookie` header of the session
 */
export async function signInOverHttp(
  { members }: Pick<DemoDescription, "members">,
  url: string,
  role = "OWNER",
): Promise<string> {
  const member = members.find((candidate) => candidate.role === role);
  const begun = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = Object(await begun.json());
  const answer = await fetch(`${url}/api/auth/callback/password`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookiesOf(begun), "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      csrfToken: String(csrfToken),
      email: member?.email ?? "",
      password: member?.password ?? "",
    }),
  });
  const cookie = cookiesOf(answer);
  if (!cookie.includes("session-token")) throw new Error(`Signing in answered ${answer.status}`);
  return cookie;
}

/** The member and organization that a page shows; every request from it has to name the same (lib/contract/shown.ts). */
export function shownBy(html: string): string {
  const [, shown = ""] = /<main[^>]* data-shown="([^"]*)"/.exec(html) ?? [];
  if (shown === "") throw new Error("This page shows nobody");
  return shown;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
}
