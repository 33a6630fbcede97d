import { expect, type Locator, type Page, test } from "@playwright/test";
import { demo, openSignedIn } from "@/e2e/support/journey";

/** A refused submit leads to the first wrong field, in the middle of the screen, no matter what judged it. */
const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 700 } },
  { name: "phone", viewport: { width: 390, height: 664 } },
] as const;

/** Focused, and neither below the fold nor under the bars of a phone. */
async function expectBeforeTheReader(page: Page, field: Locator): Promise<void> {
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport({ ratio: 1 });
  const box = await field.boundingBox();
  const middle = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  const { height } = page.viewportSize() ?? { height: 0 };
  const isAtTheTop = await page.evaluate(() => window.scrollY === 0);
  expect(isAtTheTop || Math.abs(middle - height / 2) < height / 4).toBe(true);
}

for (const { name, viewport } of SIZES) {
  test(`a refused form leads to its first wrong field, again when it is wrong again (${name})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, hasTouch: name === "phone" });
    const page = await context.newPage();
    await openSignedIn(page, `${demo().appUrl}/settings/api-keys/new`);
    const create = page.getByRole("button", { name: /^Create key/ });
    const keyName = page.getByLabel("Name", { exact: true });
    for (let attempt = 0; attempt < 2; attempt++) {
      await create.click();
      await expect(keyName).toHaveAttribute("aria-invalid", "true");
      await expectBeforeTheReader(page, keyName);
    }
    // The plain words come right before the button, or stay beside it.
    await keyName.fill("reads-accounts");
    await page.getByRole("checkbox", { name: /^Read accounts/ }).check();
    await create.scrollIntoViewIfNeeded();
    const words = page.getByRole("region", { name: "In plain words" });
    await expect(words).toBeInViewport();
    const [wordsBox, buttonBox] = [await words.boundingBox(), await create.boundingBox()];
    if (name === "phone") expect(wordsBox?.y ?? 0).toBeLessThan(buttonBox?.y ?? 0);

    // Judged by the server.
    await page.goto(`${demo().appUrl}/accounts/new`);
    await page.getByRole("button", { name: "Open account" }).click();
    const accountName = page.getByLabel("Name", { exact: true });
    await expect(accountName).toHaveAttribute("aria-invalid", "true");
    await expectBeforeTheReader(page, accountName);
    await context.close();
  });
}
