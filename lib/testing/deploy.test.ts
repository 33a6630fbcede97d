import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadConfig } from "@/lib/platform/config";
import { projectPath } from "@/lib/platform/project-path";

/** What an operator copies from. Goal: nothing in it names what is not there, and nothing that is there goes unsaid. */
const read = (path: string) => readFileSync(projectPath(path), "utf8");

const serviceSchema = z.looseObject({
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const compose = composeSchema.parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);

/** What `config.ts` reads, by its own text. */
const variables = [...read("lib/platform/config.ts").matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
  ([, name]) => name ?? "",
);
const inFiles = [...read("lib/platform/read-secret-files.ts").matchAll(/^ {2}"([A-Z_]+)",$/gm)].map(
  ([, name]) => `${name}_FILE`,
);
const isKnown = (name: string) => [...variables, ...inFiles].includes(name) || name.startsWith("OTEL_");

describe("compose.yaml", () => {
  it.each(services)("gives %s secrets, networks and volumes that are there", (_name, service) => {
    const named = service.volumes.map((volume) => volume.split(":")[0] ?? "");
    const [files, volumes] = [
      named.filter((one) => one.startsWith("./")),
      named.filter((one) => !one.startsWith(".")),
    ];
    expect(service.secrets.filter((secret) => !(secret in compose.secrets))).toEqual([]);
    expect(service.networks.filter((network) => !(network in compose.networks))).toEqual([]);
    expect(volumes.filter((volume) => !(volume in compose.volumes))).toEqual([]);
    expect(files.filter((file) => !existsSync(projectPath(file)))).toEqual([]);
  });

  it.each(services.filter(([name]) => name === "sluice" || name === "worker"))(
    "tells %s only what Sluice reads, and hands it each secret whose file it names",
    (_name, { environment, secrets }) => {
      expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
      const files = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
      expect(files.map((file) => file.slice("/run/secrets/".length)).sort()).toEqual([...secrets].sort());
    },
  );

  it("takes the secrets that make-secrets.sh makes, each once and for the folder's owner alone", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-deploy-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "make-secrets.sh");
    copyFileSync(projectPath("deploy/make-secrets.sh"), script);
    const make = () => execFileSync("sh", [script], { stdio: "pipe" });
    make();
    const secrets = join(folder, "secrets");
    const wanted = Object.values(compose.secrets).map(({ file }) => file.replace("deploy/secrets/", ""));
    expect(readdirSync(secrets).sort()).toEqual(wanted.sort());
    expect(statSync(secrets).mode & 0o077).toBe(0);
    const contents = () => readdirSync(secrets).map((name) => readFileSync(join(secrets, name), "utf8"));
    const first = contents();
    expect(new Set(first).size).toBe(first.length);
    make();
    expect(contents()).toEqual(first);
    const config = loadConfig({
      APP_URL: "https://sluice.example.com",
      DATABASE_URL_FILE: join(secrets, "database_url"),
      SLUICE_SECRET_FILE: join(secrets, "sluice_secret"),
      METRICS_TOKEN_FILE: join(secrets, "metrics_token"),
    });
    // As postgres-init.sh reads it.
    expect(config.databaseUrl).toMatch(/^postgres:\/\/sluice:[0-9A-Za-z]{64}@postgres:5432\/sluice$/);
    expect(config.metricsToken).toHaveLength(64);
  });
});

describe("the image", () => {
  it("runs programs that are there, and none as root", () => {
    const text = read("Dockerfile");
    const programs = [...text.matchAll(/scripts\/[\w-]+\.mjs/g)].map(([program]) => program);
    expect(programs.length).toBeGreaterThan(2);
    expect(programs.filter((program) => !existsSync(projectPath(program)))).toEqual([]);
    expect(text.slice(text.lastIndexOf("FROM "))).toMatch(/^USER node$/m);
  });

  it("is made without secrets, data and what was built elsewhere", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const path of ["deploy/secrets", ".env*", ".sluice", ".git", "node_modules", ".next", ".build"]) {
      expect(ignored).toContain(path);
    }
  });
});

describe("docs/operating.md", () => {
  it.each(variables)("says what %s is for", (name) => {
    expect(read("docs/operating.md")).toContain(`\`${name}\``);
  });
});
