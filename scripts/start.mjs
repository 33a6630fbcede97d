import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, buildServer, root } from "./build.mjs";

/** `npm start`: builds what is missing, then runs everything in this process. `--dev`: Next compiles as you edit. */
const isDevelopment = process.argv.includes("--dev");
// A process without pages needs no dashboard, which takes most of a build. What the roles may be is checked later.
const hasPages = (process.env.SLUICE_ROLES || "web").split(",").some((role) => role.trim() === "web");
const say = (line) => process.stdout.write(`${line}\n`);

process.env.NEXT_TELEMETRY_DISABLED = "1";
process.env.NODE_ENV = isDevelopment ? "development" : "production";
process.setSourceMapsEnabled(true);
try {
  if (isDevelopment) await buildServer();
  else await buildIfNeeded(say, { hasPages });
  const { serve } = await import(pathToFileURL(join(root, ".build", "server.mjs")).href);
  say(await serve(isDevelopment, say));
} catch (error) {
  process.stderr.write(
    `\nSluice did not start.\n${error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : error}\n`,
  );
  process.exit(1);
}
