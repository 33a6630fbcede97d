import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildForDevelopment, buildIfNeeded } from "./build.mjs";

/** `npm start`: builds what is missing, then runs everything in this process. `--dev`: Next compiles as you edit. */
const isDevelopment = process.argv.includes("--dev");
const say = (line) => process.stdout.write(`${line}\n`);

process.env.NEXT_TELEMETRY_DISABLED = "1";
process.env.NODE_ENV = isDevelopment ? "development" : "production";
// The log looks up places by itself (lib/platform/readable-stack.ts); kept for all files, the maps take 155 MB.
process.setSourceMapsEnabled(Boolean(process.env.DEBUG));
const showAll = hideLinesOfLibraries();
try {
  const folder = isDevelopment ? await buildForDevelopment() : await buildIfNeeded(say, { hasPages: false });
  const { prepareStart, serve } = await import(pathToFileURL(join(folder, "server.mjs")).href);
  // Before the dashboard, which is most of a build, and which a process without pages does not need.
  const config = await prepareStart(say);
  if (!isDevelopment && config.roles.web) await buildIfNeeded(say);
  say(await serve(config, isDevelopment, say));
  showAll();
} catch (error) {
  showAll();
  process.stderr.write(
    `\nSluice did not start.\n${error instanceof Error ? (process.env.DEBUG ? error.stack : error.message) : error}\n`,
  );
  process.exit(1);
}

/**
 * Hides what libraries print of themselves during a start: advice about Node 20, which works here (README), and how long
 * Next read its settings. Everything else is printed.
 * @returns shows all lines again
 */
function hideLinesOfLibraries() {
  const hidden = [/oidc-provider WARNING: Unsupported runtime/, /Running next\.config/];
  const { log, warn } = console;
  const unlessHidden =
    (print) =>
    (...parts) => {
      if (!hidden.some((line) => line.test(String(parts[0])))) print(...parts);
    };
  console.log = unlessHidden(log);
  console.warn = unlessHidden(warn);
  return () => Object.assign(console, { log, warn });
}
