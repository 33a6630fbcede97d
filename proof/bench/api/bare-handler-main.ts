/**
 * The limit that the API is compared with: a handler in its own process that sends the same statements and does nothing
 * else. Run by `proof/bench/api.ts`, with the plan's file and the connection in its environment.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { createPool } from "@/lib/db/pool";
import { barePlanSchema } from "@/proof/bench/api/bare-runner";
import { createBareRunner } from "./bare-runner";

const environment = z
  .object({ BARE_PLAN: z.string(), BARE_CONNECTION: z.string(), PORT: z.coerce.number() })
  .parse(process.env);
const plan = barePlanSchema.parse(JSON.parse(await readFile(environment.BARE_PLAN, "utf8")));
const run = createBareRunner(createPool(JSON.parse(environment.BARE_CONNECTION)), plan);

createServer(async (request, response) => {
  await text(request);
  try {
    const rows = await run(request.url?.slice(1) ?? "");
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(rows));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(environment.PORT, "127.0.0.1", () => process.send?.("open"));
