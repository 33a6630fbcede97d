import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { readProjectFile } from "@/lib/testing/project-files";
import { isSql, plant } from "@/proof/mutation/mutant";
import { MUTANTS } from "@/proof/mutation/mutants";

describe("the mutants of npm run mutate", () => {
  it("have unique ids", () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)("$id applies to today's $file, and its tests exist", (mutant) => {
    const text = readProjectFile(mutant.file);
    expect(plant(mutant, text)).not.toBe(text);
    expect(mutant.near.length).toBeGreaterThan(0);
    expect(
      mutant.near.filter((file) => !/\.test\.tsx?$/.test(file) || !existsSync(projectPath(file))),
    ).toEqual([]);
  });

  it("are at least 80 in SQL functions, a third of them locks and guards, and 55 in TypeScript", () => {
    const functions = MUTANTS.filter(isSql);
    expect(functions.every(({ file }) => file.startsWith("lib/db/functions/"))).toBe(true);
    expect(functions.length).toBeGreaterThanOrEqual(80);
    const protecting = functions.filter(({ kind }) => kind === "LOCK" || kind === "GUARD");
    expect(protecting.length).toBeGreaterThanOrEqual(functions.length / 3);
    expect(MUTANTS.length - functions.length).toBeGreaterThanOrEqual(55);
  });

  it("say in docs/mutation.md why each that no test notices is left", () => {
    const listed = [...readProjectFile("docs/mutation.md").matchAll(/^\| `([\w-]+)` \|/gm)].map(
      ([, id]) => id,
    );
    expect(listed.sort()).toEqual(
      MUTANTS.filter(({ survives }) => survives)
        .map(({ id }) => id)
        .sort(),
    );
  });
});
