import { type BrowserContext, expect, type Page, type Response, test } from "@playwright/test";
import { examplesOf, PAGE_EXAMPLES, type PageExample, type PageView } from "@/e2e/pages/page-examples";
import { type PageFacts, readDemoFacts } from "@/e2e/pages/page-facts";
import { demoFolder } from "@/e2e/support/demo-folder";
import { demo, propose, signInWithoutForm } from "@/e2e/support/journey";
import { DESKTOP, findLookFaults } from "@/e2e/support/page-checks";

/**
 * What holds on every page, including new ones: the list of example addresses is compared with the file system. One
 * visit to an address checks everything, since visits are what costs.
 */
/** First-load JavaScript as transferred, gzip. */
const MAXIMUM_SCRIPT_BYTES = 270_000;
const MAXIMUM_APPROVAL_SCRIPT_BYTES = 160_000;
/** More where a chart is drawn, whose library loads once the page is idle. */
const MAXIMUM_CHART_BYTES = 130_000;

const EXAMPLES = examplesOf(process.cwd());
const NOT_BUILT = PAGE_EXAMPLES.filter((example) => !EXAMPLES.includes(example)).map(({ page }) => page);

let owner: Page;
let nobody: Page;
let viewer: BrowserContext;
let facts: PageFacts;
const complaints: string[] = [];

test.beforeAll(async ({ browser }) => {
  const waiting = await propose({ amountInCents: 91_700, reasonForApproval: "Looked at by every proof." });
  facts = { ...(await readDemoFacts(demoFolder(), demo())), waitingTransferId: waiting.id };
  const quiet = { viewport: DESKTOP, reducedMotion: "reduce", colorScheme: "light" } as const;
  owner = await (await browser.newContext(quiet)).newPage();
  nobody = await (await browser.newContext(quiet)).newPage();
  viewer = await browser.newContext({ viewport: DESKTOP });
  for (const page of [owner, nobody]) listen(page);
  await signInWithoutForm(owner, "OWNER");
  const asViewer = await viewer.newPage();
  await signInWithoutForm(asViewer, "VIEWER");
  await asViewer.close();
});

test.afterAll(async () => {
  await Promise.all([owner.context().close(), nobody.context().close(), viewer.close()]);
});

for (const example of EXAMPLES) {
  test(`${example.page}: axe, both themes, 320 px, one heading, a title, no complaint, nothing refused by its policy, kept by no cache, light enough`, async () => {
    const found: string[] = [];
    for (const view of example.views(facts)) found.push(...(await inspect(example, view)));
    expect(found).toEqual([]);
  });
}

test("a viewer sees every page that members may read, without controls that change something", async () => {
  const found: string[] = [];
  for (const example of EXAMPLES.filter(({ as, status }) => as === "MEMBER" && !status)) {
    for (const { at } of example.views(facts)) found.push(...(await lookAsViewer(example, at ?? "")));
  }
  expect(found).toEqual([]);
});

/** A page that logs to the console has a fault that is not visible yet. */
function listen(page: Page): void {
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    const { url } = message.location();
    if (message.type() !== "error" || isNotBuiltYet(url)) return;
    // A missing page answers so, and that is what is checked. Violations of the page's own Content-Security-Policy are
    // reported at its address as well, and count.
    if (url === page.url() && message.text().startsWith("Failed to load resource")) return;
    complaints.push(`${message.text()} ${url}`);
  });
}

/** A rail link whose page is listed but does not exist yet. */
function isNotBuiltYet(url: string): boolean {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return NOT_BUILT.includes(`app${path}/page.tsx`);
}

async function inspect({ as, status = 200 }: PageExample, { at }: PageView): Promise<string[]> {
  if (at === null) return ["The demo shows no example of it: widen the demo, or the example."];
  const page = as === "MEMBER" ? owner : nobody;
  complaints.length = 0;
  await page.setViewportSize(DESKTOP);
  const response = await page.goto(`${demo().appUrl}${at}`);
  await expect(page.locator("h1").first()).toBeVisible();
  const found: string[] = [];
  if (!MADE_OF_NOTHING.test(at) && !isKeptNowhere(response)) found.push("may be kept by a cache");
  if (response?.status() !== status) found.push(`answers ${response?.status()}`);
  found.push(...(await weigh(page, at)), ...(await outline(page)), ...(await findLookFaults(page)));
  found.push(...complaints.map((text) => `the console says: ${text}`));
  return found.map((each) => `${at}: ${each}`);
}

