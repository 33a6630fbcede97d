import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nothingSent, outcomeUnknown } from "@/components/act/answer-lost";

it("tells what was not sent from what may have arrived", () => {
  expect(nothingSent("Nothing moved. Try again.").message).toBe(
    "Sluice did not answer. Nothing moved. Try again.",
  );
  expect(outcomeUnknown("it may or may not be saved. Reload the page to check.").message).toBe(
    "Sluice did not answer, so it may or may not be saved. Reload the page to check.",
  );
});

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => join(folder, path));

const filesThatSay = (words: RegExp) =>
  ["app", "components", "lib"].flatMap(filesOf).filter((path) => words.test(readFileSync(path, "utf8")));

it("has one wording in one place", () => {
  expect(filesThatSay(/Sluice did not answer/)).toEqual(["components/act/answer-lost.ts"]);
});

it("leaves mutations to one hook", () => {
  expect(filesThatSay(/\buseMutation\(|\buseMutation</)).toEqual(["components/act/use-action.ts"]);
});
