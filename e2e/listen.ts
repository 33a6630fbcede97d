import type { Server } from "node:net";

/** Opens a server of a journey on a free port of this machine. */
export async function listen(
  server: Server & { closeAllConnections: () => void },
): Promise<{ port: number; close: () => Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "localhost", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A server has a port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: address.port, close };
}
