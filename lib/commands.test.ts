import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { z } from "zod";
import { projectPath } from "@/lib/platform/project-path";
import { readProjectFile } from "@/lib/testing/project-files";

const groups = z
  .array(
    z.object({ title: z.string(), commands: z.array(z.object({ command: z.string(), does: z.string() })) }),
  )
  .parse(JSON.parse(readProjectFile("scripts/commands.json")));

/** `npm start` and `npm test` are the scripts of these names; other commands name theirs after `run`. */
const scriptOf = (command: string) => command.replace(/^npm (run )?/, "").split(" ")[0];

it("the list of commands has every script of package.json once, and no other", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readProjectFile("package.json")));
  const listed = groups.flatMap(({ commands }) => commands.map(({ command }) => scriptOf(command)));
  expect(listed.toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it("docs/commands.md has the groups and commands of npm run help, in its order and with its words first", () => {
  const rows = readProjectFile("docs/commands.md")
    .split("\n")
    .flatMap((line): string[][] => {
      const title = /^## (.+)$/.exec(line);
      const row = /^\| `([^`]+)` \| (.+) \|$/.exec(line);
      if (title) return [[title[1] ?? ""]];
      return row ? [[row[1] ?? "", row[2] ?? ""]] : [];
    });
  const expected = groups.flatMap(({ title, commands }) => [
    [title],
    ...commands.map(({ command, does }) => [command, does]),
  ]);
  expect(rows.map(([name]) => name)).toEqual(expected.map(([name]) => name));
  const differing = rows.filter(([, text = ""], index) => !text.startsWith(expected[index]?.[1] ?? ""));
  expect(differing).toEqual([]);
});

it("npm run help prints every command with its line", () => {
  const printed = execFileSync(process.execPath, [projectPath("scripts/help.mjs")], { encoding: "utf8" });
  for (const { title, commands } of groups) {
    expect(printed).toContain(`\n${title}\n`.slice(title === groups[0]?.title ? 1 : 0));
    for (const { command, does } of commands)
      expect(printed.replaceAll(/\s+/g, " ")).toContain(`${command} ${does}`);
  }
});
