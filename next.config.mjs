const SECURITY_HEADERS = [
  // An approval that is drawn into somebody else's page can be clicked without being read.
  { key: "Content-Security-Policy", value: "frame-ancestors 'none'; base-uri 'self'; object-src 'none'" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  // Addresses of approvals stay here when a link leads elsewhere.
  { key: "Referrer-Policy", value: "same-origin" },
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // In development Next would write what is passed to server actions into the log: passwords, recovery codes, SMS codes.
  logging: { serverFunctions: false },
  // `npm test` checks the types; the first start of an installed product need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  headers: () => [{ source: "/:path*", headers: SECURITY_HEADERS }],
  // The launcher's bundle and Next's bundles meet in one process: native and stateful packages load once, from disk.
  serverExternalPackages: ["pg", "@node-rs/argon2", "nodemailer", "pino", "@simplewebauthn/server"],
};

export default config;
