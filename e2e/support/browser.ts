import type { LaunchOptions } from "@playwright/test";

/** @param executablePath undefined: Playwright's own Chromium */
export function launchOptionsOf(executablePath: string | undefined): LaunchOptions {
  return {
    ...(executablePath && { executablePath }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  };
}
