/** One statement of a migration, without its semicolon, with the comments before it. */
export interface Statement {
  /** Without comments, in lower case, whitespace as single spaces; strings and bodies stay as they are. */
  plain: string;
  sql: string;
  comments: string[];
  /** Of its first word, from 1. */
  line: number;
}

/** What a migration may consist of: comments, quoted things, bodies between dollars, the rest. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|\s+|[^\s;'"$/-]+|./g;

/** The statements of a file, told apart as psql does: a semicolon inside a string or a body ends nothing. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let open = emptyStatement();
  let line = 1;
  const close = () => {
    if (open.plain.trim() !== "")
      statements.push({ ...open, plain: open.plain.trim(), sql: open.sql.trim() });
    open = emptyStatement();
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ";") close();
    else if (token.startsWith("--") || token.startsWith("/*")) open.comments.push(token);
    else {
      if (open.plain === "" && token.trim() !== "") open.line = line;
      open.sql += token;
      if (/^\s+$/.test(token)) open.plain += open.plain === "" ? "" : " ";
      else open.plain += /^['"$]/.test(token) ? token : token.toLowerCase();
    }
    line += token.split("\n").length - 1;
  }
  close();
  return statements;
}

const emptyStatement = (): Statement => ({ plain: "", sql: "", comments: [], line: 0 });
