/**
 * The OpenAPI document, given to the generators that npm has, and their clients against the product's own API: real HTTP,
 * real PostgreSQL. The generators of other languages were tried by hand (/docs, "Generated clients"); what broke them is
 * kept by rules about the document (build-document.test.ts).
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApi } from "@/lib/api/http/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { projectPath } from "@/lib/platform/project-path";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const GENERATORS = join(dirname(projectPath("package.json")), "proof", "generators");
/** Installing takes half a minute where nothing is cached, compiling some seconds. */
const TIMEOUT_MS = 300_000;
const run = promisify(execFile);

const database = useTestDatabase();
let folder: string;
let server: Server;
let api: { apiKey: string; document: string };

beforeAll(async () => {
  await install();
  folder = await mkdtemp(join(tmpdir(), "sluice-generators-"));
  await symlink(join(GENERATORS, "node_modules"), join(folder, "node_modules"));
  api = await arrange();
  await writeFile(join(folder, "openapi.json"), api.document);
}, TIMEOUT_MS);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** In a folder of their own: they need TypeScript 5, which the product does not use. */
async function install(): Promise<void> {
  const wanted = createHash("sha256")
    .update(await readFile(join(GENERATORS, "package-lock.json")))
    .digest("hex");
  // Written last, so that an interrupted installation is repeated.
  const mark = join(GENERATORS, "node_modules", ".installed");
  if ((await readFile(mark, "utf8").catch(() => "")) === wanted) return;
  await run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: GENERATORS, timeout: TIMEOUT_MS });
  await writeFile(mark, wanted);
}

async function arrange() {
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
  server = createServer((request, response) => listen(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  const appUrl = `http://127.0.0.1:${address.port}`;
  const { fetch } = createApi({ ...services, appUrl, audit: createAuditWriter(services) });
  const listen = getRequestListener(fetch, { overrideGlobalObjects: false });
  const document = await (await fetch(new Request(`${appUrl}/platform/v1/openapi.json`))).text();
  return { apiKey, document };
}

const program = (name: string, ...path: string[]) => join(GENERATORS, "node_modules", name, ...path);
const node = (...parameters: string[]) =>
  run(process.execPath, parameters, {
    cwd: folder,
    timeout: TIMEOUT_MS,
  });

it(
  "openapi-typescript and orval make clients of the document that compile and work",
  async () => {
    await node(
      program("openapi-typescript", "bin", "cli.js"),
      "openapi.json",
      "--output",
      "openapi-typescript.mts",
    );
    const orval = {
      input: "./openapi.json",
      output: { target: "./orval.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
    };
    await writeFile(join(folder, "orval.config.mjs"), `export default ${JSON.stringify({ sluice: orval })};`);
    await node(program("orval", "dist", "bin", "orval.js"), "--config", "orval.config.mjs");
    await rename(join(folder, "orval.ts"), join(folder, "orval.mts"));
    await copyFile(join(GENERATORS, "use-clients.mts"), join(folder, "use-clients.mts"));
    await mkdir(join(folder, "built"));
    const compiled = await node(
      program("typescript", "bin", "tsc"),
      ...["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "--outDir", "built"],
      "use-clients.mts",
    ).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe("");
    const { useClients } = await import(pathToFileURL(join(folder, "built", "use-clients.mjs")).href);
    expect(await useClients(api.apiKey)).toEqual({
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
  },
  TIMEOUT_MS,
);
