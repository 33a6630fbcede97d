import { readFile } from "node:fs/promises";
import { z } from "zod";

const routeSchema = z.object({ page: z.string(), regex: z.string() });
const manifestSchema = z.object({
  staticRoutes: z.array(routeSchema),
  dynamicRoutes: z.array(routeSchema),
});

/** Of a page's address its pattern, e.g. `/invitations/[token]`; null where there is no such page. */
export type PageRoute = (path: string) => string | null;

/**
 * Reads from Next's build which pages there are.
 * @param file `routes-manifest.json` of the build
 */
export async function readPageRoutes(file: string): Promise<PageRoute> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const routes = [...manifest.staticRoutes, ...manifest.dynamicRoutes].map(({ page, regex }) => ({
    page,
    pattern: new RegExp(regex),
  }));
  return (path) => routes.find(({ pattern }) => pattern.test(path))?.page ?? null;
}
