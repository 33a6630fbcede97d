import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readableStack } from "@/lib/platform/readable-stack";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice stack (1) "));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SOURCE = `
function refuse() {
  throw new Error("broken");
}
try {
  refuse();
} catch (error) {
  process.stdout.write(error.stack);
}
`;

/** @returns the stack of an error of a minified bundle, as Node writes it without source maps */
async function stackOf({ bundle, hasMap = true }: { bundle: string; hasMap?: boolean }): Promise<string> {
  writeFileSync(join(folder, "thrower.ts"), SOURCE);
  const outfile = join(folder, bundle);
  await build({
    entryPoints: [join(folder, "thrower.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: bundle.endsWith(".mjs") ? "esm" : "cjs",
    platform: "node",
    sourcemap: hasMap,
  });
  return execFileSync(process.execPath, [outfile], { encoding: "utf8" });
}

it.each(["bundle.mjs", "bundle.js"])("names the lines of the source for an error in %s", async (bundle) => {
  const stack = await stackOf({ bundle });
  expect(stack).not.toContain("thrower.ts");
  const [message, thrown, called] = readableStack(stack).split("\n");
  expect(message).toBe("Error: broken");
  expect(thrown).toContain(`(${join(folder, "thrower.ts")}:3:9)`);
  expect(called).toContain(`${join(folder, "thrower.ts")}:6:3`);
  // The second look finds the same without the map.
  rmSync(join(folder, `${bundle}.map`));
  expect(readableStack(stack)).toContain(`${join(folder, "thrower.ts")}:3:9`);
});

it("leaves a stack as it is where a map is missing or broken, or the message looks like a frame", async () => {
  const bare = await stackOf({ bundle: "bare.js", hasMap: false });
  expect(existsSync(join(folder, "bare.js.map"))).toBe(false);
  expect(readableStack(bare)).toBe(bare);

  const broken = await stackOf({ bundle: "broken.js" });
  writeFileSync(join(folder, "broken.js.map"), "{");
  expect(readableStack(broken)).toBe(broken);

  const huge = `Error: x\n    at ${"(/at /".repeat(200_000)}`;
  const startedAt = performance.now();
  expect(readableStack(huge)).toBe(huge);
  expect(performance.now() - startedAt).toBeLessThan(500);

  const message = "Error: (/etc/hosts.js:1:1)\n    at file:///%zz.js:1:1\n    at nowhere";
  expect(readableStack(message)).toBe(message);
});
