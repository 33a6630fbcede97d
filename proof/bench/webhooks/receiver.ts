import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";

/** The receiver's process. */
export interface Receiver {
  urls: string[];
  /** Counts from now on. @returns the seconds between the first and the last of so many deliveries */
  expect(count: number): Promise<number>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 300_000;

/** @param program the bundled `receiver-main.ts` */
export async function startReceiverProcess(program: string, ports: number): Promise<Receiver> {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, RECEIVER_PORTS: String(ports) },
  });
  const ended = once(child, "exit");
  const opened = z.object({ ports: z.array(z.number()) }).parse(await nextMessage(child));
  return {
    urls: opened.ports.map((port) => `http://127.0.0.1:${port}/hooks`),
    expect: async (count) => {
      child.send(count);
      return z.object({ seconds: z.number() }).parse(await nextMessage(child)).seconds;
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return message;
}
