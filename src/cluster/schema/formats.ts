// Formats of strings in schemas. An unknown format restricts nothing.
//
// kubernetes/kube-openapi f3f2b991d03b pkg/validation/strfmt; kubernetes/apiextensions-apiserver v0.34.4
// pkg/apiserver/validation/formats.go. Not modelled: bsonobjectid, isbn, creditcard, ssn and rgbcolor, which no kind of a platform
// uses; mail addresses and URIs are checked by their shape only.

/** True if the text has the format, written with or without dashes. */
export function hasFormat(text: string, format: string): boolean {
  return checks[format.startsWith('k8s-') ? format : format.replaceAll('-', '')]?.(text) ?? true;
}

/** True if the server knows the format; it drops others from a schema. */
export function isKnownFormat(format: string): boolean {
  return checks[format.startsWith('k8s-') ? format : format.replaceAll('-', '')] !== undefined;
}

type Check = (text: string) => boolean;

const like =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const checks: {readonly [format: string]: Check | undefined} = {
  datetime: isDateTime,
  date: isDate,
  duration: isDuration,
  byte: (text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/[\r\n]/g, '')) && text.length % 4 === 0,
  uuid: like(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: like(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: like(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: like(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: like(/^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i),
  hostname: (text) =>
    /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*\.?$/.test(text) &&
    text.length <= 255 &&
    text.split('.').every((part) => part.length <= 63),
  email: like(/^[^@<>\s]+@[^@<>\s]+$|<[^@<>\s]+@[^@<>\s]+>$/),
  uri: like(/^(?:[a-z][a-z0-9+.-]*:|\/)\S*$/i),
  password: () => true,
  hexcolor: like(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  'k8s-short-name': (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  'k8s-long-name': (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const [inMonth, inDay] = [Number(month), Number(day)];
  const isLeap = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][inMonth - 1];
  return days !== undefined && inDay >= 1 && inDay <= days;
}

function isDateTime(text: string): boolean {
  const [date = '', time, ...more] = text.toLowerCase().split('t');
  if (time === undefined || more.length > 0 || !isDate(date)) return false;
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time);
  if (match === null) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** A duration of Go, or of Scala: any number with a unit, somewhere. */
function isDuration(text: string): boolean {
  if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => isUnit(unit.toLowerCase()));
}

const units = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

function isUnit(unit: string): boolean {
  return units.includes(unit) || longUnits.some((word) => unit.startsWith(word));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (!text.includes(':') || text.split('::').length > 2) return false;
  const last = text.slice(text.lastIndexOf(':') + 1);
  const plain = last.includes('.') ? `${text.slice(0, text.lastIndexOf(':') + 1)}0:0` : text;
  if (last.includes('.') && !isIpv4(last)) return false;
  const [head = '', tail] = plain.split('::');
  const groups = [...groupsOf(head), ...groupsOf(tail ?? '')];
  const isWhole = tail === undefined ? groups.length === 8 : groups.length <= 7;
  return isWhole && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d+$/.test(bits)) return false;
  return isIpv4(address) ? Number(bits) <= 32 : isIpv6(address) && Number(bits) <= 128;
}
