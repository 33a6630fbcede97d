import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { GENERATED_CLIENT, renderClient } from "@/lib/api/openapi/render-client";
import { operations } from "@/lib/api/operations/table";
import { projectPath } from "@/lib/platform/project-path";

/** `npm run client:generate`: regenerates the TypeScript client from the table of operations. */
const document = buildOpenApiDocument(operations, "http://localhost:3000", API_BASE_PATH);
await writeFile(join(dirname(projectPath("package.json")), GENERATED_CLIENT), renderClient(document));
process.stdout.write(`Wrote ${GENERATED_CLIENT}: ${operations.length} operations.\n`);
