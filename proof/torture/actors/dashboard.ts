import { readFile } from "node:fs/promises";
import { z } from "zod";
import { shownBy } from "@/e2e/support/sign-in-over-http";
import { dashboardPath } from "@/lib/platform/project-path";
import { withShown } from "@/lib/testing/actions/with-shown";
import { encodeArguments } from "@/proof/torture/actors/encode-arguments";
import { type Answer, isAnswer, type NoAnswer, timedFetch } from "@/proof/torture/actors/timed-fetch";
import type { Unclear } from "@/proof/torture/checker/history";
import type { History } from "@/proof/torture/record-history";
import type { PartyMember } from "@/proof/torture/world";

/** The kind of an action's result and what it says, as `ACCESS_DENIED: The sentence.`, or why it is not known. */
export type Pressed =
  | { kind: string; says: string; because: null }
  | { kind: null; says: null; because: Unclear };

/** A member's browser, as far as the server can tell: signs in, reads pages, presses buttons (server actions). */
export interface Dashboard {
  /** @returns the page's text; null if it did not come */
  read(path: string): Promise<string | null>;
  /**
   * Presses a button.
   * @param action the server action, as `app/approvals/actions.ts decide`
   * @param path of its page
   */
  press(action: string, path: string, ...input: unknown[]): Promise<Pressed>;
  /** The same for a form. */
  submit(action: string, path: string, fields: Record<string, string>): Promise<Pressed>;
}

/** Records what a button answered to a call. @param done the kind of result with which it took effect */
export function recordPressed(
  history: History,
  { call, pressed, done, id = null }: { call: number; pressed: Pressed; done: string; id?: string | null },
): void {
  const { kind, says, because } = pressed;
  if (kind === null) {
    history.record({ kind: "unanswered", call, because });
    return;
  }
  const outcome = kind === done ? { status: 200, refusal: null } : { status: 409, refusal: says };
  const resource = id === null ? null : { id };
  history.record({ kind: "answered", call, ...outcome, requestId: null, resource });
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

/** @param baseUrl one of the processes with a dashboard that are up, a different one each time */
export function openDashboard(
  member: PartyMember,
  baseUrl: () => Promise<string>,
  ids: ActionIds,
): Dashboard {
  let cookie: string | null = null;
  /** A member's only organization; null until a page was read. */
  let shown: string | null = null;

  async function withCookie(request: (url: string, cookie: string) => Promise<Answer | NoAnswer>) {
    const url = await baseUrl();
    cookie ??= await signIn(member, url);
    // Nothing was sent.
    if (cookie === null) return "CUT";
    const answer = await request(url, cookie);
    // The session ended, or its process was killed before it had one.
    if (isAnswer(answer) && (answer.status === 303 || answer.status === 307)) cookie = null;
    return answer;
  }

  const read = async (path: string) => {
    const page = await withCookie((url, Cookie) => timedFetch(`${url}${path}`, { headers: { Cookie } }));
    return isAnswer(page) && page.status === 200 ? page.text : null;
  };

  const readShown = async () => {
    const page = await read("/help");
    return page === null ? null : shownBy(page);
  };

  const post = async (action: string, path: string, args: readonly unknown[]): Promise<Pressed> => {
    const id = ids.get(action);
    if (id === undefined) throw new Error(`There is no server action ${action}`);
    shown ??= await readShown();
    const what = shown;
    // Nothing was sent.
    if (what === null) return unclear("CUT");
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
    if (!isAnswer(answer)) return unclear(answer);
    return answer.status === 200 ? readPressed(readActionAnswer(answer.text)) : unclear("FAILED");
  };

  return {
    read,
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
  if (!isAnswer(begun) || begun.status !== 200) return null;
  const { csrfToken } = JSON.parse(begun.text);
  const answer = await timedFetch(`${url}/api/auth/callback/password`, {
    method: "POST",
    headers: { Cookie: cookiesOf(begun), "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email: member.email, password: member.password }),
  });
  const cookies = isAnswer(answer) ? cookiesOf(answer) : "";
  return cookies.includes("session-token") ? cookies : null;
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

const unclear = (because: Unclear): Pressed => ({ kind: null, says: null, because });

const actionAnswer = z.object({
  kind: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  requestId: z.string().optional(),
});

/** The outcome according to a server action. */
function readPressed(answer: unknown): Pressed {
  const { success, data } = actionAnswer.safeParse(answer);
  // With a request to quote, it says that something broke, and that it may have taken effect.
  if (!success || data.requestId !== undefined) return unclear("FAILED");
  const { kind, code, message } = data;
  return { kind, says: [code ?? kind, message].filter(Boolean).join(": "), because: null };
}
