const SECURITY_HEADERS = [
  // An approval that is drawn into somebody else's page can be clicked without being read.
  { key: "Content-Security-Policy", value: "frame-ancestors 'none'; base-uri 'self'; object-src 'none'" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  // Addresses of approvals stay here when a link leads elsewhere.
  { key: "Referrer-Policy", value: "same-origin" },
];

// The token of an invitation, or of a link to a new password, is in its path: it goes to no other site, nor to another page of this one.
const SECRET_PATH_HEADERS = [{ key: "Referrer-Policy", value: "no-referrer" }];

// A phone on a slow network asks for them once a month; a new cut gets a new name (tools/fonts/cut.py).
const FONT_HEADERS = [{ key: "Cache-Control", value: "public, max-age=2592000" }];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // In development Next would write what is passed to server actions into the log: passwords, recovery codes, SMS codes.
  // Nor may it write addresses that hold a secret.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/^\/(invitations|reset)\//] } },
  // `npm test` checks the types; the first start of an installed product need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  headers: () => [
    { source: "/:path*", headers: SECURITY_HEADERS },
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
  // The launcher's bundle and Next's bundles meet in one process: native and stateful packages load once, from disk.
  serverExternalPackages: ["pg", "@node-rs/argon2", "nodemailer", "pino", "@simplewebauthn/server"],
};

export default config;
