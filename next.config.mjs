// Tokens of invitations and password resets are in paths: they must not leave through Referer, to any page.
const SECRET_PATH_HEADERS = [{ key: "Referrer-Policy", value: "no-referrer" }];

// A phone on a slow network refetches them once a month; a new cut gets a new name (proof/fonts/cut.py).
const FONT_HEADERS = [{ key: "Cache-Control", value: "public, max-age=2592000" }];

/** @type {import("next").NextConfig} */
const config = {
  // The build folder of this version (scripts/build.mjs); in development, Next's own.
  ...(process.env.SLUICE_BUILD_FOLDER && { distDir: `${process.env.SLUICE_BUILD_FOLDER}/next` }),
  poweredByHeader: false,
  reactStrictMode: true,
  // No page uses it, and it would fetch whatever its address names.
  images: { unoptimized: true },
  // In development Next would log the arguments of server actions: passwords, recovery codes, SMS codes.
  // Nor log addresses that hold a secret.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/^\/(invitations|reset)\//] } },
  // `npm test` checks the types; the first start of an installation need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  headers: () => [
    { source: "/fonts/:path*", headers: FONT_HEADERS },
    { source: "/invitations/:path*", headers: SECRET_PATH_HEADERS },
    { source: "/reset/:path*", headers: SECRET_PATH_HEADERS },
  ],
  // With the parameter of an approval link this address is the approval (app/page.tsx), otherwise the overview.
  rewrites: () => ({
    beforeFiles: [
      { source: "/", missing: [{ type: "query", key: "approvalTransferId" }], destination: "/overview" },
    ],
  }),
  // Each set of sources is built once, in its own folder: a cache would be larger than the build and never read.
  experimental: {
    turbopackFileSystemCacheForBuild: false,
    // The guides of /docs are MDX, which Next's own compiler turns into components (docs/decisions/0028-guides-in-mdx.md).
    mdxRs: { mdxType: "gfm", providerImportSource: "@/app/docs/_components/guide-parts" },
    // A page that was loaded on intent (components/ui/link.tsx) shows what was true at most this long ago: Next's minimum.
    staleTimes: { dynamic: 0, static: 30 },
  },
  // The launcher's bundle and Next's bundles share one process: native and stateful packages load once, from disk.
  serverExternalPackages: ["pg", "@node-rs/argon2", "nodemailer", "pino", "@simplewebauthn/server"],
};

export default config;
