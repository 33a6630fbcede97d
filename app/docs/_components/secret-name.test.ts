import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

const PLACES = [
  "app",
  "components",
  "clients/typescript/src",
  "scripts",
  "README.md",
  "clients/typescript/README.md",
];
const NAMES = ["SLUICE_SECRET", "SLUICE_HOOK_SECRET", "SLUICE_WEBHOOK_SECRET"];

async function filesOf(place: string): Promise<string[]> {
  if (place.endsWith(".md")) return [projectPath(place)];
  const names = await readdir(projectPath(place), { recursive: true });
  return names
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => join(projectPath(place), name));
}

it("samples and docs use one name for the webhook secret", async () => {
  const files = (await Promise.all(PLACES.map(filesOf))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const reported = new Set(texts.flatMap((text) => text.match(/\bSLUICE_[A-Z_]*SECRET\b/g) ?? []));
  expect([...reported].toSorted()).toEqual(NAMES.toSorted());
});
