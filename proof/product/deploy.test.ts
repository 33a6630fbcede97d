import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createMetrics } from "@/lib/api/launcher/metrics";
import { countRequestsInFlight } from "@/lib/api/launcher/requests-in-flight";
import { loadConfig } from "@/lib/platform/config";
import { projectPath } from "@/lib/platform/project-path";
import { openTestDatabase } from "@/lib/testing/database";
import { createRealTimeServices } from "@/lib/testing/services";

/** What an operator copies from. Promise: it names nothing that does not exist, and omits nothing that does. */
const read = (path: string) => readFileSync(projectPath(path), "utf8");

const serviceSchema = z.looseObject({
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  command: z.array(z.string()).default([]),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const compose = composeSchema.parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);

/** What `config.ts` reads, according to its source. */
const variables = [...read("lib/platform/config.ts").matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
  ([, name]) => name ?? "",
);
const inFiles = [...read("lib/platform/config.ts").matchAll(/^ {2}"([A-Z_]+)",$/gm)].map(
  ([, name]) => `${name}_FILE`,
);
const isKnown = (name: string) => [...variables, ...inFiles].includes(name) || name.startsWith("OTEL_");

describe("compose.yaml", () => {
  it.each(services)("gives %s existing secrets, networks and volumes", (_name, service) => {
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

  it.each(services.filter(([name]) => ["sluice", "worker", "setup", "backup"].includes(name)))(
    "sets only variables that Sluice reads in %s, and mounts each secret whose file it names",
    (_name, { environment, secrets }) => {
      expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
      const files = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
      expect(files.map((file) => file.slice("/run/secrets/".length)).sort()).toEqual([...secrets].sort());
    },
  );

  it("opens nothing before setup is done: otherwise a stranger could own the server", () => {
    const listening = services.filter(([name]) => ["sluice", "worker", "backup"].includes(name));
    expect(listening).toHaveLength(3);
    for (const [name, { depends_on }] of listening) {
      expect(depends_on.setup, name).toEqual({ condition: "service_completed_successfully" });
    }
    expect(compose.services.setup?.command).toEqual(["node", "scripts/run.mjs", "setup", "--unless-done"]);
    expect(compose.services.setup?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  });

  it("uses the secrets that make-secrets.sh creates, each once and readable only by the folder's owner", () => {
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

describe("the units for systemd", () => {
  const units = ["sluice.service", "sluice-backup.service", "sluice-backup.timer"].map(
    (name) => `deploy/${name}`,
  );

  it("wait for the network, restart after a pause, stop as Sluice requires, and run existing programs", () => {
    const unit = read("deploy/sluice.service");
    for (const line of [
      "Wants=network-online.target",
      "After=network-online.target postgresql.service",
      "RestartSec=5",
      "KillMode=mixed",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
    ]) {
      expect(unit.split("\n")).toContain(line);
    }
    const programs = units.flatMap((name) =>
      [...read(name).matchAll(/scripts\/[\w-]+\.mjs/g)].map(([path]) => path),
    );
    expect(programs).toHaveLength(2);
    expect(programs.filter((program) => !existsSync(projectPath(program)))).toEqual([]);
    const named = units.flatMap((name) =>
      [...read(name).matchAll(/(SLUICE_\w+|APP_URL|HOST)=/g)].map(([, one]) => one),
    );
    expect(named.filter((name) => name && !isKnown(name))).toEqual([]);
  });

  it("are accepted by systemd-analyze, where that is installed", () => {
    const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", ...units.map(projectPath)], {
      encoding: "utf8",
    });
    if (error) expect(error).toMatchObject({ code: "ENOENT" });
    // It also checks for Node where the unit expects it, which is the operator's choice.
    else
      expect({
        status: /\/usr\/bin\/node is not executable/.test(stderr) ? 0 : status,
        stderr,
      }).toMatchObject({ status: 0 });
  });
});

describe("the image", () => {
  it("runs existing programs, and none as root", () => {
    const text = read("Dockerfile");
    const programs = [...text.matchAll(/scripts\/[\w-]+\.mjs/g)].map(([program]) => program);
    expect(programs.length).toBeGreaterThan(2);
    expect(programs.filter((program) => !existsSync(projectPath(program)))).toEqual([]);
    expect(text.slice(text.lastIndexOf("FROM "))).toMatch(/^USER node$/m);
  });

  it("is built without secrets, data and artifacts built elsewhere", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const path of ["deploy/secrets", ".env*", ".sluice", ".git", "node_modules", ".next", ".build"]) {
      expect(ignored).toContain(path);
    }
  });
});

const ruleSchema = z.strictObject({
  alert: z.string().regex(/^Sluice[A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(["page", "ticket", "info"]) }),
  annotations: z.strictObject({ summary: z.string().endsWith("."), runbook: z.string() }),
});
const alertsSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleSchema).min(1) })).min(1),
});

