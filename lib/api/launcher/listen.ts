import { createServer, type Server } from "node:http";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

type Address = Pick<Config, "host" | "port">;

/**
 * Listens where the configuration says.
 * @throws Error that names the port, or the host, and what to do
 */
export async function listen(server: Server, { host, port }: Address): Promise<void> {
  // Longer than proxies and clients keep an idle connection: one that this end closes just as a request comes answers
  // nothing, and a proxy says 502.
  server.keepAliveTimeout = 75_000;
  // A client that sends nothing, or slowly, does not keep a socket for ever.
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new Error(explain(error, { host, port }), { cause: error });
  }
}

/**
 * Asked before the database is opened and the dashboard built: a start that fails after minutes, or after it has migrated,
 * for a port that was busy all along, is a bad one.
 * @throws Error like `listen`
 */
export async function assertCanListen(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function explain(error: unknown, { host, port }: Address): string {
  if (hasCode(error, "EADDRINUSE")) {
    return (
      `Port ${port} is in use, by another program or another Sluice. Stop that one, or choose another port: ` +
      `PORT=${port === 65_535 ? port - 1 : port + 1} npm start`
    );
  }
  if (hasCode(error, "EACCES")) {
    return `This account may not listen on port ${port}: choose one above 1023 (PORT), and let a proxy have ${port}.`;
  }
  if (hasCode(error, "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN")) {
    return `HOST is ${host}, which is no address of this machine: leave it out, or set one that is.`;
  }
  return `Sluice cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
