import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Pool } from "undici";
import { shownBy, signInOverHttp } from "@/e2e/support/sign-in-over-http";
import { dashboardPath } from "@/lib/platform/project-path";
import type { Person } from "@/proof/bench/performance/world";

/** A signed-in member's browser, as far as the server can tell. */
export interface Session {
  read(path: string): Promise<string>;
  /**
   * Presses a button.
   * @param action the server action, as `app/approvals/actions.ts decide`
   * @param path of its page
   * @returns the action's result, in React's encoding
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
        "content-type": "text/plain;charset=UTF-8",
      };
      return client.ask({ method: "POST", path, headers, body: JSON.stringify([input, shown]) });
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

interface Request {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests to several processes in turn, over connections that stay open. */
export interface Client {
  /** @throws Error for an unsuccessful response */
  send(request: Request): Promise<void>;
  /** The same, with the answer's text. */
  ask(request: Request): Promise<string>;
  close(): Promise<void>;
}

/** As little work per request as possible: client, product and PostgreSQL share the machine. */
export function openClient(urls: readonly string[], concurrency: number): Client {
  const connections = Math.ceil(concurrency / urls.length);
  const pools = urls.map((url) => ({ url, pool: new Pool(url, { connections, pipelining: 1 }) }));
  let count = 0;

  async function ask({ method, path, headers, body }: Request): Promise<string> {
    const one = pools[count++ % pools.length];
    if (!one) throw new Error("There is nobody to ask");
    // A browser sends the page's origin, and a server action is refused without it.
    const own = headers?.["next-action"] ? { ...headers, origin: one.url } : headers;
    const answer = await one.pool.request({ method, path, headers: own, body });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return text;
    throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
  }

  return {
    ask,
    send: async (request) => {
      await ask(request);
    },
    close: async () => {
      await Promise.all(pools.map(({ pool }) => pool.destroy()));
    },
  };
}

/** A request of a program with its key. */
export function apiRequest(keyText: string, method: Request["method"], path: string, body?: object): Request {
  const authorization = `Bearer ${keyText}`;
  const at = `/platform/v1${path}`;
  if (body === undefined) return { method, path: at, headers: { authorization } };
  return {
    method,
    path: at,
    headers: { authorization, "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify(body),
  };
}
