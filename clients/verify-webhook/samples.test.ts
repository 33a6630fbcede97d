/**
 * The programs that the dashboard and the guide show, run in their own languages against deliveries that Sluice's own
 * code signed: a program that is copied into a receiver and takes a forgery moves money for the forger.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPyodide } from "pyodide";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { VERIFICATION_SAMPLES } from "@/components/parts/webhooks/verification";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { makeSigningSecret, signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { projectPath } from "@/lib/platform/project-path";
import { runGo } from "@/lib/testing/run-go";
import { isGenuine } from "./verify";

interface Case {
  name: string;
  /** Base64. */
  body: string;
  header: string | null;
  secret: string;
  /** Seconds since 1970 on the receiver's clock. */
  now: number;
  isGenuine: boolean;
}

const T = 1_795_182_012;
const SECRET = makeSigningSecret();
const BODY = eventBody({
  id: "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e",
  type: "transfer.changed",
  resourceType: "transfer",
  resourceId: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16",
  createdAt: new Date(T * 1_000),
});
const sign = (body: string) => signDelivery(SECRET, body, new Date(T * 1_000)).header;
const SIGNATURE = sign(BODY);
const V1 = SIGNATURE.slice(SIGNATURE.indexOf("v1="));

const toCase = (
  name: string,
  answer: boolean,
  given: { body?: string; header?: string | null; secret?: string; now?: number },
): Case => {
  const { body = BODY, header = SIGNATURE, secret = SECRET, now = T } = given;
  return { name, body: Buffer.from(body).toString("base64"), header, secret, now, isGenuine: answer };
};
const genuine = (name: string, given: Parameters<typeof toCase>[2]) => toCase(name, true, given);
const refused = (name: string, given: Parameters<typeof toCase>[2]) => toCase(name, false, given);

const FOREIGN = '{ "name": "Grüße, 日本 🪙" }';

const CASES: Case[] = [
  genuine("as it was sent", {}),
  genuine("with more than ASCII in its body", { body: FOREIGN, header: sign(FOREIGN) }),
  genuine("with an empty body", { body: "", header: sign("") }),
  genuine("300 s old", { now: T + 300 }),
  genuine("300 s in the future", { now: T - 300 }),
  genuine("300.9 s old: whole seconds count", { now: T + 300.9 }),
  refused("301 s old", { now: T + 301 }),
  refused("301 s in the future", { now: T - 301 }),
  refused("a day old", { now: T + 86_400 }),
  refused("a day in the future", { now: T - 86_400 }),
  refused("with another secret", { secret: makeSigningSecret() }),
  refused("with a body that was altered", { body: BODY.replace("transfer", "Transfer") }),
  refused("with a body that was written again", { body: JSON.stringify(JSON.parse(BODY), null, 1) }),
  refused("with a body that has a line break more", { body: `${BODY}\n` }),
  refused("with a later t", { header: SIGNATURE.replace(`${T}`, `${T + 1}`) }),
  refused("with a v1 that was altered", { header: `t=${T},v1=${"0".repeat(64)}` }),
  refused("without a header", { header: null }),
  refused("with an empty header", { header: "" }),
  refused("with a header of something else", { header: "Bearer sluice" }),
  refused("without t", { header: V1 }),
  refused("without v1", { header: `t=${T}` }),
  refused("with an empty t", { header: `t=,${V1}` }),
  refused("with a t of words", { header: `t=now,${V1}` }),
  refused("with a t below 0", { header: `t=-${T},${V1}` }),
  refused("with a t without end", { header: `t=${"9".repeat(400)},${V1}` }),
  refused("with a t in other digits", { header: `t=١٧٩٥١٨٢٠١٢,${V1}` }),
  refused("with a short v1", { header: SIGNATURE.slice(0, -1) }),
  refused("with a long v1", { header: `${SIGNATURE}0` }),
  refused("with a v1 that is not hex", { header: `t=${T},v1=${"g".repeat(64)}` }),
  refused("with a v1 of other characters", { header: `t=${T},v1=${"é".repeat(64)}` }),
  refused("with a line break at its end", { header: `${SIGNATURE}\n` }),
  refused("with a line break before it", { header: `x\n${SIGNATURE}` }),
  refused("with two of everything", { header: `${SIGNATURE},${SIGNATURE}` }),
  refused("with a zero byte", { header: `${SIGNATURE}\0` }),
];

const expected = CASES.map(({ name, isGenuine: answer }) => [name, answer]);
const named = (answers: readonly boolean[]) => CASES.map(({ name }, index) => [name, answers[index]]);
const answersSchema = z.array(z.boolean());

const folder = projectPath("clients/verify-webhook");

describe("what is shown", () => {
  it.each(VERIFICATION_SAMPLES)("$file is the file that is run, and short", async ({ file, code }) => {
    expect(`${code}\n`).toBe(await readFile(join(folder, file), "utf8"));
    expect(code.split("\n").length).toBeLessThanOrEqual(25);
  });

  it("is there in every language", () => {
    expect(VERIFICATION_SAMPLES.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go"]);
  });
});

describe("what is run", () => {
  let workplace: string;
  beforeAll(async () => {
    workplace = await mkdtemp(join(tmpdir(), "sluice-samples-"));
  });
  afterAll(() => rm(workplace, { recursive: true }));

  it("in TypeScript tells deliveries from forgeries", () => {
    const answers = CASES.map(({ body, header, secret, now }) =>
      isGenuine(Buffer.from(body, "base64"), header, secret, () => now * 1_000),
    );
    expect(named(answers)).toEqual(expected);
  });

  it("in Python tells deliveries from forgeries", async () => {
    const python = await loadPyodide();
    python.runPython(await readFile(join(folder, "verify.py"), "utf8"));
    python.globals.set("cases", JSON.stringify(CASES));
    const answers = python.runPython(`
import base64, json
json.dumps([is_genuine(base64.b64decode(c["body"]), c["header"], c["secret"], lambda: c["now"])
            for c in json.loads(cases)])`);
    expect(named(answersSchema.parse(JSON.parse(answers)))).toEqual(expected);
    // Python comes as 10 MB of WebAssembly, which a busy machine takes its time to compile.
  }, 180_000);

  it("in Go tells deliveries from forgeries, and pleases its vet", async () => {
    await cp(join(folder, "verify.go"), join(workplace, "webhooks", "verify.go"));
    await writeFile(join(workplace, "go.mod"), "module receiver\n\ngo 1.19\n");
    await writeFile(join(workplace, "main.go"), GO_MAIN);
    await runGo(["vet", "./..."], workplace);
    const answers = await runGo(["run", "."], workplace, JSON.stringify(CASES));
    expect(named(answersSchema.parse(JSON.parse(answers)))).toEqual(expected);
    // Fetches Go the first time on a machine that has none, and compiles the parts of its library that are used.
  }, 600_000);
});

/** Reads the cases, and writes what the program says of each. */
const GO_MAIN = `package main

import (
	"encoding/json"
	"os"
	"receiver/webhooks"
	"time"
)

func main() {
	var cases []struct {
		Body           []byte
		Header, Secret string
		Now            float64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, c := range cases {
		now := time.UnixMilli(int64(c.Now * 1000))
		answers = append(answers, webhooks.IsGenuine(c.Body, c.Header, c.Secret, now))
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
`;
