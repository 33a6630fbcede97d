/**
 * What integrators use, against the product's own API and MCP server: real HTTP, real PostgreSQL. One file, so that the
 * packages are installed once.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApi } from "@/lib/api/http/app";
import { createMcp } from "@/lib/api/mcp/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { projectPath } from "@/lib/platform/project-path";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { openFolder, program, TIMEOUT_MS } from "@/proof/integrators/install";
import { serve } from "@/proof/integrators/serve";

const EXAMPLES = ["with-ai-sdk", "with-openai-agents"];
const PROJECT = dirname(projectPath("package.json"));
const database = useTestDatabase();
let opened: Awaited<ReturnType<typeof openFolder>>;

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const sourceAccountId = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const destinationAccountId = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { text: apiKey } = await organization.addKey([...readEverything, moveAnything(true)]);
  const server = await serve((appUrl) => {
    const mcp = createMcp({ ...services, appUrl, audit: createAuditWriter(services) });
    return (request) => mcp.fetch(request);
  });
  const readTransfers = async () =>
    (
      await database.pool.query<{ status: string; executionMode: string }>(
        `select status, execution_mode as "executionMode" from transfers where organization_id = $1 order by id`,
        [organization.organizationId],
      )
    ).rows;
  return {
    apiKey,
    server,
    mcpUrl: `${server.url}/mcp`,
    transfer: { sourceAccountId, destinationAccountId },
    readTransfers,
  };
}

beforeAll(async () => {
  opened = await openFolder();
  expect(await opened.compile("use-mcp-sdks.mts", ...EXAMPLES.map((name) => `${name}.mts`))).toBe("");
}, TIMEOUT_MS);
afterAll(() => rm(opened.folder, { recursive: true }));

const askedSchema = z.object({
  tools: z.array(z.looseObject({ name: z.string() })),
  input: z.array(z.looseObject({ type: z.string().optional(), output: z.unknown().optional() })),
});

/**
 * A script in place of the language model: it answers as OpenAI's Responses API does. It looks for the accounts, tries the
 * transfer, proposes it, and repeats the last answer.
 */