/** The same for everyone: contains nothing of an organization. */
const MADE_OF_NOTHING = /^\/(docs|design)(\/|\?|$)/;

const isKeptNowhere = (response: Response | null) =>
  response?.headers()["cache-control"]?.includes("no-store") === true;

async function outline(page: Page): Promise<string[]> {
  const { headings, title } = await page.evaluate(() => ({
    headings: [...document.querySelectorAll("h1")].filter((each) => each.checkVisibility()).length,
    title: document.title,
  }));
  const found: string[] = [];
  if (headings !== 1) found.push(`has ${headings} h1`);
  if (title === "") found.push("has no title");
  return found;
}

/** The scripts that this address loads at first, gzipped; the browser itself transferred fewer bytes. */
async function weigh(page: Page, at: string): Promise<string[]> {
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => /\.js(\?|$)/.test(name)),
  );
  let bytes = 0;
  for (const script of new Set(scripts)) bytes += await gzipBytesOf(page, script);
  const hasChart = (await page.locator("[data-plot]").count()) > 0;
  const usual = MAXIMUM_SCRIPT_BYTES + (hasChart ? MAXIMUM_CHART_BYTES : 0);
  const maximum = at.includes("approvalTransferId") ? MAXIMUM_APPROVAL_SCRIPT_BYTES : usual;
  test.info().annotations.push({ type: "first-load JavaScript", description: `${at} ${bytes} bytes` });
  if (bytes === 0) return ["no script was weighed"];
  return bytes < maximum ? [] : [`loads ${bytes} bytes of JavaScript, more than ${maximum}`];
}

const weights = new Map<string, number>();

async function gzipBytesOf(page: Page, script: string): Promise<number> {
  const { pathname } = new URL(script);
  const known = weights.get(pathname);
  if (known !== undefined) return known;
  const answer = await page.request.head(script, { headers: { "Accept-Encoding": "gzip" } });
  expect(answer.headers()["content-encoding"], `${pathname} is compressed`).toBe("gzip");
  const bytes = Number(answer.headers()["content-length"]);
  weights.set(pathname, bytes);
  return bytes;
}

/** The first words of buttons and submits that only owners get. */
const CHANGES =
  /^(Accept|Activate|Add|Apply|Approve|Cancel|Change|Close|Connect|Create|Deactivate|Delete|Deny|Discard|Disconnect|End|Freeze|Invite|Issue|Make|Move|Open|Pause|Propose|Put|Require|Retry|Simulate|Reconnect|Redeliver|Remove|Rename|Reopen|Replace|Replay|Resend|Resume|Revoke|Run|Save|Send|Set|Start|Stop|Switch|Thaw|Turn|Verify|Withdraw)\b/;

/** Filters of a list and their own saved ones, which change nothing of the organization. */
const OWN = /^(Save these filters|Rename or delete|Apply dates|Apply accounts|Apply amounts)$/;

async function lookAsViewer(
  { viewer: gets = "SEES", viewerMay }: PageExample,
  at: string,
): Promise<string[]> {
  const response = await viewer.request.get(`${demo().appUrl}${at}`);
  const expected = gets === "SEES" ? 200 : 404;
  if (response.url().includes("/sign-in")) return [`${at} sends a viewer away to sign in`];
  if (response.status() !== expected) return [`${at} answers a viewer ${response.status()}`];
  const names = buttonsOf(await response.text());
  return names
    .filter((name) => CHANGES.test(name) && !OWN.test(name) && !viewerMay?.test(name))
    .map((name) => `${at} offers a viewer "${name}"`);
}

/** The names of the buttons in the page's HTML that can be pressed, if only once their scripts are there. */
function buttonsOf(html: string): string[] {
  return [...html.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)]
    .filter(
      ([, attributes = ""]) => !/\sdisabled(=|\s|$)/.test(attributes) || /\sdata-waits/.test(attributes),
    )
    .map(([, attributes = "", inner = ""]) => {
      const label = /aria-label="([^"]*)"/.exec(attributes)?.[1];
      return (label ?? inner.replace(/<svg.*?<\/svg>/gs, "").replace(/<[^>]*>/g, "")).trim();
    });
}
