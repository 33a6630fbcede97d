import { expect, type Locator, type Page, test } from "@playwright/test";
import { accountId, callApi, demo, openSignedIn } from "@/e2e/support/journey";
import { ruleSchema, writtenRuleSchema } from "@/lib/contract/rules/rule";

/** From a template to a saved version, as a person writes it; the JSON view; and one edit by keyboard alone. */

async function open(page: Page, path: string): Promise<void> {
  await openSignedIn(page, `${demo().appUrl}${path}`, "OWNER");
}

/** The word of the sentence that opens this control. */
const part = (page: Page, label: string | RegExp) => page.getByRole("button", { name: label });

const saved = (page: Page) => expect(page.getByText(/^Saved \d{1,2}:\d\d\s[AP]M$/)).toBeVisible();

async function createRule(name: string): Promise<string> {
  const { id } = writtenRuleSchema.parse(
    await callApi("POST", "/rules", {
      name,
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: accountId("Operating") },
      steps: [
        {
          actions: [
            {
              type: "PERCENTAGE",
              group: 0,
              sourceAccountId: accountId("Operating"),
              destinationAccountId: accountId("Taxes"),
              percentage: 27,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    }),
  );
  return id;
}

const readRule = async (id: string) => ruleSchema.parse(await callApi("GET", `/rules/${id}`));

test("a template becomes a rule: edited in sentences, kept over a reload, saved as version 1", async ({
  page,
}) => {
  await open(page, "/rules/new");
  await page.getByRole("link", { name: "Use Set tax aside" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Set tax aside" })).toBeVisible();
  await part(page, "27%, Amount of action 1").click();
  await page.getByLabel("Percent").fill("31");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("region", { name: "Your rule" })).toContainText("31%");
  await saved(page);
  await expect(page).toHaveURL(/\/rules\/new\/edit\?draft=/);

  await page.reload();
  await expect(part(page, "31%, Amount of action 1")).toBeVisible();
  await page.getByRole("button", { name: "Review version 1" }).click();
  await expect(page).toHaveURL(/\/rules\/[0-9a-f-]{36}$/);
  const rule = await readRule(page.url().split("/").at(-1) ?? "");
  expect(rule).toMatchObject({ name: "Set tax aside", version: 1, status: "INACTIVE" });
  expect(rule.steps[0]?.actions[0]).toMatchObject({ percentage: 31 });
});

test("missing parts are named, and pressing one opens its place", async ({ page }) => {
  await open(page, "/rules/new/edit");
  await page.getByRole("button", { name: "Review version 1" }).click();
  await expect(page.getByRole("dialog", { name: "Rule name" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Choose which account to watch." }).click();
  // A press chooses and closes.
  await page.getByRole("radio", { name: /Operating/ }).click();
  await expect(part(page, /^Operating, Account that receives money/)).toBeFocused();
  await expect(page.getByText("Choose which account to watch.")).toBeHidden();
});

/** Chooses by the words of a choice, as people do: the words, unlike the radio button, cannot take the focus. */
async function chooseByWords(page: Page, press: (words: Locator) => Promise<void>): Promise<void> {
  const words = (text: string) => page.getByRole("dialog").getByText(text, { exact: true });
  await press(part(page, /, Trigger$/));
  await press(words("On a schedule, like every Friday"));
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(part(page, /, Frequency$/)).toBeVisible();
  await press(part(page, /, Destination of action 1$/));
  await press(words("Payroll"));
  await expect(part(page, "Payroll, Destination of action 1")).toBeFocused();

  // A press between the choices leaves the control open, and its keys work.
  await press(part(page, "Payroll, Destination of action 1"));
  await press(words("Pods"));
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(part(page, "Payroll, Destination of action 1")).toBeFocused();
}

test("the words of a choice choose it, with mouse and finger", async ({ page, browser }) => {
  const id = await createRule("Edited by its words");
  await open(page, `/rules/${id}/edit`);
  await chooseByWords(page, (words) => words.click());
  const phone = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const touched = await phone.newPage();
  const touchedId = await createRule("Edited by finger");
  await open(touched, `/rules/${touchedId}/edit`);
  await chooseByWords(touched, (words) => words.tap());
  await phone.close();
});

test("all checks are in view at 1440 by 900, and the rule stays while a part is missing", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await open(page, "/rules/new/edit?template=profit-first");
  const before = page.getByRole("region", { name: "Before you activate" });
  const checks = before.getByRole("listitem");
  const expectInView = async () => {
    await expect(checks).not.toHaveCount(0);
    for (const check of await checks.all()) await expect(check).toBeInViewport({ ratio: 1 });
  };
  const complete = page.getByRole("region", { name: "Your rule" });
  await expect(complete).toBeVisible();
  await expectInView();
  const sentence = await complete.locator("p").first().innerText();

  await page.getByRole("button", { name: "Add action" }).first().click();
  const last = page.getByRole("region", { name: "Your last complete rule" });
  await expect(last).toContainText(sentence);
  await expect(complete).toBeHidden();
  await expectInView();
});

test("a limit of each period is added, kept over a reload, and the draft discarded from the list", async ({
  page,
}) => {
  await open(page, "/rules/new/edit?template=profit-first");
  for (const period of ["transfer", "day", "week", "month", "year"]) {
    const words = period === "transfer" ? "at a time" : `a ${period}`;
    await part(page, "More of action 1").click();
    await page.getByRole("button", { name: "Add a limit" }).click();
    await page.getByRole("textbox", { name: "At most" }).pressSequentially("5");
    await page.getByRole("textbox", { name: "At most" }).fill("250");
    await page.getByLabel("Per", { exact: true }).selectOption({ label: period });
    await page.getByRole("button", { name: "Done" }).click();
    await expect(part(page, `at most $250.00 ${words}, Limit of action 1`)).toBeVisible();
    await expect(page.getByRole("region", { name: "Your rule" })).toContainText("$250.00");
    await saved(page);
    await page.reload();
    await part(page, /Limit of action 1$/).click();
    await page.getByRole("button", { name: "No limit" }).click();
    await expect(part(page, /Limit of action 1$/)).toBeHidden();
  }
  await saved(page);
  await page.getByRole("link", { name: "New rule" }).click();
  const discard = page.getByRole("button", { name: "Discard Profit First" });
  await expect(discard).toBeVisible();
  await discard.click();
  await page.getByRole("button", { name: "Discard draft" }).click();
  await expect(discard).toBeHidden();
});

test("the JSON view edits the same draft, and keeps text that is not valid JSON yet", async ({ page }) => {
  const id = await createRule("Edited as JSON");
  await open(page, `/rules/${id}/edit`);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const json = page.getByLabel(/^The body of/);
  const text = await json.inputValue();
  await json.fill(text.replace('"percentage": 27', '"percentage": 127'));
  await expect(page.getByText("steps.0.actions.0.percentage")).toBeVisible();
  await json.fill(`${text.slice(0, 40)}`);
  await expect(page.getByText(/is not JSON/)).toBeVisible();
  await saved(page);
  await page.reload();
  await expect(page.getByLabel(/^The body of/)).toHaveValue(text.slice(0, 40));
  await page.getByRole("button", { name: "In words" }).click();
  await expect(page.getByText("The typed JSON is not a valid rule yet.")).toBeVisible();
  await expect(part(page, "27%, Amount of action 1")).toBeDisabled();

  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.getByLabel(/^The body of/).fill(text.replace('"percentage": 27', '"percentage": 33.3333'));
  await page.getByRole("button", { name: "In words" }).click();
  await expect(part(page, "33.3333%, Amount of action 1")).toBeVisible();
  await page.getByRole("button", { name: "Review version 2" }).click();
  await expect(page).toHaveURL(new RegExp(`/rules/${id}$`));
  expect((await readRule(id)).steps[0]?.actions[0]).toMatchObject({ percentage: 33.3333 });
});

test("one edit by keyboard alone: open, change, close, reorder, save", async ({ page }) => {
  const id = await createRule("Edited by keys");
  await open(page, `/rules/${id}/edit`);
  await expect(part(page, "27%, Amount of action 1")).toBeEnabled();
  await part(page, "27%, Amount of action 1").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Percent")).toBeFocused();
  await page.keyboard.type("28");
  await page.keyboard.press("Enter");
  await expect(part(page, "28%, Amount of action 1")).toBeFocused();

  await page.getByRole("button", { name: "Add action" }).focus();
  await page.keyboard.press("Enter");
  await part(page, "enter a percentage, Amount of action 2").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("10");
  await page.keyboard.press("Escape");
  await part(page, /, Destination of action 2$/).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await expect(part(page, /, Destination of action 2$/)).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(part(page, "10%, Amount of action 1")).toBeVisible();
  await expect(page.getByText("Now action 1 of 2, in group 1.")).toBeVisible();
  await saved(page);
  await part(page, "More of action 1").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "If there isn’t enough money" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Move nothing and stop the run" }).press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(part(page, /^or what is available/)).toBeFocused();
  await page.getByRole("button", { name: "Review version 2" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/rules/${id}$`));
  expect((await readRule(id)).steps[0]?.actions).toMatchObject([
    { percentage: 10, upTo: true },
    { percentage: 28, upTo: false },
  ]);
});

test("a save that comes second names the first, and can continue", async ({ page }) => {
  const id = await createRule("Edited by two");
  await open(page, `/rules/${id}/edit`);
  const { name, trigger, steps } = await readRule(id);
  await callApi("PUT", `/rules/${id}`, { name: `${name} meanwhile`, trigger, steps });
  await page.clock.install();
  await part(page, "27%, Amount of action 1").click();
  await page.getByLabel("Percent").fill("29");
  await page.getByRole("button", { name: "Done" }).click();
  // The pause before a draft is saved ends while the version is on its way.
  await page.route(
    `**/rules/${id}/edit`,
    async (route) => {
      await page.clock.fastForward(1_000);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Review version 2" }).click();
  await expect(
    page.getByText(/saved version 2 in the meantime\. Nothing was saved; your draft is kept\./),
  ).toBeVisible();
  await saved(page);
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Review version 3" }).click();
  await expect(page).toHaveURL(new RegExp(`/rules/${id}$`));
  expect(await readRule(id)).toMatchObject({ name, version: 3 });
});