async function openModel(transfer: object) {
  const asked: z.infer<typeof askedSchema>[] = [];
  const wish = { ...transfer, amountInCents: 12_500 };
  const calls = [
    { name: "listAccounts", arguments: {} },
    { name: "createTransfer", arguments: { ...wish, simulation: true } },
    { name: "createTransfer", arguments: { ...wish, reasonForApproval: "Taxes of this quarter" } },
  ];
  const server = await serve(() => async (request) => {
    const body = askedSchema.parse(await request.json());
    asked.push(body);
    const answers = body.input.filter(({ type }) => type === "function_call_output");
    const call = calls[answers.length];
    const id = `${asked.length}`;
    const item = call
      ? {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
          status: "completed",
        }
      : {
          type: "message",
          id: `msg_${id}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: JSON.stringify(answers.at(-1)?.output), annotations: [] }],
        };
    const usage = {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    return Response.json({
      id: `resp_${id}`,
      object: "response",
      created_at: 1,
      status: "completed",
      model: "scripted",
      output: [item],
      usage,
    });
  });
  return { server, asked };
}

describe("the agents of /docs", () => {
  it.each(EXAMPLES)(
    "%s tries a transfer, proposes it, and gets the page where a person decides",
    async (name) => {
      const world = await arrange();
      const model = await openModel(world.transfer);
      try {
        const { stdout } = await opened.node([join("built", `${name}.mjs`)], {
          SLUICE_MCP_URL: world.mcpUrl,
          SLUICE_KEY: world.apiKey,
          OPENAI_API_KEY: "scripted",
          OPENAI_BASE_URL: model.server.url,
          // It would report to the vendor.
          OPENAI_AGENTS_DISABLE_TRACING: "1",
        });
        expect(stdout).toContain(`${world.server.url}/?approvalTransferId=`);
        expect(model.asked[0]?.tools.map((tool) => tool.name)).toContain("createTransfer");
        expect(await world.readTransfers()).toEqual([
          expect.anything(),
          { status: "COMPLETE", executionMode: "SIMULATION" },
          { status: "APPROVAL_PENDING", executionMode: "LIVE" },
        ]);
      } finally {
        await model.server.close();
        await world.server.close();
      }
    },
    TIMEOUT_MS,
  );

  it("are shown as they are run", async () => {
    const guide = await readFile(join(PROJECT, "app/docs/_components/guides/first-agent.mdx"), "utf8");
    for (const name of EXAMPLES) {
      const code = await readFile(join(PROJECT, "proof/integrators", `${name}.mts`), "utf8");
      expect(guide).toContain(code.trim());
    }
  });
});

it(
  "both lines of the protocol's SDK list the tools and read the accounts",
  async () => {
    const world = await arrange();
    try {
      const { useMcpSdks } = await import(
        pathToFileURL(join(opened.folder, "built", "use-mcp-sdks.mjs")).href
      );
      const answers = await useMcpSdks(world.mcpUrl, world.apiKey);
      expect(answers).toHaveLength(2);
      for (const { tools, structuredContent } of answers) {
        expect(tools).toEqual(expect.arrayContaining(["listAccounts", "createTransfer", "whoami"]));
        expect(JSON.stringify(structuredContent)).toContain("Operating");
      }
    } finally {
      await world.server.close();
    }
  },
  TIMEOUT_MS,
);

/** The HTTP API with two pods, and a key that may do what a generated client is tried with. */
async function openApi() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 9_000_000_000 });
  await organization.addAccount({ name: "Taxes", type: "POD" });
  const { text: apiKey } = await organization.addKey([
    ...readEverything,
    moveAnything(false),
    { type: "READ_RULES", rules: "ALL" },
    { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  ]);
  const server = await serve(
    (appUrl) => createApi({ ...services, appUrl, audit: createAuditWriter(services) }).fetch,
  );
  return { apiKey, server };
}

/**
 * The generators that npm has. Those of other languages were tried by hand (/docs, "Generated clients"); what broke them is
 * kept by rules about the document (build-document.test.ts).
 */
it(
  "openapi-typescript and orval make clients of the document that compile and work",
  async () => {
    const { folder, node, compile } = opened;
    const { apiKey, server } = await openApi();
    try {
      const document = await fetch(`${server.url}/platform/v1/openapi.json`);
      await writeFile(join(folder, "openapi.json"), await document.text());
      const types = ["openapi.json", "--output", "openapi-typescript.mts"];
      await node([program("openapi-typescript", "bin", "cli.js"), ...types]);
      const orval = {
        input: "./openapi.json",
        output: { target: "./orval.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
      };
      await writeFile(
        join(folder, "orval.config.mjs"),
        `export default ${JSON.stringify({ sluice: orval })};`,
      );
      await node([program("orval", "dist", "bin", "orval.js"), "--config", "orval.config.mjs"]);
      await rename(join(folder, "orval.ts"), join(folder, "orval.mts"));
      expect(await compile("use-clients.mts")).toBe("");
      const { useClients } = await import(pathToFileURL(join(folder, "built", "use-clients.mjs")).href);
      expect(await useClients(apiKey)).toEqual({
        amountInCents: 3_000_000_000,
        status: "PROCESSING",
        problem: "INVALID_PARAMETERS",
        conditions: [true, false],
        runs: 200,
      });
      // A number in a generated name says that the document did not name the thing.
      const names = (await readFile(join(folder, "orval.mts"), "utf8")).match(
        /\b[A-Za-z]*(?:Input|OneOf|AnyOf)\d+\b/g,
      );
      expect(names).toBeNull();
    } finally {
      await server.close();
    }
  },
  TIMEOUT_MS,
);
