import { randomUUID } from "node:crypto";
import { Pool } from "undici";

export interface Request {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests to several processes in turn, over connections that stay open. */
export interface Client {
  /** @throws Error for an answer that is not of success */
  send(request: Request): Promise<void>;
  /** The same, with the answer's text. */
  ask(request: Request): Promise<string>;
  close(): Promise<void>;
}

/** As little work for each request as can be: client, product and PostgreSQL share the machine. */
export function openClient(urls: readonly string[], concurrency: number): Client {
  const connections = Math.ceil(concurrency / urls.length);
  const pools = urls.map((url) => ({ url, pool: new Pool(url, { connections, pipelining: 1 }) }));
  let count = 0;

  async function ask({ method, path, headers, body }: Request): Promise<string> {
    const one = pools[count++ % pools.length];
    if (!one) throw new Error("There is nobody to ask");
    // A browser says where the page came from, and a server action is refused without it.
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
