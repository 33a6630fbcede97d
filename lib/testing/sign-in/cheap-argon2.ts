import * as argon2 from "@node-rs/argon2/index.js";

/**
 * In place of `@node-rs/argon2` in tests (vitest.config.ts): thousands of sign-ins in full would take a twentieth of the
 * gate's CPU. Verifying takes its cost from the hash. sign-in.test.ts keeps the product's own parameters.
 */
const CHEAP = { memoryCost: 256, timeCost: 1, parallelism: 1 };

export const hash: typeof argon2.hash = (password, options, signal) =>
  argon2.hash(password, { ...options, ...CHEAP }, signal);
export const costlyHash = argon2.hash;
export const verify = argon2.verify;
