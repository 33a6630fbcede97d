/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks the types; the first start of an installed product need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // The launcher's bundle and Next's bundles meet in one process: native and stateful packages load once, from disk.
  serverExternalPackages: ["pg", "@node-rs/argon2", "nodemailer", "pino", "@simplewebauthn/server"],
};

export default config;
