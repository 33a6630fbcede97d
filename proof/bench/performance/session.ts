import { readFile } from "node:fs/promises";
import { shownBy, signInOverHttp } from "@/e2e/sign-in-over-http";
import { SHOWN_HEADER } from "@/lib/contract/shown";
import { dashboardPath } from "@/lib/platform/project-path";
import type { Client } from "./client";
import type { Person } from "./world";

/** A signed-in member's browser, as far as the server can tell. */
export interface Session {
  read(path: string): Promise<string>;
  /**
   * Presses a button.
   * @param action the server action, as `app/approvals/actions.ts decide`
   * @param path of the page that it stands on
   * @returns what the action answered, in React's encoding
   */
  press(action: string, path: string, input: unknown): Promise<string>;
}

/** Signs in at each of the processes, so that any of them may answer. */
export async function openSession(
  client: Client,
  urls: readonly string[],
  { email, password }: Person,
): Promise<Session> {
  const url = urls[0] ?? "";
  const member = { email, password, role: "OWNER" };
  const cookie = await signInOverHttp({ members: [member] }, url);
  const ids = await readActionIds();
  const shown = shownBy(await client.ask({ method: "GET", path: "/help", headers: { cookie } }));
  return {
    read: (path) => client.ask({ method: "GET", path, headers: { cookie } }),
    press: (action, path, input) => {
      const id = ids.get(action);
      if (id === undefined) throw new Error(`There is no server action ${action}`);
      const headers = {
        cookie,
        accept: "text/x-component",
        "next-action": id,
        [SHOWN_HEADER]: shown,
        "content-type": "text/plain;charset=UTF-8",
      };
      return client.ask({ method: "POST", path, headers, body: JSON.stringify([input]) });
    },
  };
}

/** The ids that the build gave to the server actions, by file and name. */
async function readActionIds(): Promise<ReadonlyMap<string, string>> {
  const { node } = JSON.parse(await readFile(dashboardPath("server/server-reference-manifest.json"), "utf8"));
  return new Map(
    Object.entries<{ filename: string; exportedName: string }>(node).map(
      ([id, { filename, exportedName }]) => [`${filename} ${exportedName}`, id],
    ),
  );
}
