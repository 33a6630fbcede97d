import { expect, it } from "vitest";
import { NamedError } from "@/lib/contract/error";

/** The classes as one bundle holds them. */
function loadBundle() {
  class Unavailable extends NamedError {
    static override readonly kind: string = "Unavailable";
  }
  class KeyRefused extends Unavailable {
    static override readonly kind = "KeyRefused";
  }
  class Conflict extends NamedError {
    static override readonly kind = "Conflict";
  }
  return { Unavailable, KeyRefused, Conflict };
}

const launcher = loadBundle();
const pages = loadBundle();

it("recognizes an error of another copy of its class, and of a class that extends it", () => {
  expect(new launcher.Unavailable("down")).toBeInstanceOf(pages.Unavailable);
  expect(new launcher.KeyRefused("refused")).toBeInstanceOf(pages.KeyRefused);
  expect(new launcher.KeyRefused("refused")).toBeInstanceOf(pages.Unavailable);
  expect(new launcher.KeyRefused("refused").name).toBe("KeyRefused");
});

it("tells its class from those that extend it, from others, and from what only has its name", () => {
  expect(new launcher.Unavailable("down")).not.toBeInstanceOf(pages.KeyRefused);
  expect(new launcher.Conflict("twice")).not.toBeInstanceOf(pages.Unavailable);
  for (const other of [
    Object.assign(new Error("down"), { name: "Unavailable" }),
    { kind: "Unavailable" },
    null,
  ])
    expect(other instanceof pages.Unavailable).toBe(false);
});
