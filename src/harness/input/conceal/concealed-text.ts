// Text without the secrets in it. Removes from any text whatever looks like a secret: a private key, a JSON Web Token,
// an address with a password in it, an Authorization header, a token of a known form. From the text of a field it also removes
// the value behind a secret name (in YAML, JSON, an environment file or a connection string), and a whole manifest of a Secret.

import {fromBase64} from '../../../cluster/bytes.ts';
import {isSecretName} from './secret-names.ts';

export const concealedPlaceholder = '(not shown)';

/** Each with the groups before and behind what is not shown. */
const shapes: readonly RegExp[] = [
  /()-----BEGIN (?!CERTIFICATE|PUBLIC KEY)[A-Za-z0-9 ]+-----[\s\S]*?(?:-----END [A-Za-z0-9 ]+-----|$)()/g,
  /(?<![\w-])()eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)*()/g,
  // Userinfo; a password may hold slashes.
  /(\b[a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"'<>]+|[^\s/:@"'<>]*:[^\s"'<>]+)(@)/gi,
  /(\bjdbc:oracle:\w+:[^\s/@"']+\/)[^\s@"']+(@)/gi,
  /(\bbot\d{5,}:)[\w-]{6,}()/g,
  // An object in a copy that a tool has packed.
  /\b()H4sI[\w+/-]{12,}=*()/g,
  /(\bbearer\s+)[\w.~+/=:-]+()/gi,
  /(\bbasic\s+)(?=[A-Za-z+/]*[\d=])[\w+/=]{6,}()/gi,
  /(\bhttps?:\/\/)(?:hooks\.|hooks\/|[^\s"'<>]*webhook)[^\s"'<>]*()/gi,
  /\b()(?:A[KS]IA[A-Z0-9]{12,}|gh[opusr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|[sr]k_live_\w{8,}|AIza[\w-]{30,}|hvs\.[\w-]{16,}|npm_\w{30,}|dckr_pat_[\w-]{16,}|AGE-SECRET-KEY-\w+)()/g,
  // Arguments of a program: `--user=name:password`, and `mysql -ppassword`.
  /((?:^|\s)(?:-u|--user|--proxy-user)[=\s]\s*["']?[^\s:"'/]+:)[^\s"']+()/g,
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&\n]*\s-p)(?=[^\s-])(?:"[^"]*"|'[^']*'|\S+)()/g,
  /^()-p(?=\S*[a-z])(?=\S*\d)\S{6,}()$/gi,
  /(\b(?:redis-cli\b[^|;&\n]*\s-a|sshpass\s+-p|ldap[a-z]+\b[^|;&\n]*\s-w|openssl\b[^|;&\n]*\s-k|ConvertTo-SecureString|net\s+use\s+\S+\s+\\\\\S+)\s+)(?=[^\s/-])(?:"[^"]*"|'[^']*'|\S+)()/gi,
  /(\b(?:docker|podman|nerdctl|skopeo|helm|az|oc)\b[^|;&\n]*\blogin\b[^|;&\n]*\s-p\s+)(?:"[^"]*"|'[^']*'|\S+)()/g,
  /(\becho\s+(?:-n\s+)?)(?:"[^"]*"|'[^']*'|\S+)(\s*\|[^\n]*--password-stdin)/g,
  // A file of settings with no sign between: `requirepass x`, and the password of a `.netrc`, if it has a digit.
  /(^\s*(?:requirepass|masterauth|enable secret \d|snmp-server community|stats auth [^\s:]+:?)(?:\s+|(?<=:)))\S+()/gm,
  /(\b(?:[\w-]+-)?password\s+)(?=\S*\d)[^\s"'=:]{6,}()/g,
  // A hash of a password, as crypt writes it.
  /(?<![\w$])()\$(?:2[aby]?|[156]|apr1|y|gy|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$[^\s"',;<>]{16,}()/g,
  /(\b(?:password|identified\s+by|password\s+for\s+\S+\s*=)\s+)(?:'[^']+'|"[^"]+")()/gi,
  /(\b(?:passwd|passphrase|token)\s+)"[^"]+"()/gi,
  // The words of a program about what it was given: `invalid token x1`.
  /(\b(?:bad|expired|incorrect|invalid|malformed|rejected|revoked|unknown|wrong)\s+(?:(?:access|api|auth|bearer|client|private|session)[ -])?(?:credentials?|key|password|passphrase|secret|token)s?:?\s+)(?=[^\s"']*[A-Z\d_])[^\s"':,;]{6,}()/gi,
  /(\b(?:api[ -]?key|passphrase|passwd|token)s?(?:\s+(?:is|was))?:?\s+)(?=[^\s"']*\d)[^\s"'=:,;]{6,}()/gi,
  // The API server's words for a value that it does not take.
  /((?:password|passwd|passphrase|secret|token|credentials?|key)s?\S*: (?:Invalid|Unsupported|Duplicate) value: )(?:"(?:[^"\\]|\\.)*"|[^\s:]+)()/gi,
];

/** Without what looks like a secret wherever it stands. */
export function withoutShapes(text: string): string {
  return shapes.reduce((rest, shape) => rest.replaceAll(shape, `$1${concealedPlaceholder}$2`), text);
}

/** For sentences: what looks like a secret, `password=...`, `password: "..."`, and `password == "..."` of CEL. */
export function concealedSentence(text: string): string {
  return withoutElements(withoutShapes(text)).replaceAll(
    /([\w.-]+)(["']?(?:=|\s*[=!]=\s*(?=["'])|:\s*(?=["'])))("(?:[^"\\]|\\.)*"|'[^']*'|[^\s;,&]+)/g,
    (whole, name: string, sign: string) => (isSecretName(name) ? `${name}${sign}${concealedPlaceholder}` : whole),
  );
}

/** For the text of a field. */
export function concealedText(text: string): string {
  if (/\bkind["']?\s*:\s*["']?Secret\b/.test(text)) return concealedPlaceholder;
  if (isConcealedInside(text)) return concealedPlaceholder;
  return withoutNamed(withoutElements(withoutShapes(text)));
}

/** The text of an XML element with a secret name. */
function withoutElements(text: string): string {
  return text.replaceAll(/<([\w.:-]+)(\s[^<>]*)?>[^<]+(?=<\/\1>)/g, (whole, name: string, attributes = '') =>
    isSecretName(name) ? `<${name}${attributes}>${concealedPlaceholder}` : whole,
  );
}

/** Text that is encoded, with something secret in it. */
function isConcealedInside(text: string): boolean {
  if (text.length < 16 || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) return false;
  const inside = decodedText(text);
  return /^[\t\n\r\x20-\x7e]+$/.test(inside) && concealedText(inside) !== inside;
}

/** The text that is encoded in base64, '' if none is. */
export function decodedText(text: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(fromBase64(text));
  } catch {
    return '';
  }
}

/** Line by line: what stands behind a secret name, and the lines below it that are part of it. */
function withoutNamed(text: string): string {
  const kept: string[] = [];
  let under: number | undefined;
  let named = false;
  for (const line of text.split('\n')) {
    const depth = line.search(/\S/);
    if (under !== undefined && (depth < 0 || depth > under)) continue;
    under = undefined;
    const {shown, isOpen} = withoutNamedIn(line, named);
    kept.push(shown);
    named = naming.test(line) ? isSecretName(valueIn(line)) : named && depth < 0;
    if (isOpen) under = depth;
  }
  return kept.join('\n');
}

/** `name: DB_PASSWORD`, `<add key="Password"`, and `variable "db_password"` of Terraform. */
const naming = /(?:(?:^|[\s{,-])["']?(?:name|key)["']?\s*[:=]\s*|^\s*variable\s+)["']?([^\s"',}]*)/;

function valueIn(line: string): string {
  return naming.exec(line)?.[1] ?? '';
}

/** `isOpen`: the value ends the line, so it may go on in the lines below. `named`: `value` is of a secret name. */
function withoutNamedIn(line: string, named: boolean): {readonly shown: string; readonly isOpen: boolean} {
  const signs = /([\w.$-]+)(["']?\s*(?::(?!\/\/)|=>?)\s*)/g;
  let shown = '';
  let from = 0;
  for (let found = signs.exec(line); found !== null; found = signs.exec(line)) {
    const [whole, name = ''] = found;
    const isNamed = named || isSecretName(valueIn(line));
    if (!isSecretName(name) && !(isNamed && (name === 'value' || name === 'default'))) continue;
    const begin = found.index + whole.length;
    const value = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^;&]*)/.exec(line.slice(begin))?.[0] ?? '';
    shown += line.slice(from, begin) + concealedPlaceholder;
    from = begin + value.length;
    if (from >= line.length) return {shown, isOpen: true};
    signs.lastIndex = from;
  }
  return {shown: shown + line.slice(from), isOpen: false};
}
