import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A way to a database that can be cut, restored, and silenced. */
export interface DatabaseWay {
  port: number;
  /** Closes all connections and refuses new ones. */
  cut: () => void;
  /** After `cut`. */
  restore: () => Promise<void>;
  /**
   * From now on, open connections stay open and swallow everything in both directions, as behind a firewall that forgot
   * them. New ones work.
   */
  swallow: () => void;
  /** Silent connections that the client has not closed. */
  countSilent: () => number;
}

interface Passage {
  client: Socket;
  upstream: Socket;
  isSilent: boolean;
}

/**
 * @param to the database
 * @param port where to listen; 0: a free one
 */
export async function openDatabaseWay(to: NetConnectOpts, port = 0): Promise<DatabaseWay> {
  const passages = new Set<Passage>();
  const server = createServer((client) => {
    const passage = { client, upstream: connect(to), isSilent: false };
    passages.add(passage);
    forward(passage, client, passage.upstream);
    forward(passage, passage.upstream, client);
    client.on("close", () => {
      passages.delete(passage);
      passage.upstream.destroy();
    });
  });
  const listen = (on: number) => once(server.listen(on, "127.0.0.1"), "listening");
  await listen(port);
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return {
    port: address.port,
    cut: () => {
      server.close();
      for (const { client, upstream } of passages) {
        client.destroy();
        upstream.destroy();
      }
    },
    restore: async () => void (await listen(address.port)),
    swallow: () => {
      for (const passage of passages) passage.isSilent = true;
    },
    countSilent: () => [...passages].filter(({ isSilent }) => isSilent).length,
  };
}

function forward(passage: Passage, from: Socket, to: Socket): void {
  from.on("data", (data) => {
    if (!passage.isSilent) to.write(data);
  });
  from.on("error", () => undefined);
  from.on("close", () => {
    if (!passage.isSilent) to.destroy();
  });
}
