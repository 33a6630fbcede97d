import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doorOf } from "@/lib/api/launcher/doors";
import { routeOf } from "@/lib/api/launcher/observe-requests";
import { type PageRoute, readPageRoutes } from "@/lib/api/launcher/page-routes";

/** What logs, metrics and traces say of an address. Goal: no secret of one, and never one more series for one more id. */
const SECRET = "f3a9c1d2e4";

let folder: string;
let pageRoute: PageRoute;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-routes-"));
  const file = join(folder, "routes-manifest.json");
  // As Next writes it.
  const manifest = {
    version: 3,
    staticRoutes: [
      { page: "/", regex: "^/(?:/)?$" },
      { page: "/settings/api-keys", regex: "^/settings/api\\-keys(?:/)?$" },
    ],
    dynamicRoutes: [
      { page: "/invitations/[token]", regex: "^/invitations/([^/]+?)(?:/)?$" },
      { page: "/reset/[token]", regex: "^/reset/([^/]+?)(?:/)?$" },
    ],
  };
  await writeFile(file, JSON.stringify(manifest));
  pageRoute = await readPageRoutes(file);
});
afterAll(() => rm(folder, { recursive: true }));

const told = (address: string) => {
  const door = doorOf(address);
  return [door, routeOf(door, address.split("?", 1)[0] ?? "", pageRoute)];
};

describe("an address", () => {
  it.each([
    ["/", "web", "/"],
    ["/?approvalTransferId=01a0", "web", "/"],
    ["/settings/api-keys", "web", "/settings/api-keys"],
    [`/invitations/${SECRET}`, "web", "/invitations/[token]"],
    [`/reset/${SECRET}?from=email`, "web", "/reset/[token]"],
    [`/invitations/${SECRET}/more`, "web", "(none)"],
    [`/_next/static/chunks/${SECRET}.js`, "web", "/_next/static/:file"],
    [`/sandbox/receivers/${SECRET}`, "sandbox", "/sandbox/receivers/:token"],
    ["/sandbox", "web", "(none)"],
    [`/oauth/authorize/${SECRET}`, "oauth", "/oauth/authorize/:uid"],
    ["/oauth/token", "oauth", "/oauth/token"],
    [`/oauth/${SECRET}`, "oauth", "(none)"],
    [`/.well-known/oauth-authorization-server/${SECRET}`, "oauth", "/.well-known/:document"],
    [`/platform/v1/${SECRET}`, "api", "(none)"],
    [`/hooks/${SECRET}`, "hooks", "(none)"],
    ["/healthz", "health", "/healthz"],
    ["/metrics?x=1", "metrics", "/metrics"],
    ["//example.com/%2e%2e", "web", "(none)"],
  ])("%s is told of as %s %s", (address, door, route) => {
    expect(told(address)).toEqual([door, route]);
    expect(route).not.toContain(SECRET);
  });

  it("is told of as no route while pages are made when they are asked for", () => {
    expect(routeOf("web", `/reset/${SECRET}`, undefined)).toBe("(none)");
  });
});
