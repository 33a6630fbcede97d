import { readFile } from "node:fs/promises";
import { shownBy } from "@/e2e/support/sign-in-over-http";
import { dashboardPath } from "@/lib/platform/project-path";
import { withShown } from "@/lib/testing/actions/with-shown";
import { encodeArguments } from "@/proof/torture/actors/encode-arguments";
import { type Answer, timedFetch } from "@/proof/torture/actors/timed-fetch";
import type { PartyMember } from "@/proof/torture/world";

/** A member's browser, as far as the server can tell: signs in, reads pages, presses buttons (server actions). */
export interface Dashboard {
  /** @returns the page's text; null if it did not come */
  read(path: string): Promise<string | null>;
  /**
   * Presses a button.
   * @param action the server action, as `app/approvals/actions.ts decide`
   * @param path of its page
   * @returns the action's result; null if no complete response came
   */
  press(action: string, path: string, ...input: unknown[]): Promise<unknown>;
  /** The same for a form. */
  submit(action: string, path: string, fields: Record<string, string>): Promise<unknown>;
}

type ActionIds = ReadonlyMap<string, string>;

/** The ids that the build gave to the server actions, by file and name. */
export async function readActionIds(): Promise<ActionIds> {
  const text = await readFile(dashboardPath("server/server-reference-manifest.json"), "utf8");
  const { node } = JSON.parse(text);
  const ids = new Map<string, string>();
  for (const [id, { filename, exportedName }] of Object.entries<{ filename: string; exportedName: string }>(
    node,
  )) {
    ids.set(`${filename} ${exportedName}`, id);
  }
  return ids;
}

/** @param baseUrl one of the processes with a dashboard, a different one each time */
export function openDashboard(member: PartyMember, baseUrl: () => string, ids: ActionIds): Dashboard {
  let cookie: string | null = null;
  /** A member's only organization; null until a page was read. */
  let shown: string | null = null;

  async function withCookie(request: (url: string, cookie: string) => Promise<Answer | null>) {
    const url = baseUrl();
    cookie ??= await signIn(member, url);
    if (cookie === null) return null;
    const answer = await request(url, cookie);
    // The session ended, or its process was killed before it had one.
    if (answer && (answer.status === 303 || answer.status === 307)) cookie = null;
    return answer;
  }

  const readShown = async () => {
    const page = await withCookie((url, Cookie) => timedFetch(`${url}/help`, { headers: { Cookie } }));
    return page?.status === 200 ? shownBy(page.text) : null;
  };

  const post = async (action: string, path: string, args: readonly unknown[]) => {
    const id = ids.get(action);
    if (id === undefined) throw new Error(`There is no server action ${action}`);
    shown ??= await readShown();
    const what = shown;
    if (what === null) return null;
    const body = await encodeArguments(withShown(args, what));
    const answer = await withCookie((url, Cookie) =>
      timedFetch(`${url}${path}`, {
        method: "POST",
        headers: {
          Cookie,
          Origin: url,
          Accept: "text/x-component",
          "Next-Action": id,
          ...(typeof body === "string" && { "Content-Type": "text/plain;charset=UTF-8" }),
        },
        body,
      }),
    );
    return answer?.status === 200 ? readActionAnswer(answer.text) : null;
  };

  return {
    read: async (path) => {
      const answer = await withCookie((url, Cookie) => timedFetch(`${url}${path}`, { headers: { Cookie } }));
      return answer?.status === 200 ? answer.text : null;
    },
    press: (action, path, ...input) => post(action, path, input),
    submit: async (action, path, fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return post(action, path, [form]);
    },
  };
}

/** @returns the session's cookie; null if signing in failed */
async function signIn(member: PartyMember, url: string): Promise<string | null> {
  const begun = await timedFetch(`${url}/api/auth/csrf`, {});
  if (begun?.status !== 200) return null;
  const { csrfToken } = JSON.parse(begun.text);
  const answer = await timedFetch(`${url}/api/auth/callback/password`, {
    method: "POST",
    headers: { Cookie: cookiesOf(begun), "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email: member.email, password: member.password }),
  });
  const cookies = answer && cookiesOf(answer);
  return cookies?.includes("session-token") ? cookies : null;
}

function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
}

/** Row `1` of React's response is the action's result. */
function readActionAnswer(text: string): unknown {
  const row = text.split("\n").find((line) => line.startsWith("1:"));
  return row === undefined || row.startsWith("1:E") ? null : JSON.parse(row.slice(2));
}

/** The outcome according to a server action; null without a response. */
export function answerKind(answer: unknown): string | null {
  return answer !== null && typeof answer === "object" && "kind" in answer ? String(answer.kind) : null;
}
