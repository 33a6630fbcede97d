import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

export const STATIC_FILES_PATH = "/_next/static/";

/**
 * The dashboard's scripts and styles, precompressed by the build (scripts/build.mjs): an eighth fewer bytes than
 * compressing per request, and no CPU time of the process that also moves money.
 * @param folder the build's output
 */
export function createStaticFiles(folder: string): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    if (!c.res.ok) return;
    // File names change with their contents.
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    c.header("X-Content-Type-Options", "nosniff");
  });
  const rewriteRequestPath = (path: string) => path.slice(STATIC_FILES_PATH.length);
  app.use(`${STATIC_FILES_PATH}*`, serveStatic({ root: folder, precompressed: true, rewriteRequestPath }));
  return app;
}
