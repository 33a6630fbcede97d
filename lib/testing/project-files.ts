import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectPath } from "@/lib/platform/project-path";

const root = dirname(projectPath("package.json"));

/** Files that git tracks or would track, as paths from the project's root: neither packages nor what a build wrote. */
export function listProjectFiles(): string[] {
  const listed = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  const deleted = execFileSync("git", ["ls-files", "--deleted"], { cwd: root, encoding: "utf8" });
  const gone = new Set(deleted.split("\n"));
  return listed.split("\n").filter((path) => path !== "" && !gone.has(path));
}

/** @param path from the project's root */
export const readProjectFile = (path: string): string => readFileSync(join(root, path), "utf8");
