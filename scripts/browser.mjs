import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./build.mjs";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const SHELL = "/usr/bin/chromium-headless-shell";

/**
 * Chromium without windows, as Playwright's own is: loads a page with two thirds of the CPU, and has no push messaging.
 * @returns its path, or null: none is installed, or `SLUICE_TEST_BROWSER` names the browser for everything
 */
export function findShell() {
  return !process.env.SLUICE_TEST_BROWSER && existsSync(SHELL) ? SHELL : null;
}

/**
 * The browser for end-to-end tests: an installed one, otherwise Debian's package (as root), otherwise Playwright's
 * own.
 * @returns path of an executable, or null: Playwright finds its own
 */
export function findBrowser(say) {
  const found = findInstalled();
  if (found) return found;
  if (process.getuid?.() === 0 && isThere("apt-get")) {
    say("No browser is installed; installing Debian's Chromium.");
    const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    spawnSync("apt-get", ["update"], options);
    const packages = ["chromium", "chromium-headless-shell"];
    spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], options);
    const installed = findInstalled();
    if (installed) return installed;
  }
  say("Getting Playwright's Chromium.");
  const playwright = join(root, "node_modules", "@playwright", "test", "cli.js");
  execFileSync(process.execPath, [playwright, "install", "--with-deps", "chromium"], { stdio: "inherit" });
  return null;
}

function findInstalled() {
  const named = process.env.SLUICE_TEST_BROWSER;
  return [named, ...INSTALLED].find((path) => path && existsSync(path)) ?? null;
}

function isThere(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}
