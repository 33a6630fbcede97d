// The token of an invitation, or of a link to a new password, is in its path: it goes to no other site, nor to another page of this one.
const SECRET_PATH_HEADERS = [{ key: "Referrer-Policy", value: "no-referrer" }];

// A phone on a slow network asks for them once a month; a new cut gets a new name (proof/fonts/cut.py).
const FONT_HEADERS = [{ key: "Cache-Control", value: "public, max-age=2592000" }];

/** @type {import("next").NextConfig} */
const config = {
  // The folder of this very version (scripts/build.mjs); while developing Next's own.
  ...(process.env.SLUICE_BUILD_FOLDER && { distDir: `${process.env.SLUICE_BUILD_FOLDER}/next` }),
  poweredByHeader: false,
  reactStrictMode: true,
  // No page has a picture that needs it, and it fetches what its address names.
  images: { unoptimized: true },
  // In development Next would write what is passed to server actions into the log: passwords, recovery codes, SMS codes.
  // Nor may it write addresses that hold a secret.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/^\/(invitations|reset)\//] } },
  // `npm test` checks the types; the first start of an installed product need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  headers: () => [
    { source: "/fonts/:path*", headers: FONT_HEADERS },
    { source: "/invitations/:path*", headers: SECRET_PATH_HEADERS },
    { source: "/reset/:path*", headers: SECRET_PATH_HEADERS },
  ],
  // One address, two pages: with the parameter of an approval link it is the approval (app/page.tsx), else the overview.
  rewrites: () => ({
    beforeFiles: [
      { source: "/", missing: [{ type: "query", key: "approvalTransferId" }], destination: "/overview" },
    ],
  }),
  // A build is made once for its sources, in a folder of its own: a cache beside it would be larger than it and never read.
  experimental: {
    turbopackFileSystemCacheForBuild: false,
    // A tab never turns into another organization: `forbidden()` puts a page in its place (app/auth/member.ts).
    authInterrupts: true,
  },
  // The launcher's bundle and Next's bundles meet in one process: native and stateful packages load once, from disk.
  serverExternalPackages: ["pg", "@node-rs/argon2", "nodemailer", "pino", "@simplewebauthn/server"],
};

export default config;
