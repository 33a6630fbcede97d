import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import type { ErrorCode } from "@/lib/contract/error";
import type { PermissionType } from "@/lib/contract/permissions";

/** The parts of OpenAPI 3.1 in use. */

export interface Reference {
  $ref: string;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example>;
}

export interface Header {
  description: string;
  schema: JsonSchema;
  example?: string | number;
}

export interface Response {
  description: string;
  headers: Record<string, Reference>;
  content: { "application/json": MediaType };
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  /** Null: any valid key. */
  "x-permission": PermissionType | null;
  /** Every code that it may answer, in the order of the checks. */
  "x-errors": ErrorCode[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: { "application/json": MediaType } };
  responses: Record<string, Response | Reference>;
}

/** A request that Sluice sends to an endpoint. */
export interface WebhookObject {
  operationId: string;
  tags: ["Webhooks"];
  summary: string;
  description: string;
  /** No API authentication: deliveries are signed. */
  security: [];
  parameters: Parameter[];
  requestBody: { required: true; content: { "application/json": MediaType } };
  responses: Record<string, { description: string }>;
}

export type Method = "get" | "post" | "put";

export interface OpenApiDocument {
  openapi: "3.1.1";
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  security: { apiKey: [] }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Method, OperationObject>>>;
  webhooks: Record<string, { post: WebhookObject }>;
  components: {
    securitySchemes: Record<string, { type: "http"; scheme: "bearer"; description: string }>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, JsonSchema>;
  };
}

/** `createTransfer` → `CreateTransfer`. */
export function toTypeName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}

/** `TRANSFER_NOT_FOUND` → `TransferNotFound`. */
export function codeToTypeName(code: string): string {
  return code
    .split("_")
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join("");
}

/** `/accounts/:id` → `/accounts/{id}`. */
export function toOpenApiPath(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** `/accounts/:id` → `["id"]`. */
export function pathFieldsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}
