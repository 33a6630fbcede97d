import { createServer, type Server, type Socket } from "node:net";

export interface RawServer {
  port: number;
  connections: number;
  close(): Promise<void>;
}

/** A TCP server on 127.0.0.1 that answers each connection as a test says, malformed answers included. */
export async function startRawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const raw: RawServer = { port: 0, connections: 0, close: () => closeAll(server, sockets) };
  const server = createServer((socket) => {
    raw.connections++;
    sockets.add(socket);
    // Clients that give up reset the connection: these tests are about that.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  raw.port = portOf(server);
  return raw;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return address.port;
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
