import { chromium } from "@playwright/test";
import type { DemoDescription } from "@/lib/contract/demo";
import { ownerOf } from "@/proof/conformance/make-keys";

const STEP_TIMEOUT_MS = 30_000;
/** What the suite answers when the browser comes back to it. */
const DONE = "You can close this page.";

/**
 * Does what the suite asks a person to do: opens the authorization request, signs in as the demo's owner, and agrees.
 * @param address the authorization request
 * @param browser path of an executable, or null: Playwright's own
 */
export async function connectInBrowser(
  address: string,
  demo: DemoDescription,
  browser: string | null,
): Promise<void> {
  const launched = await chromium.launch({
    ...(browser && { executablePath: browser }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    const page = await launched.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    await page.goto(address);
    const { email, password } = ownerOf(demo);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: /^Connect/ }).click();
    await page.getByText(DONE).waitFor();
  } finally {
    await launched.close();
  }
}
