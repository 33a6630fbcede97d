import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { hasCode } from "@/lib/platform/error-code";

/** This process's share in a running server: as long as the connection is open, the keeper keeps the server. */
export interface Membership {
  /**
   * Gives the share back. Resolves at once while others use the server, else when it has shut down.
   * @returns false when the keeper was lost before it confirmed that: another one may keep the server now.
   * @throws Error when the shutdown takes longer than `timeoutMs`.
   */
  leave(timeoutMs: number): Promise<boolean>;
  /** Resolves when the keeper was lost; never after `leave`. */
  lost: Promise<void>;
}

const LEFT = `${JSON.stringify({ state: "left" })}\n`;
const reportSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ready") }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);

const MAX_REPORT_BYTES = 16_384;

/**
 * Joins the keeper of the server whose sockets are in `socketPath` and waits until the server is ready.
 * @returns null when there is no keeper, or it went before the server was ready: launch one and try again.
 * @throws Error with PostgreSQL's words when the server does not start, or when nothing happens in `timeoutMs`.
 */
export async function joinKeeper(socketPath: string, timeoutMs: number): Promise<Membership | null> {
  const socket = createConnection(join(socketPath, "keeper.sock"));
  socket.setEncoding("utf8");
  // An error is always followed by "close", which is what everything below waits for.
  let problem: unknown = null;
  socket.on("error", (error) => {
    problem = error;
  });
  socket.write("join\n");
  const report = await readReport(socket, timeoutMs);
  if (report === null) {
    // ENOENT, ECONNREFUSED: nobody there. ECONNRESET, EPIPE: it went just now.
    if (problem && !hasCode(problem, "ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE")) throw problem;
    return null;
  }
  if (report.state === "failed") {
    socket.destroy();
    throw new Error(report.message);
  }
  return hold(socket);
}

function hold(socket: Socket): Membership {
  // The connection must not keep a process alive that has nothing else to do.
  socket.unref();
  let isLeaving = false;
  let answer = "";
  socket.on("data", (text) => {
    answer = (answer + text).slice(-LEFT.length);
  });
  return {
    lost: new Promise((resolve) => {
      socket.once("close", () => {
        if (!isLeaving) resolve();
      });
    }),
    async leave(timeoutMs) {
      isLeaving = true;
      if (socket.destroyed) return false;
      socket.ref();
      const closed = once(socket, "close", { signal: AbortSignal.timeout(timeoutMs) });
      socket.write("leave\n");
      await closed;
      return answer === LEFT;
    },
  };
}

async function readReport(socket: Socket, timeoutMs: number): Promise<z.infer<typeof reportSchema> | null> {
  const timer = setTimeout(() => {
    socket.destroy(new Error(`The embedded database was not ready within ${timeoutMs} ms.`));
  }, timeoutMs);
  try {
    const line = await new Promise<string | null>((resolve) => {
      let received = "";
      socket.on("data", (text) => {
        received += text;
        if (received.includes("\n") || received.length > MAX_REPORT_BYTES) resolve(received);
      });
      socket.once("close", () => resolve(null));
    });
    return line === null ? null : reportSchema.parse(JSON.parse(line));
  } finally {
    clearTimeout(timer);
    socket.removeAllListeners("data");
  }
}
