/** The text behind `Bearer` in the header `Authorization`. */
export function bearerOf(request: { header: (name: string) => string | undefined }): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.header("authorization") ?? "")?.[1];
}
