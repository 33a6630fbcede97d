import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";

/**
 * Serves what a handler answers over real HTTP, at a free port.
 * @param open gets the address that it will have
 */
export async function serve(open: (url: string) => (request: Request) => Response | Promise<Response>) {
  const server = createServer((request, response) => listen(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  const url = `http://127.0.0.1:${address.port}`;
  const listen = getRequestListener(open(url), { overrideGlobalObjects: false });
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url, close };
}
