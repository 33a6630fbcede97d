import { once } from "node:events";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toNodeListener } from "@/clients/typescript/src/node-listener";
import { createWebhookReceiver } from "@/clients/typescript/src/webhook-receiver";
import { runCommand, terminalText } from "@/lib/platform/terminal";

const USAGE = `SLUICE_WEBHOOK_SECRET=whsec_… npm run webhooks:listen -- [PORT]

Receives webhooks on this machine: verifies each delivery with the client's receiver, prints each event once as a line
of JSON, and reports refused deliveries and the reason on standard error. Register http://127.0.0.1:PORT/ in the
dashboard under Webhooks; it shows the secret once. While an endpoint is recreated, separate the two secrets with a
comma. PORT is 8787 by default, 0 for any free port.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [port = "8787", ...more] = positionals;
  const secrets = (process.env.SLUICE_WEBHOOK_SECRET ?? "").split(",").filter((secret) => secret !== "");
  if (more.length > 0 || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(USAGE);
  if (secrets.length === 0) throw new Error(`SLUICE_WEBHOOK_SECRET is missing.\n\n${USAGE}`);
  await listen(Number(port), secrets);
}

async function listen(port: number, secrets: readonly string[]): Promise<void> {
  const receive = createWebhookReceiver({
    secrets,
    onEvent: (event) => {
      process.stdout.write(`${terminalText(JSON.stringify(event))}\n`);
    },
  });
  const server = createServer(
    toNodeListener(async (request) => {
      const answer = await receive(request);
      if (!answer.ok) process.stderr.write(`${answer.status} ${await answer.clone().text()}`);
      return answer;
    }),
  );
  // Only this machine: anyone who reaches it could fill the screen.
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  process.stderr.write(`Listening at http://127.0.0.1:${address.port}/\n`);
}

await runCommand(main);