const rules = () => alertsSchema.parse(parse(read("deploy/alerts.yaml"))).groups.flatMap((one) => one.rules);

const METRIC = /\b(?:sluice|nodejs|process)_\w+/g;

/** What a process with every role answers at /metrics. */
async function readMetrics(environment: Record<string, string> = {}): Promise<string> {
  const database = await openTestDatabase();
  const services = createRealTimeServices(database.pool);
  const config = loadConfig({ SLUICE_BACKUP_COMMAND: "/bin/true", ...environment });
  return createMetrics(services, config, { inFlight: countRequestsInFlight(), version: "1.2.3" }).write();
}

async function readMetricNames(): Promise<ReadonlySet<string>> {
  return new Set([...(await readMetrics()).matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
}

const missingIn = (shown: ReadonlySet<string>, expressions: readonly string[]) =>
  expressions
    .flatMap((expression) => expression.match(METRIC) ?? [])
    .filter((name) => !shown.has(name) && !shown.has(name.replace(/_(bucket|count|sum)$/, "")));

describe("deploy/alerts.yaml", () => {
  it("contains rules that Prometheus can read: YAML of their shape, each name once", () => {
    const names = rules().map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
  });

  it("uses existing metrics, and docs/operating.md describes every one of ours", async () => {
    const shown = await readMetricNames();
    const expressions = rules().map(({ expr }) => expr);
    expect(expressions.flatMap((expr) => expr.match(METRIC) ?? []).length).toBeGreaterThan(10);
    expect(missingIn(shown, expressions)).toEqual([]);
    const documented = new Set(read("docs/operating.md").match(/`(?:sluice)?_\w+`/g));
    const ours = [...shown].filter((name) => name.startsWith("sluice_"));
    const named = (name: string) =>
      documented.has(`\`${name}\``) || documented.has(`\`${name.replace("sluice_work", "")}\``);
    expect(ours.filter((name) => !named(name))).toEqual([]);
    const gone = [...documented]
      .map((name) => name.slice(1, -1))
      .filter((name) => name.startsWith("sluice_"));
    expect(gone.filter((name) => !shown.has(name))).toEqual([]);
  });

  it("watches every disk that Sluice writes to", async () => {
    const folder = tmpdir();
    const text = await readMetrics({
      SLUICE_DATA_DIR: folder,
      SLUICE_BACKUP_DIR: folder,
      SLUICE_ARCHIVE_DIR: folder,
    });
    const folders = [...text.matchAll(/^sluice_disk_free_bytes\{folder="(\w+)"\} \d/gm)];
    expect(folders.map(([, name]) => name)).toEqual(["data", "backups", "archive"]);
  });

  it("leads from each alert to its section of docs/operating.md", () => {
    const headings = [...read("docs/operating.md").matchAll(/^### (Sluice\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules().map(({ alert }) => alert));
    for (const { alert, annotations } of rules())
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
  });

  it("is accepted by promtool, where that is installed", () => {
    const { error, status, stderr } = spawnSync(
      "promtool",
      ["check", "rules", projectPath("deploy/alerts.yaml")],
      {
        encoding: "utf8",
      },
    );
    // Prometheus is not a dependency of the tests; the shape above is checked everywhere.
    if (error) expect(error).toMatchObject({ code: "ENOENT" });
    else expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

const panelSchema = z.looseObject({
  id: z.int(),
  title: z.string().min(1),
  gridPos: z.strictObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
  targets: z.array(z.looseObject({ expr: z.string().min(1), refId: z.string() })).optional(),
});
const dashboardSchema = z.looseObject({ uid: z.literal("sluice"), panels: z.array(panelSchema) });

describe("deploy/grafana/sluice.json", () => {
  const { panels } = dashboardSchema.parse(JSON.parse(read("deploy/grafana/sluice.json")));
  const expressions = panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr);

  it("asks for existing metrics, in panels that do not overlap", async () => {
    expect(expressions.length).toBeGreaterThan(30);
    expect(missingIn(await readMetricNames(), expressions)).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)}|${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it("shows every metric that an alert watches", () => {
    const shown = new Set(expressions.flatMap((expression) => expression.match(METRIC) ?? []));
    const watched = rules().flatMap(({ expr }) => expr.match(METRIC) ?? []);
    expect(watched.filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe("docs/configuration.md", () => {
  it.each(variables)("says what %s is for", (name) => {
    expect(read("docs/configuration.md")).toContain(`\`${name}\``);
  });
});
