import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run audit`: known advisories about the packages that production runs. */
await bundle({ audit: "proof/audit/audit.ts" });
const { audit } = await import(pathToFileURL(join(root, ".build", "audit.mjs")).href);
process.exitCode = (await audit(root, (line) => process.stdout.write(`${line}\n`))) ? 0 : 1;
