import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

export interface Forwarder {
  close(): Promise<void>;
}

/** Two hosts with one address each, on this machine. */
export interface ForwardOptions {
  /** Where it listens: the public address of the product. */
  port: number;
  /** Where the product listens. */
  productPort: number;
  /** What is asked for there without a credential is given one. */
  path: string;
  /** In turn: a run makes more requests in a minute than one key may. */
  credentials: readonly string[];
}

/**
 * What stands in front of the product in this test, as a reverse proxy would. The suite cannot send a credential, so
 * this adds one; all else, `Host` and `Origin` above all, reaches the product as it was sent.
 */
export async function startForwarder(options: ForwardOptions): Promise<Forwarder> {
  let sent = 0;
  const server = createServer((incoming, response) => {
    const credential = options.credentials[sent++ % options.credentials.length];
    forward(incoming, response, { ...options, credential });
  });
  server.listen(options.port, "localhost");
  await once(server, "listening");
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { productPort, path, credential }: ForwardOptions & { credential: string | undefined },
): void {
  const needsCredential = incoming.url === path && incoming.headers.authorization === undefined;
  const added = needsCredential && credential ? ["Authorization", `Bearer ${credential}`] : [];
  const outgoing = request({
    host: "localhost",
    port: productPort,
    method: incoming.method,
    path: incoming.url,
    headers: [...incoming.rawHeaders, ...added],
  });
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  // Without a product there is nothing to answer; the suite reports the connection that was cut.
  outgoing.once("error", () => response.destroy());
  response.once("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}
