// URLs: absolute ones, or absolute paths.
// kubernetes/apiserver v0.34.4 pkg/cel/library/urls.go; Go's net/url ParseRequestURI. Not modelled: the cause in the
// sentence of a URL that cannot be read, and escapes within host names.

import {EvaluationProblem, listOf, mapOf, type OpaqueValue, type Value} from '../values.ts';
import {type Call, type Calls, type Methods, ofText, opaqueType} from './call.ts';

interface Parsed {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const {of, contentOf: urlOf, make} = opaqueType<Parsed>('kubernetes.URL');
const wellFormed = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;

export function parseUrl(text: string): Parsed | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them in URLs.
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return undefined;
  const match = wellFormed.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', host = '', path = '', query = ''] = match;
  // Without a scheme only an absolute path is meant, even where it begins with two slashes.
  if (scheme === '' && !text.startsWith('/')) return undefined;
  if (/%(?![0-9A-Fa-f]{2})/.test(path) || !isHost(host)) return undefined;
  return {scheme: scheme.toLowerCase(), host, path, query};
}

function isHost(host: string): boolean {
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? [undefined, ' '];
  return !/[\s"<>\\^`{|}]/.test(name) && (port === undefined || /^\d*$/.test(port));
}

function toUrl(text: string): OpaqueValue {
  const content = parseUrl(text);
  if (content === undefined) {
    const cause = `parse ${JSON.stringify(text)}: invalid URI for request`;
    throw new EvaluationProblem(`URL parse error during conversion from string: ${cause}`);
  }
  return make(text, content);
}

function getter(read: (url: Parsed) => Value): Call {
  return ([target]) => read(urlOf(target));
}

const port = /:(\d*)$/;

function escaped(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~$&+,/:;=@!'()*%[\]]/gu, (character) => encodeURIComponent(character));
}

function queryOf(query: string): Value {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&').filter((one) => one !== '' && !one.includes(';'))) {
    const [key = '', ...rest] = pair.split('=');
    const name = unescaped(key);
    found.set(name, [...(found.get(name) ?? []), unescaped(rest.join('='))]);
  }
  return mapOf([...found].map(([key, values]) => [key, listOf(values)] as const));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export const urlFunctions: Calls = {
  url: ofText(toUrl),
  isURL: ofText((text) => parseUrl(text) !== undefined),
};

export const urlMethods: Methods = {
  of,
  calls: {
    getScheme: getter(({scheme}) => scheme),
    getHost: getter(({host}) => host),
    getHostname: getter(({host}) => host.replace(port, '').replace(/^\[(.*)\]$/, '$1')),
    getPort: getter(({host}) => port.exec(host)?.[1] ?? ''),
    getEscapedPath: getter(({path}) => escaped(path)),
    getQuery: getter(({query}) => queryOf(query)),
  },
};
