import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { examplesOf, type PageExample, type PageView } from "@/e2e/pages/page-examples";
import { readDemoFacts } from "@/e2e/pages/page-facts";
import { startProduct } from "@/e2e/support/product";
import { type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";

const USAGE = `npm run pictures -- [--mocks ../shared/design/ui] [--only rules]

Takes a picture of every page of the demo, light and dark at a desk and on a phone, puts the page of the design beside
it, and writes docs/pictures with its README.md. Without the folder of the design, ours are shown alone.
`;

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const BROWSER_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
/** The width of a desktop picture in the combined one; the phone's has the same height. */
const SHOWN = { width: 720, height: 450 };
const JPEG_QUALITY = 70;

interface Picture {
  name: string;
  page: string;
  at: string;
  mock: string | null;
}

export async function takePictures(
  root: string,
  executablePath: string | null,
  say: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      mocks: { type: "string", default: join(root, "..", "shared", "design", "ui") },
      only: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return say(USAGE);
  const target = join(root, "docs", "pictures");
  if (!values.only) await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const mocks = await findMocks(values.mocks);
  if (!mocks) say(`There is no design at ${values.mocks}: the pages are shown alone.`);
  const folder = await mkdtemp(join(tmpdir(), "sluice-pictures-"));
  const product = await startProduct(folder);
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: BROWSER_ARGUMENTS,
  });
  try {
    const demo = demoDescriptionSchema.parse(JSON.parse(await readFile(join(folder, "demo.json"), "utf8")));
    const facts = await readDemoFacts(folder, demo);
    const cameras = await openCameras(browser, demo, product.url);
    const easel = await browser.newPage({ viewport: { width: 2_400, height: 520 } });
    const pictures: Picture[] = [];
    for (const example of examplesOf(root)) {
      if (values.only && !example.page.includes(values.only)) continue;
      for (const view of example.views(facts)) {
        if (view.at === null) continue;
        const picture = toPicture(example, view, view.at);
        const shots = await shoot(cameras[example.as], `${product.url}${view.at}`);
        const mock = picture.mock && mocks && (await shootMock(cameras.NOBODY, mocks, picture.mock));
        await compose(easel, join(target, `${picture.name}.jpg`), mock, shots);
        pictures.push(picture);
        say(picture.name);
      }
    }
    if (!values.only) await writeFile(join(target, "README.md"), describe(pictures));
  } finally {
    await browser.close();
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Browsers signed in as an owner, and signed out. */
async function openCameras(browser: Browser, { members }: DemoDescription, url: string) {
  const open = async () => (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const cameras = { MEMBER: await open(), NOBODY: await open() };
  const owner = members.find(({ role }) => role === "OWNER");
  await cameras.MEMBER.goto(`${url}/sign-in`);
  await cameras.MEMBER.getByLabel("Email").fill(owner?.email ?? "");
  await cameras.MEMBER.getByLabel("Password").fill(owner?.password ?? "");
  await cameras.MEMBER.getByRole("button", { name: "Sign in", exact: true }).click();
  await cameras.MEMBER.waitForURL((at) => !at.pathname.includes("sign-in"));
  return cameras;
}

/** @returns light and dark on a desktop, and light on a phone; base64 */
async function shoot(page: Page, url: string): Promise<string[]> {
  const take = async () => (await page.screenshot({ type: "jpeg", quality: 92 })).toString("base64");
  const setTheme = (theme: string) =>
    page.evaluate((value) => {
      document.documentElement.dataset.theme = value;
    }, theme);
  await page.setViewportSize(DESKTOP);
  await page.goto(url, { waitUntil: "load" });
  await page.locator("h1").first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => null));
  await setTheme("light");
  const light = await take();
  await setTheme("dark");
  const dark = await take();
  await setTheme("light");
  await page.setViewportSize(PHONE);
  return [light, dark, await take()];
}

/** The design is not part of the project. */
async function findMocks(folder: string): Promise<string | null> {
  try {
    await access(folder);
    return folder;
  } catch {
    return null;
  }
}

async function shootMock(page: Page, folder: string, name: string): Promise<string> {
  await page.setViewportSize(DESKTOP);
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: "load" });
  await page.evaluate(() => document.fonts.ready.then(() => null));
  return (await page.screenshot({ type: "jpeg", quality: 92 })).toString("base64");
}

async function compose(
  easel: Page,
  path: string,
  mock: string | null,
  [light = "", dark = "", phone = ""]: readonly string[],
): Promise<void> {
  const { width, height } = SHOWN;
  const frame = (label: string, source: string, of: number) =>
    `<figure><figcaption>${label}</figcaption><img style="width:${of}px;height:${height}px" src="${source}"></figure>`;
  const jpeg = (data: string) => `data:image/jpeg;base64,${data}`;
  const phoneWidth = Math.round((height * PHONE.width) / PHONE.height);
  await easel.setContent(`<style>
      body { margin: 0; padding: 12px; background: #8a8f94; font: 13px sans-serif; color: #fff; width: max-content; display: flex; gap: 12px }
      figure { margin: 0 } figcaption { padding-bottom: 6px } img { display: block; object-fit: cover; object-position: top }
    </style>
    ${mock ? frame("Designed", jpeg(mock), width) : ""}
    ${frame("Built", jpeg(light), width)}
    ${frame("Dark", jpeg(dark), width)}
    ${frame("Phone", jpeg(phone), phoneWidth)}`);
  await easel.waitForFunction(() => [...document.images].every((image) => image.complete));
  await easel.locator("body").screenshot({ path, type: "jpeg", quality: JPEG_QUALITY });
}

function toPicture({ page }: PageExample, { mock, name }: PageView, at: string): Picture {
  const ofPage = page
    .replace(/^app\//, "")
    .replace(/\/?(page|not-found)\.tsx$/, "")
    .replaceAll(/[[\]]/g, "")
    .replaceAll("/", "-");
  return { page, at, mock: mock ?? null, name: name ?? (ofPage === "" ? "not-found" : ofPage) };
}

function describe(pictures: readonly Picture[]): string {
  const rows = pictures.map(({ name, page, at, mock }) => {
    const path = at.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…");
    return `### ${name}\n\n\`${path}\` (\`${page}\`)${mock ? `, designed as \`${mock}\`` : ""}\n\n![${name}](${name}.jpg)`;
  });
  return `# Every page beside its design

Taken by \`npm run pictures\` from the demo organization: the design where there is one, then the
actual page in light, dark and on a phone.

${rows.join("\n\n")}
`;
}
