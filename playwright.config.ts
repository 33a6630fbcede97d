import { defineConfig } from "@playwright/test";
import { launchOptionsOf } from "./e2e/support/browser";

/**
 * `npm test` runs the dozen journeys tagged `@gate`, `npm run test:all` the others. Each runs against the product as
 * `npm start` starts it, on a data folder of its own (e2e/support/global-setup.ts). A journey's folder is its project:
 * `demo`, those that share the demo organization; `access`, who may come in and what they may do, on a second demo, since
 * those of one follow one another; `apart`, each with a product of its own; `look`, those that only look.
 */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: "test-results",
  // One set for every machine: what is drawn comes from the project, the fonts included (e2e/look/design.spec.ts).
  snapshotPathTemplate: "e2e/pictures/{arg}{ext}",
  // Four at a time on two cores, since journeys mostly wait: for a page, an attempt, a clock. Those of a demo share one
  // organization, so they go one after the other. Those apart share nothing and take longest: they come last, and take
  // the place of each project that has ended.
  workers: 4,
  projects: [
    { name: "demo", testDir: "e2e/demo", workers: 1 },
    { name: "look", testDir: "e2e/look", workers: 1 },
    { name: "access", testDir: "e2e/access", workers: 1, metadata: { demo: "second" } },
    { name: "apart", testDir: "e2e/apart", workers: 4 },
  ],
  retries: 0,
  // Several times what the longest one takes alone: a busy machine must not fail a journey that goes on.
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [["./e2e/support/product-log.ts"], ["list"], ["json"]],
  use: {
    // The demo organization's own: what a journey reads of times does not hang on where it runs.
    timezoneId: "America/New_York",
    locale: "en-US",
    // A trace costs a sixth of the browser's CPU in every journey, and CI keeps none: `--trace on` records one. What a
    // failed journey saw is in its picture and in the snapshot beside it.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: launchOptionsOf(process.env.SLUICE_TEST_SHELL ?? process.env.SLUICE_TEST_BROWSER),
  },
});
