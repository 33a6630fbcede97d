import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findFreePort, startProduct } from "@/lib/testing/product-process";
import type { BarePlan } from "@/proof/bench/api/bare-runner";
import type { Call } from "./calls";
import type { ApiScene } from "./scene";

/** One of the two compared processes, called over connections that stay open. */
export interface Side {
  name: "API" | "bare";
  send: (operationId: string, call: Call) => Promise<void>;
  close: () => Promise<void>;
}

export async function openProductSide(
  scene: ApiScene,
  program: string,
  dataDirectory: string,
  concurrency: number,
): Promise<Side> {
  const product = await startProduct({ program, dataDirectory, port: await findFreePort() });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let count = 0;
  return {
    name: "API",
    send: (_, { method, path, body }) => {
      const key = scene.keys[count++ % scene.keys.length];
      return post(agent, `${product.apiUrl}${path}`, method, body, { Authorization: `Bearer ${key?.text}` });
    },
    close: async () => {
      agent.destroy();
      await product.kill();
    },
  };
}

export async function openBareSide(
  scene: ApiScene,
  program: string,
  dataDirectory: string,
  plan: BarePlan,
  concurrency: number,
): Promise<Side> {
  const planFile = join(dataDirectory, "bare-plan.json");
  await writeFile(planFile, JSON.stringify(plan));
  const port = await findFreePort();
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      BARE_PLAN: planFile,
      BARE_CONNECTION: JSON.stringify(scene.application),
    },
  });
  await once(child, "message");
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  return {
    name: "bare",
    send: (operationId, { body }) => post(agent, `http://127.0.0.1:${port}/${operationId}`, "POST", body, {}),
    close: async () => {
      agent.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function post(
  agent: Agent,
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<void> {
  const sentBody = body === undefined ? null : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(sentBody !== null && {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(sentBody),
          }),
        },
      },
      (response) => {
        text(response).then((answer) => {
          if (response.statusCode !== undefined && response.statusCode < 300) resolve();
          else reject(new Error(`${url} answered ${response.statusCode}: ${answer}`));
        }, reject);
      },
    );
    sent.on("error", reject);
    sent.end(sentBody);
  });
}
